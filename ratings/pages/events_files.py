"""Files of tournaments: standings as CSV, the date as iCalendar, bracket and cross-table as SVG."""

from __future__ import annotations

import csv
from datetime import timedelta
from io import StringIO

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ratings.events import event_pages
from ratings.events.event_pages import Line
from ratings.models import Event
from ratings.pages import events_pictures
from ratings.pages.calendars import Entry, calendar_file
from ratings.pages.events import load
from ratings.pages.nights import plain_cell

COLUMNS = (
    "place", "player", "matchpoints", "game_points", "games_played", "games_won", "skunks", "byes",
    "spread", "title",
)  # fmt: skip
MEETING = timedelta(hours=2)
"""Length of an event in a calendar, unless it says how long it lasts."""


@never_cache
@require_safe
def standings(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the whole standings as CSV."""
    found, _player = load(request, public_id)
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows(_row(line) for line in event_pages.all_lines(found))
    response = HttpResponse(out.getvalue().encode(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="tournament-{found.public_id}.csv"'
    return response


def _row(line: Line) -> list[str | int | float]:
    total = line.total
    return [
        line.place or "", plain_cell(line.entrant.player.name), round(100 * total.matchpoints, 2),
        total.points, total.played, total.won, total.skunks, total.byes, total.spread,
        int(line.entrant.titled),
    ]  # fmt: skip


@never_cache
@require_safe
def calendar(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the event as an iCalendar file (RFC 5545)."""
    found, _player = load(request, public_id)
    address = request.build_absolute_uri(reverse("ratings:event", args=[public_id]))
    length = timedelta(minutes=found.minutes) if found.format == "arena" else MEETING
    entry = Entry(
        uid=f"{found.public_id}@{request.get_host()}",
        starts_at=found.starts_at,
        ends_at=found.starts_at + length,
        title=found.title,
        address=address,
        note=found.note,
        cancelled=found.state == Event.State.OFF,
    )
    return calendar_file([entry], name=found.public_id, product="Tournaments")


@never_cache
@require_safe
def picture(request: HttpRequest, public_id: str, kind: str) -> HttpResponse:
    """Return the bracket or the cross-table as an SVG file."""
    found, player = load(request, public_id)
    sheet = event_pages.sheet(event=found, viewer=player)
    drawn = (
        events_pictures.bracket(found, sheet.rounds)
        if kind == "bracket"
        else events_pictures.cross_table(found, sheet)
    )
    if drawn is None:
        raise Http404
    context = {kind: drawn, "event": found, "alone": True}
    return render(request, f"ratings/events/_{kind}.svg", context, content_type="image/svg+xml")
