"""Who is asking."""

from __future__ import annotations

from django.http import HttpRequest

from games.models import Player


def player_of(request: HttpRequest) -> Player | None:
    """Return the person or guest at this browser, or None for a visitor without a session."""
    user = request.user
    return user if isinstance(user, Player) else None
