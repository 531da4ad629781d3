"""Moves that computers made for people who were away."""

from __future__ import annotations

from typing import Any

from games.log import store
from games.models import Review, Seat


def moves_of_substitutes(*, match: int) -> dict[int, int]:
    """Return the moves that computers made for people: place in the log -> seat.

    They have no client id, unlike moves of the player or their program, and planned or forced
    plays. A player who returns gets the seat back, but these moves remain the computer's.
    """
    rows = Seat.objects.filter(match=match, computer=False, substituted=True)
    seats = set(rows.values_list("seat", flat=True))
    if not seats:
        return {}
    return {
        entry.sequence: entry.seat
        for entry in store.whole(match)
        if entry.seat in seats and not entry.client_id
    }


def decisions_shown(review: Review) -> list[Any]:
    """Return a review's decisions, as JSON, without those of substitutes."""
    others = moves_of_substitutes(match=review.match_id)
    return [item for item in review.items if item["sequence"] not in others]
