"""Page of a player's own ranked games: places in the field and changes of the rating."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from games.api import player_of
from ratings.pages import sentences
from ratings.rating import own_games as selectors
from ratings.rating.own_games import OwnGame

PER_PAGE = 25
RESULTS = {"won": True, "lost": False}
SEATS = {"2": 2, "3": 3}


@dataclass(frozen=True, slots=True)
class Row:
    """A game with its place as a phrase and the change of the rating, Elo; None without one."""

    game: OwnGame
    place: str
    elo: float | None


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter link: text, query string, and whether it is active."""

    text: str
    query: str
    chosen: bool


@require_GET
@gzip_page
def games(request: HttpRequest) -> HttpResponse:
    """Show the reader's ranked games, newest first."""
    player = player_of(request)
    if player is None:
        return render(request, "ratings/rating/games.html", {"player": None})
    result, seats = request.GET.get("result", ""), request.GET.get("seats", "")
    attempts = selectors.ranked_attempts(
        player=player, seats=SEATS.get(seats), won=RESULTS.get(result)
    )
    page = Paginator(selectors.with_table(attempts), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "player": player,
        "results": _filters("result", result, {"": _("All"), "won": _("Won"), "lost": _("Lost")},
                            rest={"seats": seats}),
        "seats": _filters("seats", seats, {"": _("Two or three players"), "2": _("Two players"),
                                           "3": _("Three players")}, rest={"result": result}),
        "page": page,
        "kept": _query({"result": result, "seats": seats}),
        "filtered": result in RESULTS or seats in SEATS,
        "totals": attempts.aggregate(games=Count("pk"), won=Count("pk", filter=Q(won=True))),
        "rows": [_row(game) for game in selectors.own_games(player=player, attempts=list(page))],
    }  # fmt: skip
    return render(request, "ratings/rating/games.html", context)


def _row(game: OwnGame) -> Row:
    change = game.change
    return Row(
        game,
        sentences.place_in_words(game.verdict),
        None if change is None else change.now - change.was,
    )


def _filters(
    name: str, chosen: str, texts: dict[str, str], *, rest: dict[str, str]
) -> list[Filter]:
    """Return a link for each value of a filter; other filters are kept."""
    known = chosen if chosen in texts else ""
    return [
        Filter(text, _query({name: value, **rest}), value == known) for value, text in texts.items()
    ]


def _query(values: dict[str, str]) -> str:
    """Return the query string of the filters that are set."""
    return urlencode({name: value for name, value in values.items() if value})
