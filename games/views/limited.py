"""Pages that somebody may ask for only so often."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games import limits
from games.accounts import ensure_guest
from games.models import Player
from games.views.visitor import player_of


def too_often(request: HttpRequest, refusal: limits.TooOften) -> HttpResponse:
    """Say that something was done too often, and when it may be done again."""
    response = render(request, "429.html", {"reason": refusal.message}, status=429)
    response["Retry-After"] = str(refusal.wait)
    return response


def seated(request: HttpRequest, name: str | None = None) -> Player:
    """Return who is at this browser, as `ensure_guest`; one address becomes only so many guests.

    Raises:
        ValidationError: for a name that nobody may have.
        TooOften: where too many guests came from there.
    """
    if player_of(request) is None:
        limits.take(limits.named("guests"), limits.address(request))
    return ensure_guest(request, name)


def maker(request: HttpRequest, name: str | None = None) -> Player:
    """Return who makes a match now, as `seated`; one player makes only so many.

    Raises:
        ValidationError, TooOften: as `seated`.
    """
    player = seated(request, name)
    limits.take(limits.named("matches"), str(player.pk))
    return player
