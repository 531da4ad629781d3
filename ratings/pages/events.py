"""Pages of tournaments: list, planning, the event with its live part, players' buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.api import Player, Refused, match_creator, player_of, show_errors
from ratings.clubs import club_pages
from ratings.events import arena, entry, event_lists, event_pages, events, own_seats, team_matches
from ratings.events.leaving import has_more_games
from ratings.events.night_first import own_stage
from ratings.models import Club, Event
from ratings.pages import events_snapshot, events_words
from ratings.pages.device import note_device
from ratings.pages.events_forms import EventForm, TeamForm
from ratings.pages.forms import usual_start
from ratings.team_leagues import sheets

INVITED = "event-{}"
"""The key of the session under which an opened invitation link is kept."""


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the tournaments to come, under way and over."""
    player = player_of(request)
    context = {
        "player": player,
        "running": event_lists.running(player=player),
        "coming": event_lists.coming(player=player),
        "over": event_lists.over(player=player),
        "leagues": sheets.coming(player=player),
        "old_leagues": sheets.over(player=player),
        "team_form": TeamForm(),
    }
    return render(request, "ratings/events/events.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Show the form of a new tournament, or plan it."""
    player = player_of(request)
    clubs = _own_clubs(player)
    form = EventForm(request.POST or None, clubs=clubs, initial={"starts": usual_start()})
    if request.method == "POST" and player is not None and form.is_valid():
        try:
            event = events.plan(by=player, plan=form.plan())
        except Refused as refusal:
            messages.error(request, refusal.message)
        else:
            return redirect("ratings:event", event.public_id)
    choices = [
        (radio, events_words.FORMATS[radio.data["value"]]) for radio in form["format"].subwidgets
    ]
    context = {"form": form, "formats": choices, "player": player}
    return render(request, "ratings/events/events_new.html", context)


@require_POST
def new_teams(request: HttpRequest) -> HttpResponse:
    """Create a match between two teams."""
    player, form = player_of(request), TeamForm(request.POST)
    if player is None or not form.is_valid():
        return redirect("ratings:events")
    try:
        event = team_matches.plan(by=player, **form.cleaned_data)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("ratings:events")
    return redirect("ratings:event", event.public_id)


def _own_clubs(player: Player | None) -> list[Club]:
    """Return the clubs of which a player is an officer."""
    if player is None:
        return []
    rows = club_pages.clubs_of(player=player)
    return [row.club for row in rows if entry.is_officer(row.club, player)]


@never_cache
@require_safe
def event(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a tournament: standings, tables, bracket, rules, and what the reader can do."""
    found, player = load(request, public_id)
    token = request.session.get(INVITED.format(public_id), "")
    shown = events_snapshot.live_context(found, player)
    own = shown["sheet"].own
    context = shown | {
        "may_leave": found.is_planned or (own is not None and has_more_games(found, own)),
        "may_join": entry.may_join(event=found, player=player, token=token),
        "names": player is None or player.is_guest,
        "organiser": entry.is_organiser(found, player),
        "how": events_words.how(found),
        "rules": events_words.rules_in_words(found),
        "order": events_words.order_in_words(found),
        "link": request.build_absolute_uri(reverse("ratings:event_link", args=[found.token])),
    }
    return render(request, "ratings/events/events_event.html", context)


@never_cache
@require_safe
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Open an event by its invitation link, which lets its reader sign up."""
    found = Event.objects.filter(token=token).first()
    if found is None:
        raise Http404
    request.session[INVITED.format(found.public_id)] = token
    return redirect("ratings:event", found.public_id)


@require_safe
@cache_control(private=True, no_cache=True)
def live(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Return the part of the page that changes; 304 if nothing has."""
    return live_part(request, public_id, "ratings/events/_event_live.html")


@require_safe
@cache_control(private=True, no_cache=True)
def wall_live(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Return the part of the big screen that changes; 304 if nothing has."""
    return live_part(request, public_id, "ratings/events/_wall_live.html")


@never_cache
@require_safe
def wall(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a tournament on a wall: standings and tables in large type."""
    found, player = load(request, public_id)
    return render(
        request, "ratings/events/events_wall.html", events_snapshot.live_context(found, player)
    )


Context = Callable[[Event, Player | None], dict[str, Any]]


def live_part(
    request: HttpRequest,
    public_id: str,
    template: str,
    *,
    version: Callable[[Event], int] = events_snapshot.version_shown,
    context: Context = events_snapshot.live_context,
) -> HttpResponseBase:
    """Return a part of a page about an event; 304 if nothing has changed for this reader.

    Args:
        request: the request.
        public_id: the event.
        template: the part.
        version: returns which version of the event the reader would be shown.
        context: returns the context, with the version that it shows.
    """
    found, player = load(request, public_id)
    reader = player.pk if player is not None else 0

    left = arena.minutes_left(found)
    elsewhere, night, gone = own_stage(found, player) if player else ("", "", False)

    def tag(number: int) -> str:
        stage = f"{found.state}-{found.checks_in:d}-{left}-{elsewhere}-{night}-{gone:d}"
        return quote_etag(f"{number}-{stage}-{reader}-{get_language()}")

    unchanged = get_conditional_response(request, etag=tag(version(found)))
    if unchanged is not None:
        return unchanged
    values = context(found, player)
    response = render(request, template, values)
    response["ETag"] = tag(values["version"])
    return response


@require_POST
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    """Sign up: with an account, as a guest, or as a visitor under the name given."""
    found, _player = load(request, public_id)
    back: HttpResponse = redirect("ratings:event", public_id)
    token = request.session.get(INVITED.format(public_id), "")
    team = request.POST.get("team")
    try:
        player = match_creator(request, request.POST.get("name", "").strip() or None)
        back = note_device(request, player, back)
        events.join(
            event=found,
            player=player,
            token=token,
            team=int(team) if team in {"0", "1"} else None,
        )
    except ValidationError as error:
        show_errors(request, error)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return back


@require_POST
def check_in(request: HttpRequest, public_id: str) -> HttpResponse:
    """Record that a player is there."""
    return _act(request, public_id, events.check_in, _("You're checked in."))


@require_POST
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    """Withdraw from the event; a page from before the last game may still offer it."""
    plays = own_seats.own_table(*load(request, public_id))
    text = _("You'll leave after this game.") if plays else _("You've withdrawn.")
    return _act(request, public_id, events.leave, text)


def _act(
    request: HttpRequest, public_id: str, service: Callable[..., bool | None], text: str
) -> HttpResponse:
    found, player = load(request, public_id)
    if player is not None:
        try:
            done = service(event=found, player=player)
        except Refused as refusal:
            messages.error(request, refusal.message)
        else:
            if done is not False:
                messages.success(request, text)
    return redirect("ratings:event", public_id)


def load(request: HttpRequest, public_id: str) -> tuple[Event, Player | None]:
    """Return an event that the reader may see, and the reader."""
    player = player_of(request)
    found = event_pages.event_of(public_id=public_id, player=player)
    if found is None:
        raise Http404
    return found, player
