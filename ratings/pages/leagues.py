"""Pages of club leagues: the form that starts one, its standings, and its CSV."""

from __future__ import annotations

import csv
from io import StringIO

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.api import Refused
from ratings.clubs import league_pages, leagues
from ratings.models import ClubLeague, Membership
from ratings.pages.clubs import membership_or_404, render_club
from ratings.pages.forms import LeagueForm
from ratings.pages.nights import plain_cell


@require_POST
def start(request: HttpRequest, public_id: str) -> HttpResponse:
    """Start a league and redirect to its page."""
    mine = membership_or_404(request, public_id)
    form = LeagueForm(request.POST, auto_id="league_%s")
    if not form.is_valid():
        return render_club(request, mine, league=form, status=422)
    try:
        league = leagues.start(club=mine.club, by=mine.player, **form.cleaned_data)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("ratings:club", public_id)
    return redirect("ratings:league", public_id, league.public_id)


@never_cache
@require_safe
def league(request: HttpRequest, public_id: str, league_id: str) -> HttpResponse:
    """Show a league to the club's members; 404 for others."""
    mine, found = _load(request, public_id, league_id)
    context = {
        "club": mine.club,
        "mine": mine,
        "league": found,
        "sheet": league_pages.sheet(league=found),
    }
    return render(request, "ratings/clubs/clubs_league.html", context)


@never_cache
@require_safe
def standings_csv(request: HttpRequest, public_id: str, league_id: str) -> HttpResponse:
    """Return a league's standings as CSV, with a column for each night that is over."""
    _mine, found = _load(request, public_id, league_id)
    sheet = league_pages.sheet(league=found)
    out = StringIO()
    writer = csv.writer(out)
    days = [night.starts_at.date().isoformat() for night in sheet.over]
    columns = ["place", "player", "game_points", "nights", "games_won", "spread"]
    writer.writerow([*columns, *(f"night_{number}_{day}" for number, day in enumerate(days, 1))])
    for line in sheet.lines:
        total = line.total
        cells = ["" if cell is None else cell.points for cell in line.cells]
        writer.writerow(
            [total.place, plain_cell(line.player.name), total.points, total.nights, total.won,
             total.spread, *cells]
        )  # fmt: skip
    response = HttpResponse(out.getvalue().encode(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="league-{found.public_id}.csv"'
    return response


@require_POST
def end(request: HttpRequest, public_id: str, league_id: str) -> HttpResponse:
    """End a league now; one without a night is deleted."""
    mine, found = _load(request, public_id, league_id)
    try:
        leagues.end(league=found, by=mine.player)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("League ended."))
    if league_pages.league_of(club=mine.club, public_id=league_id) is None:
        return redirect("ratings:club", public_id)
    return redirect("ratings:league", public_id, league_id)


def _load(request: HttpRequest, public_id: str, league_id: str) -> tuple[Membership, ClubLeague]:
    mine = membership_or_404(request, public_id)
    found = league_pages.league_of(club=mine.club, public_id=league_id)
    if found is None:
        raise Http404
    return mine, found
