"""Rate limits for views."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from games.models import Player
from games.people import limits
from games.people.accounts import ensure_guest


def match_creator(request: HttpRequest, name: str | None = None) -> Player:
    """Return the player of the request, as `ensure_guest` does, and count a match as created.

    Raises:
        ValidationError, TooOften: as `ensure_guest`.
        TooOften: if the player has created too many matches.
    """
    player = ensure_guest(request, name)
    limits.consume(limits.named("matches"), str(player.pk))
    return player


def too_often(request: HttpRequest, refusal: limits.TooOften) -> HttpResponse:
    """Return the error page for an exceeded rate limit, with the time to wait."""
    response = render(request, "429.html", {"reason": refusal.message}, status=429)
    response["Retry-After"] = str(refusal.wait)
    return response


class TooOftenPage:
    """Middleware that turns `TooOften` from any view into an error page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the error page if the view raised `TooOften`."""
        return too_often(request, error) if isinstance(error, limits.TooOften) else None
