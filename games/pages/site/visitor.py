"""The player who makes a request."""

from __future__ import annotations

from django.http import HttpRequest

from games.models import Player


def player_of(request: HttpRequest) -> Player | None:
    """Return the logged-in person or guest, or None for a visitor without a session."""
    user = request.user
    return user if isinstance(user, Player) else None
