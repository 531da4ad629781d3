"""Device cookie: links the accounts that play ranked games in one browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from games.api import Player, invite_token
from ratings.matchmaking import linked_accounts

COOKIE = "device"
KEPT_S = 400 * 24 * 3600
"""Lifetime of the cookie in seconds, the longest that browsers allow."""
LONGEST = 16

Response = TypeVar("Response", bound=HttpResponseBase)


def accounts_of_reader(player: int | None, cookies: Mapping[str, str]) -> set[int]:
    """Return the keys of the accounts of whoever sends these cookies."""
    return linked_accounts.accounts_of(player=player, token=cookies.get(COOKIE, "")[:LONGEST])


def note_device(request: HttpRequest, player: Player, response: Response) -> Response:
    """Record that a player uses this browser, and renew its cookie."""
    token = request.COOKIES.get(COOKIE, "")
    if not (0 < len(token) <= LONGEST and token.isascii()):
        token = invite_token()
    linked_accounts.record_device(player=player, token=token)
    response.set_cookie(
        COOKIE,
        token,
        max_age=KEPT_S,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response
