"""Page of site records: highest hands, streaks, today's matches, live tables."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.archive import records as found
from games.models import Match, Seat


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A public match: its players as one string, and the score once it is over."""

    match: Match
    names: str
    score: str


@require_safe
def records(request: HttpRequest) -> HttpResponse:
    """Show the public records of the site."""
    context = {
        "hands": found.highest_hands(),
        "streaks": found.longest_streaks(),
        "today": [_row(match) for match in found.todays_matches()],
        "live": [_row(match) for match in found.live_tables()],
    }
    return render(request, "games/archive/records.html", context)


def _row(match: Match) -> MatchRow:
    seats = sorted(match.seats.all(), key=lambda row: row.won is not True)
    several = match.ruleset.get("games", 1) > 1
    points = [row.match_points if several else row.score for row in seats]
    over = match.status == Match.Status.FINISHED
    score = " : ".join("–" if each is None else str(each) for each in points)
    return MatchRow(match, _names(seats), score if over else "")


def _names(seats: list[Seat]) -> str:
    """Return the names of all players as one string."""
    names = [seat.shown_name for seat in seats if seat.shown_name]
    if len(names) < 2:
        return "".join(names)
    return _("%(some)s and %(last)s") % {"some": ", ".join(names[:-1]), "last": names[-1]}
