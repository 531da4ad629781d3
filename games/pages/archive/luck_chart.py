"""Luck chart: a dot for each kind of luck, and the band in which most players' luck lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.archive.averages import LuckSummary

WIDTH, ROW, TOP, BOTTOM = 480, 48, 8, 30
"""Width of the picture, height of a row, and top and bottom margins, in units of the picture."""
LEFT, RIGHT = 16, 16
LABEL = 14
"""Distance of a row's label above its band."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A row: name, band and dot, in units of the picture."""

    kind: str
    label_y: str
    y: str
    band_x: str
    band_width: str
    dot_x: str
    inside: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled grid line; the value is in points per deal."""

    x: str
    value: float


@dataclass(frozen=True, slots=True)
class LuckChart:
    """The coordinates of a chart of size width x height; `zero` is the line of no luck."""

    width: int
    height: int
    top: int
    floor: int
    zero: str
    bars: tuple[Bar, ...]
    marks: tuple[Mark, ...]


def luck_chart(summaries: Sequence[LuckSummary]) -> LuckChart | None:
    """Return the chart of a player's luck; None without deals."""
    if not summaries:
        return None
    reach = 1.15 * max(max(abs(each.mean), each.band) for each in summaries) or 1.0
    half = (WIDTH - LEFT - RIGHT) / 2

    def x(value: float) -> float:
        return LEFT + half + half * value / reach

    bars = []
    for at, each in enumerate(summaries):
        y = TOP + at * ROW + ROW * 0.62
        bars.append(
            Bar(
                kind=each.kind,
                label_y=f"{y - LABEL:.1f}",
                y=f"{y:.1f}",
                band_x=f"{x(-each.band):.1f}",
                band_width=f"{x(each.band) - x(-each.band):.1f}",
                dot_x=f"{x(each.mean):.1f}",
                inside=each.is_within,
            )
        )
    height = TOP + len(bars) * ROW + BOTTOM
    step = _round(reach / 1.5)
    return LuckChart(
        width=WIDTH,
        height=height,
        top=TOP,
        floor=height - BOTTOM,
        zero=f"{x(0):.1f}",
        bars=tuple(bars),
        marks=tuple(Mark(f"{x(value):.1f}", value) for value in (-step, 0.0, step)),
    )


def _round(value: float) -> float:
    """Return the largest number up to ``value`` that is 1, 2 or 5 times a power of ten."""
    power = 1.0
    while power > value:
        power /= 10
    while 10 * power <= value:
        power *= 10
    return max(factor * power for factor in (1, 2, 5) if factor * power <= value)
