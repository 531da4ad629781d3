"""Page of insights: what a player's decisions cost by situation, as pictures and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.learn import drills, review_jobs
from games.learn.insights import answers
from games.learn.insights.answers import LEAST_PLAYERS, Dimension, Insights, Line
from games.models import Player
from games.pages.charts.rows import dot_row
from games.pages.learn import insight_words as words
from games.pages.learn import review_words
from games.pages.site.visitor import player_of

ROOM = 1.15
"""Length of the axis, as a multiple of the highest cost."""

FEW = 30
"""Decisions below which a cost says little."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line with its name, its picture, and the address that asks for it alone, if any."""

    line: Line
    name: str
    number: str
    chart: SafeString
    query: str
    few: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The lines of one dimension, with its name."""

    key: Dimension
    title: str
    rows: tuple[Row, ...]


@require_safe
@never_cache
@gzip_page
def insights(request: HttpRequest) -> HttpResponse:
    """Show what the reader's decisions cost, with filters from the address."""
    player = player_of(request)
    form = words.InsightForm(request.GET)
    filters = form.filters
    found = None if player is None else answers.insights(player=player, filters=filters)
    context: dict[str, Any] = {
        "form": form,
        "filtered": bool(form.chosen),
        "costliest": review_words.costliest(player),
        "unseen": _unseen(player),
        "least": LEAST_PLAYERS,
    }
    if found is not None:
        tables = _tables(request, found)
        context |= {
            "total": found.total,
            "number": _number(found.total),
            "tables": tables,
            "few": FEW if any(row.few for table in tables for row in table.rows) else 0,
            "field": words.band_words(found.band) if found.band else "",
        }
    return render(request, "games/learn/insights.html", context)


def _unseen(player: Player | None) -> int:
    """Have the player's newest matches reviewed; return how many are not yet."""
    unseen = [] if player is None else drills.without_review(player=player)
    for match in unseen:
        review_jobs.request_review(match)
    return len(unseen)


def _tables(request: HttpRequest, found: Insights) -> list[Table]:
    shown = [line for lines in found.lines.values() for line in lines]
    most = max(max(line.cost, line.field or 0.0) for line in shown)
    span = (0.0, ROOM * most or 1.0)
    return [
        Table(
            dimension,
            str(words.DIMENSIONS[dimension]),
            tuple(_row(request, dimension, line, span) for line in lines),
        )
        for dimension, lines in found.lines.items()
    ]


def _row(request: HttpRequest, dimension: Dimension, line: Line, span: tuple[float, float]) -> Row:
    query = request.GET.copy()
    query[dimension] = line.key
    asked = dimension == "month" or request.GET.get(dimension) == line.key
    return Row(
        line,
        words.name_of(dimension, line.key),
        _number(line),
        dot_row(line.cost, span=span, mark=line.field, zero=0.0),
        "" if asked else query.urlencode(),
        line.decisions < FEW,
    )


def _number(line: Line) -> str:
    text = ngettext("%(n)d decision", "%(n)d decisions", line.decisions)
    return text % {"n": line.decisions}
