"""Pages that somebody may ask for only so often."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from games import limits
from games.accounts import ensure_guest
from games.models import Player


def maker(request: HttpRequest, name: str | None = None) -> Player:
    """Return who makes a match now, as `ensure_guest` does; one player makes only so many.

    Raises:
        ValidationError, TooOften: as `ensure_guest`.
        TooOften: where he has made too many.
    """
    player = ensure_guest(request, name)
    limits.take(limits.named("matches"), str(player.pk))
    return player


def too_often(request: HttpRequest, refusal: limits.TooOften) -> HttpResponse:
    """Say that something was done too often, and when it may be done again."""
    response = render(request, "429.html", {"reason": refusal.message}, status=429)
    response["Retry-After"] = str(refusal.wait)
    return response


class TooOftenPage:
    """Middleware that answers `TooOften`, wherever it was raised, with a page that says so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Hand the request on."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer for a view that refused."""
        return too_often(request, error) if isinstance(error, limits.TooOften) else None
