"""The browser as a device: two accounts that play ranked in one are taken for one person's."""

from __future__ import annotations

from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from games.api import Player, invite_token
from ratings.services import linking

COOKIE = "device"
KEPT_S = 400 * 24 * 3600
"""Seconds: browsers keep no cookie longer."""
LONGEST = 16

Response = TypeVar("Response", bound=HttpResponseBase)


def note_device(request: HttpRequest, player: Player, response: Response) -> Response:
    """Note that a player is at this browser, and let the browser be known again."""
    token = request.COOKIES.get(COOKIE, "")
    if not (0 < len(token) <= LONGEST and token.isascii()):
        token = invite_token()
    linking.seen_at(player=player, token=token)
    response.set_cookie(
        COOKIE,
        token,
        max_age=KEPT_S,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response
