"""Page of a player's own ranked games: places in the field and changes of the rating."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.api import Chip, player_of
from ratings.pages import sentences
from ratings.rating import own_games as selectors
from ratings.rating.own_games import OwnGame

PER_PAGE = 25
RESULTS = {"won": True, "lost": False}
SEATS = {"2": 2, "3": 3}
FILTERS: dict[str, Container[str]] = {"result": RESULTS, "seats": SEATS}
"""The values of each parameter that filters."""


@dataclass(frozen=True, slots=True)
class Row:
    """A game with its place as a phrase and the change of the rating, Elo; None without one."""

    game: OwnGame
    place: str
    elo: float | None


@require_safe
@gzip_page
def games(request: HttpRequest) -> HttpResponse:
    """Show the reader's ranked games, newest first."""
    player = player_of(request)
    if player is None:
        return render(request, "ratings/rating/games.html", {"player": None})
    asked = {
        name: value for name in FILTERS if (value := request.GET.get(name, "")) in FILTERS[name]
    }
    attempts = selectors.ranked_attempts(
        player=player,
        seats=SEATS.get(asked.get("seats", "")),
        won=RESULTS.get(asked.get("result", "")),
    )
    page = Paginator(selectors.with_table(attempts), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "player": player,
        "chips": _chips(asked),
        "kept": urlencode(asked),
        "filtered": bool(asked),
        "page": page,
        "totals": attempts.aggregate(games=Count("pk"), won=Count("pk", filter=Q(won=True))),
        "rows": [_row(game) for game in selectors.own_games(player=player, attempts=list(page))],
    }
    return render(request, "ratings/rating/games.html", context)


def _row(game: OwnGame) -> Row:
    change = game.change
    return Row(
        game,
        sentences.place_or_tie(game.verdict),
        None if change is None else change.now - change.was,
    )


def _chips(asked: dict[str, str]) -> list[Chip]:
    """Return links that set a filter, or clear it if it is set, after one that clears all."""
    texts = {
        ("result", "won"): _("Won"),
        ("result", "lost"): _("Lost"),
        ("seats", "2"): _("Two players"),
        ("seats", "3"): _("Three players"),
    }
    chips = [Chip(_("All"), "", chosen=not asked)]
    for (name, value), text in texts.items():
        chosen = asked.get(name) == value
        rest = {key: each for key, each in asked.items() if key != name}
        chips.append(Chip(text, urlencode(rest if chosen else {**rest, name: value}), chosen))
    return chips
