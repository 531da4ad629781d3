"""A player's own matches: those under way, and all that have been played, filtered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games import selectors
from games.engine.state import Ruleset
from games.forms_history import HistoryForm
from games.history import matches
from games.models import Match, Seat
from games.views.running import names_of, running_lines
from games.views.visitor import player_of

PLACES = ("before", "after")
"""Parameters that say where a page begins: they go when a filter changes."""
MORE = ("result", "against", "kind", "seats", "skunk", "since", "until", "standard")
"""The fields that are folded away."""


@dataclass(frozen=True, slots=True)
class Row:
    """One match in a list.

    Attributes:
        line: the seats.
        names: the others, as one text.
        result: "won", "lost" or "drawn".
        said: the same for the reader.
        score: own score first; match points where there are several games.
        tags: what else is to be said of it, in a word each.
    """

    line: matches.PlayedLine
    names: str
    result: str
    said: str
    score: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chip:
    """A link that filters: its text, the query of the address, whether it is chosen now."""

    text: str
    query: str
    chosen: bool


@require_GET
def my_matches(request: HttpRequest) -> HttpResponse:
    """Show the player's matches: those under way, then what has been played, newest first."""
    player = player_of(request)
    if player is None:
        return render(request, "games/matches.html", {"player": None})
    form = HistoryForm(request.GET)
    valid = form.is_valid()
    filters = form.filters()
    rows = matches.played(player, filters)
    found = matches.page(
        rows, before=form.cleaned_data.get("before"), after=form.cleaned_data.get("after")
    )
    filtered = filters != matches.Filters()
    first = found.newer is None
    context = {
        "player": player,
        "form": form,
        "filtered": filtered,
        "set": sum(bool(form.cleaned_data.get(name)) for name in MORE),
        "opponent": filters.opponent,
        "chips": chips(request.GET, filters),
        "totals": matches.totals_of(player, filters),
        "rows": [row_of(line) for line in found.lines],
        "older": _query(request.GET, before=found.older),
        "newer": _query(request.GET, after=found.newer),
        "newest": _query(request.GET),
        "has_older": found.older is not None,
        "has_newer": not first,
        "running": running_lines(selectors.unfinished(player=player))
        if first and not filtered
        else [],
    }
    return render(request, "games/matches.html", context, status=200 if valid else 422)


def row_of(line: matches.PlayedLine) -> Row:
    """Return a line as it is shown."""
    seat, match = line.seat, line.seat.match
    result = "drawn" if seat.won is None else "won" if seat.won else "lost"
    return Row(
        line=line,
        names=names_of(line.others) or _("nobody"),
        result=result,
        said={"won": _("Won"), "lost": _("Lost"), "drawn": _("Drawn")}[result],
        score=_score(line),
        tags=tuple(_tags(seat, match)),
    )


def chips(asked: QueryDict, filters: matches.Filters) -> list[Chip]:
    """Return the links to the days that are asked for most."""
    today = timezone.localdate()
    spans: list[tuple[str, date | None]] = [
        (_("All"), None),
        (_("Today"), today),
        (_("7 days"), today - timedelta(days=6)),
        (_("30 days"), today - timedelta(days=29)),
    ]
    return [
        Chip(
            text=text,
            query=_query(asked, since=since, until=None),
            chosen=(filters.since, filters.until) == (since, None),
        )
        for text, since in spans
    ]


def _score(line: matches.PlayedLine) -> str:
    several = line.seat.match.ruleset.get("games", 1) > 1
    everybody = (line.seat, *line.others)
    points = [row.match_points if several else row.score for row in everybody]
    return " : ".join("–" if each is None else str(each) for each in points)


def _tags(seat: Seat, match: Match) -> list[str]:
    rules = Ruleset.from_dict(match.ruleset)
    found = []
    if seat.kind is not None and seat.kind != Seat.Kind.CASUAL:
        found.append(str(Seat.Kind(seat.kind).label))
    if seat.skunks:
        found.append(_("skunk given"))
    if seat.skunked:
        found.append(_("skunk taken"))
    if match.ended_by == Match.EndedBy.RESIGNED:
        found.append(_("resigned"))
    if match.ended_by == Match.EndedBy.ABANDONED:
        found.append(_("broken off"))
    if rules.games > 1:
        found.append(_("%(n)d games") % {"n": rules.games})
    if rules.target != 121:
        found.append(_("to %(n)d") % {"n": rules.target})
    return found


def _query(asked: QueryDict, **changes: object) -> str:
    """Return the query of the address with some parameters changed, and no place but a new one."""
    query = asked.copy()
    for name in PLACES:
        query.pop(name, None)
    for name, value in changes.items():
        query.pop(name, None)
        if value is not None:
            query[name] = str(value)
    for name in [name for name, value in query.items() if not value]:
        del query[name]
    return query.urlencode()
