"""Authentication and rate limits of the API.

Callers send a data token (`Authorization: Bearer ...`) or have a browser session. Visitors may read
public data.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from ninja.errors import AuthenticationError
from ninja.security import HttpBearer
from ninja.security.session import SessionAuth

from games.models import Player
from games.people import limits
from games.people.tokens import token_owner
from games.rest.schemas import Error
from games.wire.refusals import Refused


class ByToken(HttpBearer):
    """A token created on the data page."""

    openapi_name = "token"

    def authenticate(self, request: HttpRequest, token: str) -> Player:
        """Return the token's owner.

        Raises:
            AuthenticationError: for an unknown token.
            TooOften: after too many requests, or too many wrong tokens from one address.
        """
        try:
            player = token_owner(token=token)
        except Refused as refusal:
            limits.consume(limits.named("bad_tokens"), limits.address(request))
            raise AuthenticationError(message=refusal.message) from refusal
        limits.consume(limits.named("api"), str(player.pk))
        return player


class BySession(SessionAuth):
    """The browser session, for trying the API in a browser."""

    param_name = settings.SESSION_COOKIE_NAME
    openapi_name = "session"

    def authenticate(self, request: HttpRequest, key: str | None) -> Player | None:
        """Return the logged-in player or guest; None for a visitor.

        Raises:
            TooOften: after too many requests.
        """
        user = request.user
        if not isinstance(user, Player):
            return None
        limits.consume(limits.named("api"), str(user.pk))
        return user


class Visitor:
    """A caller who is not logged in."""


VISITOR = Visitor()


def anybody(request: HttpRequest) -> Visitor:
    """Accept a visitor.

    Raises:
        TooOften: after too many requests from their address.
    """
    limits.consume(limits.named("api_visitors"), limits.address(request))
    return VISITOR


REFUSALS: dict[int, type[Error]] = {400: Error, 401: Error, 429: Error}
"""Errors of every endpoint: for null characters, a wrong token, and too many requests."""

OWN = [ByToken(), BySession()]
"""Authentication for a caller's own data."""

ALL = [*OWN, anybody]
"""Authentication for public data."""


def reader_of(request: HttpRequest) -> Player | None:
    """Return the calling player; None for a visitor."""
    who = getattr(request, "auth", None)
    return who if isinstance(who, Player) else None


def own(request: HttpRequest) -> Player:
    """Return the calling player, at endpoints that visitors cannot use."""
    who = reader_of(request)
    if who is None:
        raise AuthenticationError
    return who
