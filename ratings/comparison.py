"""One play beside the other plays with the same cards. Pure: numbers in, numbers out."""

from collections.abc import Sequence


def matchpoints(margin: float, others: Sequence[float]) -> float:
    """Share (0..100) of the field that a play beats, drawn to the middle where few have played.

    `margin` and `others` (every other play of that seat) in points, from that seat. With m
    plays in all: 100 * (beaten + ties/2 + 1) / (m - 1 + 2).
    """
    beaten = sum(other < margin for other in others)
    ties = sum(other == margin for other in others)
    return 100.0 * (beaten + ties / 2 + 1.0) / (len(others) + 2.0)


def margin_when_left(margin: float, rests: Sequence[float], *, expected: float = 0.0) -> float:
    """The margin, in points, that counts for a game which somebody left.

    `margin`: of the seat, when the last whole hand had been counted; `rests`: for each other
    play of the game, what that seat's margin still changed by after the same number of hands;
    `expected`: the same for a play of which nothing is known, which counts as one more play.
    The outcome on the table does not enter: to leave can be neither a gain nor a fine.
    """
    return margin + (sum(rests) + expected) / (len(rests) + 1)
