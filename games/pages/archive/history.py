"""Page of a player's own matches: running ones, and finished ones with filters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.archive import matches, selectors
from games.engine.state import Ruleset
from games.log.player_stats import COUNTED
from games.models import Match, Seat
from games.pages.archive.filter_form import HistoryForm
from games.pages.charts.rows import margin_bar
from games.pages.chips import Chip
from games.pages.site.visitor import player_of
from games.pages.tables.running import names_of, running_lines

PLACES = ("before", "after")
"""Query parameters for the position in the list; they are dropped when a filter changes."""
MORE = ("result", "against", "kind", "seats", "skunk", "since", "until", "standard")
"""Filter fields in the collapsible part of the form."""


@dataclass(frozen=True, slots=True)
class Row:
    """One match in a list.

    Attributes:
        line: the seats.
        names: the other players, as one string.
        result: "won", "lost" or "drawn".
        said: the result in words.
        score: the scores, the player's first; match points if there are several games.
        tags: other properties, one word each.
        bar: the player's margin as a bar; "" if there is none.
    """

    line: matches.PlayedLine
    names: str
    result: str
    said: str
    score: str
    tags: tuple[str, ...]
    bar: SafeString


@require_safe
@gzip_page
def my_matches(request: HttpRequest) -> HttpResponse:
    """Show the player's matches: running ones, then finished ones, newest first."""
    player = player_of(request)
    if player is None:
        return render(request, "games/archive/matches.html", {"player": None})
    form = HistoryForm(request.GET)
    valid = form.is_valid()
    filters = form.filters()
    rows = matches.played(player, filters)
    found = matches.page(
        rows, before=form.cleaned_data.get("before"), after=form.cleaned_data.get("after")
    )
    filtered = filters != matches.Filters()
    first = found.newer is None
    shown = [row_of(line, own=True) for line in found.lines]
    counted = filters.kind is None
    context = {
        "player": player,
        "form": form,
        "filtered": filtered,
        "set": sum(bool(form.cleaned_data.get(name)) for name in MORE),
        "opponent": filters.opponent,
        "chips": chips(request.GET, filters),
        # The record, as on the player's page; of a kind that doesn't count, what was asked for.
        "totals": matches.totals_of(player, replace(filters, counted=counted), rows=rows),
        "rows": shown,
        "uncounted": counted and any(row.line.seat.kind not in COUNTED for row in shown),
        "older": _query(request.GET, before=found.older),
        "newer": _query(request.GET, after=found.newer),
        "newest": _query(request.GET),
        "has_older": found.older is not None,
        "has_newer": not first,
        "running": running_lines(selectors.unfinished(player=player))
        if first and not filtered
        else [],
    }
    return render(request, "games/archive/matches.html", context, status=200 if valid else 422)


def row_of(line: matches.PlayedLine, *, own: bool) -> Row:
    """Return a match as a row of the reader's ``own`` list, or of another player's page."""
    seat, match = line.seat, line.seat.match
    result = "drawn" if seat.won is None else "won" if seat.won else "lost"
    return Row(
        line=line,
        names=names_of(line.others) or _("no one"),
        result=result,
        said={"won": _("Won"), "lost": _("Lost"), "drawn": _("Drawn")}[result],
        score=_score(line),
        tags=tuple(_tags(line, match, own=own)),
        bar=SafeString("") if seat.margin is None else margin_bar(seat.margin),
    )


def chips(asked: QueryDict, filters: matches.Filters) -> list[Chip]:
    """Return the links to common time spans."""
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
    seats = (line.seat, *line.others)
    points = [row.match_points if several else row.score for row in seats]
    return " : ".join("–" if each is None else str(each) for each in points)


def _tags(line: matches.PlayedLine, match: Match, *, own: bool) -> list[str]:
    seat, rules = line.seat, Ruleset.from_dict(match.ruleset)
    found = [_("new")] if own and line.is_news else []
    if seat.kind == Seat.Kind.RANKED and line.standard is not None:
        found.append(line.standard.kind)
    elif seat.kind is not None and seat.kind != Seat.Kind.CASUAL:
        found.append(str(Seat.Kind(seat.kind).label))
    if seat.skunks:
        found.append(_("skunk given"))
    if seat.skunked:
        found.append(_("skunk taken"))
    if match.ended_by == Match.EndedBy.RESIGNED:
        found.append(_("win claimed") if line.claimed else _("resigned"))
    if match.ended_by == Match.EndedBy.ABANDONED:
        found.append(_("abandoned"))
    if rules.games > 1:
        found.append(_("%(n)d games") % {"n": rules.games})
    if rules.target != 121:
        found.append(_("to %(n)d") % {"n": rules.target})
    return found


def _query(asked: QueryDict, **changes: object) -> str:
    """Return the query string with some parameters changed and the position dropped."""
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
