"""Who asks the API, and how often he may.

By a data token (`Authorization: Bearer ...`), else by the browser's own session. What everybody
may read is also told to visitors.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from ninja.errors import AuthenticationError
from ninja.security import HttpBearer
from ninja.security.session import SessionAuth

from games import limits
from games.models import Player
from games.refusals import Refused
from games.services.data_tokens import reader


class ByToken(HttpBearer):
    """A token of the data page."""

    openapi_name = "token"

    def authenticate(self, request: HttpRequest, token: str) -> Player:
        """Return whose token it is.

        Raises:
            AuthenticationError: a token that reads nothing.
            TooOften: after too many questions, or too many wrong tokens from one address.
        """
        try:
            player = reader(token=token)
        except Refused as refusal:
            limits.take(limits.named("bad_tokens"), limits.address(request))
            raise AuthenticationError(message=refusal.message) from refusal
        limits.take(limits.named("api"), str(player.pk))
        return player


class BySession(SessionAuth):
    """The session of the browser, for a look at the answers."""

    param_name = settings.SESSION_COOKIE_NAME
    openapi_name = "session"

    def authenticate(self, request: HttpRequest, key: str | None) -> Player | None:
        """Return who is logged in, guests too; None for a visitor.

        Raises:
            TooOften: after too many questions.
        """
        user = request.user
        if not isinstance(user, Player):
            return None
        limits.take(limits.named("api"), str(user.pk))
        return user


class Visitor:
    """Somebody who is not logged in."""


VISITOR = Visitor()


def anybody(request: HttpRequest) -> Visitor:
    """Let a visitor in.

    Raises:
        TooOften: after too many questions from his address.
    """
    limits.take(limits.named("api_visitors"), limits.address(request))
    return VISITOR


OWN = [ByToken(), BySession()]
"""Who reads his own data."""

ALL = [*OWN, anybody]
"""Who reads what everybody may."""


def reader_of(request: HttpRequest) -> Player | None:
    """Return who asks, None for a visitor."""
    who = getattr(request, "auth", None)
    return who if isinstance(who, Player) else None


def own(request: HttpRequest) -> Player:
    """Return who asks, where visitors are not let in."""
    who = reader_of(request)
    if who is None:
        raise AuthenticationError
    return who
