"""The organiser's board of a tournament: made for one thumb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from games.api import Player, Refused
from ratings.events import arena, corrections, entry, event_pages, events
from ratings.models import Event
from ratings.pages.events import live_part, load
from ratings.pages.events_forms import CorrectionForm
from ratings.team_leagues import sheets

FILLS = (1, 2, 4, 8)
"""Numbers of computers that the board offers to add."""


@never_cache
@require_safe
def board(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the board to the organiser."""
    found, player = _organised(request, public_id)
    return render(request, "ratings/events/events_board.html", _context(found, player))


@require_safe
@cache_control(private=True, no_cache=True)
def live(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Return the part of the board that changes; 304 if nothing has."""
    _organised(request, public_id)
    return live_part(
        request,
        public_id,
        "ratings/events/_board_live.html",
        version=lambda found: found.version,
        context=_context,
    )


def _context(found: Event, player: Player | None) -> dict[str, Any]:
    """Return what the board shows, never from a snapshot: the organiser sees what they did."""
    sheet = event_pages.sheet(event=found, viewer=player)
    return {
        "event": found,
        "player": player,
        "sheet": sheet,
        "fixture": sheets.fixture_of(found),
        "version": found.version,
        "minutes_left": arena.minutes_left(found),
    }


@require_POST
def begin(request: HttpRequest, public_id: str) -> HttpResponse:
    """Begin now."""
    return _act(request, public_id, lambda found, by: events.begin(event=found, by=by))


@require_POST
def pause(request: HttpRequest, public_id: str, paused: bool) -> HttpResponse:
    """Pause, or go on."""
    return _act(
        request, public_id, lambda found, by: events.pause(event=found, by=by, paused=paused)
    )


@require_POST
def end(request: HttpRequest, public_id: str) -> HttpResponse:
    """End the event after the running games, or call it off."""
    return _act(request, public_id, lambda found, by: events.end(event=found, by=by))


@require_POST
def fill(request: HttpRequest, public_id: str) -> HttpResponse:
    """Add computers."""
    given = request.POST.get("number", "")
    number = int(given) if given in {str(each) for each in FILLS} else 1
    return _act(
        request, public_id, lambda found, by: events.fill(event=found, by=by, number=number)
    )


@require_POST
def mark(request: HttpRequest, public_id: str, number: int, absent: bool) -> HttpResponse:
    """Mark a player as absent or as there."""
    return _act(
        request,
        public_id,
        lambda found, by: events.mark(event=found, by=by, number=number, absent=absent),
    )


@require_POST
def correct(request: HttpRequest, public_id: str, game: int) -> HttpResponse:
    """Correct the result of a game."""
    form = CorrectionForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Enter both scores and the reason."))
        return redirect("ratings:event_board", public_id)

    def service(found: Event, by: Player) -> None:
        corrections.correct(
            event=found,
            by=by,
            game=game,
            scores=form.scores(),
            reason=form.cleaned_data["reason"],
        )
        messages.success(request, _("Result corrected."))

    return _act(request, public_id, service)


def _act(
    request: HttpRequest, public_id: str, service: Callable[[Event, Player], None]
) -> HttpResponse:
    found, player = _organised(request, public_id)
    try:
        service(found, player)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect("ratings:event_board", public_id)


def _organised(request: HttpRequest, public_id: str) -> tuple[Event, Player]:
    found, player = load(request, public_id)
    if player is None or not entry.is_organiser(found, player):
        raise PermissionDenied
    return found, player
