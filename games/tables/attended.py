"""Open tables whose creators are there; the others leave the lobby until they come back.

Each process regularly stores which of its players are at their own open table or in the lobby. It
is in the database, not in the cache, so that an outage of Redis does not empty the lobby.
"""

from __future__ import annotations

from collections.abc import Collection

from django.utils import timezone

from games.models import Match


def attend(*, players: Collection[int]) -> int:
    """Store that these players (primary keys) are at their open tables; return their number."""
    return Match.objects.filter(
        created_by__in=players, status=Match.Status.WAITING, listed=True
    ).update(attended_at=timezone.now())
