"""Line of a player's chance to win, hand by hand, as coordinates for SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 400, 110
LEFT, RIGHT, TOP, BOTTOM = 40, 10, 8, 22
"""Margins for labels, in units of the picture."""


@dataclass(frozen=True, slots=True)
class HandMark:
    """The label of a hand on the axis."""

    x: str
    number: int


@dataclass(frozen=True, slots=True)
class WinChart:
    """The coordinates of a line of size width x height.

    Attributes:
        line: the chance before each hand and at the end.
        even: the height of 50%.
        dots: where the biggest swing begins and ends.
        marks: the labels of some hands.
    """

    width: int
    height: int
    left: int
    right: int
    top: int
    even: str
    floor: int
    line: str
    dots: tuple[tuple[str, str], ...]
    marks: tuple[HandMark, ...]


def win_chart(chances: Sequence[float], swing: int) -> WinChart:
    """Return the line of chances (0..1); ``swing`` is the hand, from 1, to mark."""
    step = (WIDTH - LEFT - RIGHT) / max(1, len(chances) - 1)

    def x(at: int) -> str:
        return f"{LEFT + at * step:.1f}"

    def y(chance: float) -> str:
        return f"{TOP + (1 - chance) * (HEIGHT - TOP - BOTTOM):.1f}"

    hands = len(chances) - 1
    every = 1 if hands <= 12 else 2
    return WinChart(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
        top=TOP,
        even=y(0.5),
        floor=HEIGHT - BOTTOM,
        line=" ".join(f"{x(at)},{y(chance)}" for at, chance in enumerate(chances)),
        dots=tuple((x(at), y(chances[at])) for at in (swing - 1, swing)),
        marks=tuple(
            HandMark(f"{LEFT + (at + 0.5) * step:.1f}", at + 1) for at in range(0, hands, every)
        ),
    )
