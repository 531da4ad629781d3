"""Pages of team leagues: planning one, its page with the live part, teams and their buttons."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.api import Player, Refused, player_of
from ratings.events import team_matches
from ratings.models import LeagueTeam, TeamLeague
from ratings.pages import events_words
from ratings.pages.device import note_device
from ratings.pages.forms import usual_start
from ratings.pages.nights import plain_cell
from ratings.pages.team_leagues_forms import TeamLeagueForm, TeamNameForm
from ratings.team_leagues import leagues, matches, sheets
from ratings.team_leagues.scoring import ORDER, TieBreak

INVITED = "team-league-{}"
"""The key of the session under which an opened invitation link is kept."""

ORDER_IN_WORDS = {
    TieBreak.POINTS: gettext_lazy("league points: 2 for a win, 1 for a draw"),
    TieBreak.WON: gettext_lazy("matches won"),
    TieBreak.SPREAD: gettext_lazy("spread: winning margins minus losing margins"),
    TieBreak.DIRECT: gettext_lazy("league points against teams still level"),
}
COLUMNS = ("place", "team", "played", "won", "drawn", "lost", "league_points", "spread")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Show the form of a new league, or plan it."""
    player = player_of(request)
    initial = {"starts": usual_start(), "listed": True}
    form = TeamLeagueForm(request.POST or None, initial=initial)
    if request.method == "POST" and player is not None and form.is_valid():
        try:
            found = leagues.plan(by=player, plan=form.plan())
        except Refused as refusal:
            messages.error(request, refusal.message)
        else:
            return redirect("ratings:team_league", found.public_id)
    return render(request, "ratings/team_leagues/new.html", {"form": form, "player": player})


@never_cache
@require_safe
def league(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a league: table, rounds, rules, and what the reader can do."""
    found, player = load(request, public_id)
    token = request.session.get(INVITED.format(public_id), "")
    context = _live_context(found, player)
    sheet = context["sheet"]
    invited = found.listed or token == found.token or _runs(found, player)
    return render(
        request,
        "ratings/team_leagues/league.html",
        context
        | {
            "may_enter": found.is_planned and sheet.own is None and invited,
            "form": TeamNameForm(),
            "organiser": _runs(found, player),
            "time": events_words.time_in_words(team_matches.NO_SHOW),
            "order": [str(ORDER_IN_WORDS[each]) for each in ORDER],
            "link": _address(request, "ratings:team_league_link", found.token),
            "team_link": _address(request, "ratings:team_join", sheet.own.team.token)
            if sheet.own
            else "",
            "members": leagues.MAX_PLAYERS,
        },
    )


def _runs(found: TeamLeague, player: Player | None) -> bool:
    return player is not None and found.made_by_id == player.pk


def _address(request: HttpRequest, name: str, token: str) -> str:
    return request.build_absolute_uri(reverse(name, args=[token]))


@never_cache
@require_safe
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Open a league by its invitation link, which lets its reader enter a team."""
    found = TeamLeague.objects.filter(token=token).first()
    if found is None:
        raise Http404
    request.session[INVITED.format(found.public_id)] = token
    return redirect("ratings:team_league", found.public_id)


@require_safe
@cache_control(private=True, no_cache=True)
def live(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Return the part of the page that changes; 304 if nothing has."""
    found, player = load(request, public_id)
    tag = quote_etag(f"{sheets.version_tag(league=found, viewer=player)}-{get_language()}")
    unchanged = get_conditional_response(request, etag=tag)
    if unchanged is not None:
        return unchanged
    response = render(request, "ratings/team_leagues/_live.html", _live_context(found, player))
    response["ETag"] = tag
    return response


def _live_context(found: TeamLeague, player: Player | None) -> dict[str, Any]:
    sheet = sheets.sheet(league=found, viewer=player)
    return {"league": found, "player": player, "sheet": sheet, "organiser": _runs(found, player)}


@never_cache
@require_safe
def table_csv(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a league's table as CSV."""
    found, _player = load(request, public_id)
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for line in sheets.sheet(league=found, viewer=None).lines:
        total = line.total
        writer.writerow(
            [total.place, plain_cell(line.team.name), total.played, total.won, total.drawn,
             total.lost, total.points, round(total.spread, 1)]
        )  # fmt: skip
    response = HttpResponse(out.getvalue().encode(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="team-league-{public_id}.csv"'
    return response


@require_POST
def enter(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter a team with the reader as its first player."""
    found, player = load(request, public_id)
    form = TeamNameForm(request.POST)
    back: HttpResponse = redirect("ratings:team_league", public_id)
    if player is None:
        return back
    if not form.is_valid():
        messages.error(request, _("Give your team a name of 2 to 30 characters."))
        return back
    token = request.session.get(INVITED.format(public_id), "")
    try:
        back = note_device(request, player, back)
        name = " ".join(form.cleaned_data["name"].split())
        leagues.enter_team(league=found, by=player, name=name, token=token)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return back


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team(request: HttpRequest, token: str) -> HttpResponse:
    """Show who invites the reader to a team, or join it."""
    found = LeagueTeam.objects.select_related("league").filter(token=token).first()
    if found is None:
        raise Http404
    player = player_of(request)
    if request.method == "POST" and player is not None:
        back: HttpResponse = redirect("ratings:team_league", found.league.public_id)
        try:
            back = note_device(request, player, back)
            leagues.join(team=found, player=player)
        except Refused as refusal:
            messages.error(request, refusal.message)
        return back
    rows = found.players.select_related("player").order_by("pk")
    context = {"team": found, "league": found.league, "rows": list(rows), "player": player}
    return render(request, "ratings/team_leagues/team.html", context)


@require_POST
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    """Leave one's team."""
    found, player = load(request, public_id)
    if player is not None:
        try:
            leagues.leave(league=found, player=player)
        except Refused as refusal:
            messages.error(request, refusal.message)
        else:
            messages.success(request, _("You've left the team."))
    return redirect("ratings:team_league", public_id)


@require_POST
def ready(request: HttpRequest, public_id: str, fixture: int) -> HttpResponse:
    """Note that the reader is ready to play, and go to the match."""
    found, player = load(request, public_id)
    back: HttpResponse = redirect("ratings:team_league", public_id)
    if player is not None:
        try:
            back = note_device(request, player, back)
            row = matches.get_ready(league=found, player=player, fixture=fixture)
        except Refused as refusal:
            messages.error(request, refusal.message)
        else:
            if row.event is not None:
                back["Location"] = reverse("ratings:event", args=[row.event.public_id])
    return back


def load(request: HttpRequest, public_id: str) -> tuple[TeamLeague, Player | None]:
    """Return a league, and the reader."""
    found = sheets.league_of(public_id)
    if found is None:
        raise Http404
    return found, player_of(request)
