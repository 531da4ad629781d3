"""Charts of a rating over time, as coordinates for SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ratings.rating.standings import RatingPoint

WIDTH, HEIGHT = 480, 240
LEFT, RIGHT, TOP, BOTTOM = 52, 8, 12, 30
"""Margins for labels, in units of the picture."""
LEAST_RANGE = 40.0
"""Minimum range of the y axis, Elo, so that noise does not look like a large change."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled grid line."""

    y: str
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The coordinates of a chart of size width x height, as text for SVG.

    Attributes:
        line: the rating.
        band: the rating plus and minus one RD, as a closed shape.
        last: the newest value.
        begin, end: times of the first and the newest value, for the time axis.
        one_day: whether both are on the same day, so that the axis shows hours.
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


def chart(history: Sequence[RatingPoint]) -> Chart | None:
    """Return the chart of a history; None with fewer than two points."""
    if len(history) < 2:
        return None
    low = min(point.rating - point.rd for point in history)
    high = max(point.rating + point.rd for point in history)
    if high - low < LEAST_RANGE:
        middle = (low + high) / 2
        low, high = middle - LEAST_RANGE / 2, middle + LEAST_RANGE / 2
    start = history[0].at.timestamp()
    span = max(1.0, history[-1].at.timestamp() - start)

    def x(point: RatingPoint) -> str:
        share = (point.at.timestamp() - start) / span
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
    """Return up to six round numbers in a range."""
    for step in (10, 20, 25, 50, 100, 200, 250, 500):
        first = -(-int(low) // step) * step
        values = list(range(first, int(high) + 1, step))
        if len(values) <= 6:
            return values
    return [int(low), int(high)]
