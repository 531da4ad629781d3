"""Pace of computer players: how long one takes to play a card, like a person.

It depends on what everyone at the table sees, and on chance: a computer that took longer over a
hard choice would give away its cards.
"""

from __future__ import annotations

from games.engine.view import View

LEAD, ANSWER, LAST = 1.4, 1.0, 0.6
"""Share of the usual pause: for the first card of a count, any other, and a hand's last card."""

LEAST, MOST = 0.8, 1.3
"""Bounds of the random factor."""

LONGEST = 1.5
"""Maximum pause in seconds; after two without a move, another process takes over."""


def seconds(seen: View, seat: int, *, pause: float, chance: float) -> float:
    """Return how many seconds a computer takes for its move.

    Args:
        seen: the view of a watcher, which has no hidden cards.
        seat: the computer's seat.
        pause: the usual number of seconds.
        chance: a random number in [0, 1).
    """
    share = ANSWER
    if seen.hand_sizes[seat] == 1:
        share = LAST
    elif not seen.pile:
        share = LEAD
    return min(LONGEST, pause * share * (LEAST + (MOST - LEAST) * chance))
