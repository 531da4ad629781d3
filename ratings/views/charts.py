"""A rating over time as lines of an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ratings.selectors.standings import Moment

WIDTH, HEIGHT = 480, 240
LEFT, RIGHT, TOP, BOTTOM = 52, 8, 12, 30
"""Room for the labels, in units of the picture."""
LEAST_RANGE = 40.0
"""Elo between bottom and top at least, so that noise does not look like a landslide."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled line of the grid."""

    y: str
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """What the template draws: points as SVG wants them, in a box of width x height.

    Attributes:
        line: the rating.
        band: the rating give or take one RD, a closed shape.
        last: where the newest value is.
        begin, end: when the first and the newest value were, for the axis of time.
        one_day: whether both were on the same day, so that the hours tell them apart.
    """

    width: int
    height: int
    left: int
    right: int
    line: str
    band: str
    last: tuple[str, str]
    begin: datetime
    end: datetime
    one_day: bool
    ticks: tuple[Tick, ...]


def chart(history: Sequence[Moment]) -> Chart | None:
    """Return the picture of a history; None where there are not two moments."""
    if len(history) < 2:
        return None
    low = min(moment.rating - moment.rd for moment in history)
    high = max(moment.rating + moment.rd for moment in history)
    if high - low < LEAST_RANGE:
        middle = (low + high) / 2
        low, high = middle - LEAST_RANGE / 2, middle + LEAST_RANGE / 2
    start = history[0].at.timestamp()
    span = max(1.0, history[-1].at.timestamp() - start)

    def x(moment: Moment) -> str:
        share = (moment.at.timestamp() - start) / span
        return f"{LEFT + share * (WIDTH - LEFT - RIGHT):.1f}"

    def y(value: float) -> float:
        return TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM)

    upper = [f"{x(one)},{y(one.rating + one.rd):.1f}" for one in history]
    lower = [f"{x(one)},{y(one.rating - one.rd):.1f}" for one in reversed(history)]
    return Chart(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
        line=" ".join(f"{x(one)},{y(one.rating):.1f}" for one in history),
        band=" ".join([*upper, *lower]),
        last=(x(history[-1]), f"{y(history[-1].rating):.1f}"),
        begin=history[0].at,
        end=history[-1].at,
        one_day=history[0].at.date() == history[-1].at.date(),
        ticks=tuple(Tick(f"{y(value):.1f}", str(value)) for value in _round_values(low, high)),
    )


def _round_values(low: float, high: float) -> list[int]:
    """Return three to seven round numbers between two."""
    for step in (10, 20, 25, 50, 100, 200, 250, 500):
        first = -(-int(low) // step) * step
        values = list(range(first, int(high) + 1, step))
        if len(values) <= 6:
            return values
    return [int(low), int(high)]
