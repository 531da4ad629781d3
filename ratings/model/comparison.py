"""Comparison of one play with the other plays of the same cards. Pure."""

from collections.abc import Sequence


def matchpoints(margin: float, others: Sequence[float]) -> float:
    """Return the share (0..100) of the field that a play beats, shrunk towards 50 in small fields.

    `margin`, and `others` for every other play of that seat, are margins of that seat in points.
    With m plays in all, the share is 100 * (beaten + ties/2 + 1) / (m - 1 + 2).
    """
    beaten = sum(other < margin for other in others)
    ties = sum(other == margin for other in others)
    return 100.0 * (beaten + ties / 2 + 1.0) / (len(others) + 2.0)


def margin_when_left(margin: float, rests: Sequence[float], *, expected: float = 0.0) -> float:
    """Return the margin, in points, that counts for a game that a player left.

    `margin` is the seat's margin after the last complete hand. `rests` is, for each other play
    of the game, the change of that seat's margin after the same number of hands. `expected` is
    the prior for that change and weighs as much as one play. The actual outcome is ignored, so
    leaving neither gains nor costs points.
    """
    return margin + (sum(rests) + expected) / (len(rests) + 1)
