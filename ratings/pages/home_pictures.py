"""Small pictures of the home page as coordinates for SVG: a rating's line, and a field's dots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 160, 44
EDGE = 4
FIELD_WIDTH, FIELD_HEIGHT = 320, 96
COLUMNS = 32
"""Columns of dots in a picture of a field."""


@dataclass(frozen=True, slots=True)
class Sparkline:
    """A line without axes: its points, and the last one."""

    points: str
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Dots:
    """A field as columns of dots; ``zero`` is where a game would be a draw."""

    dots: tuple[tuple[str, str], ...]
    radius: str
    zero: str


def sparkline(values: Sequence[float]) -> Sparkline | None:
    """Return the line of values in their order; None with fewer than two."""
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    span = max(high - low, 20.0)
    step = (WIDTH - 2 * EDGE) / (len(values) - 1)
    spots = [
        (f"{EDGE + at * step:.1f}", f"{EDGE + (high - value) / span * (HEIGHT - 2 * EDGE):.1f}")
        for at, value in enumerate(values)
    ]
    return Sparkline(" ".join(f"{x},{y}" for x, y in spots), *spots[-1])


def field_dots(margins: Sequence[float]) -> Dots:
    """Return margins in points as stacked dots, the lowest at the left."""
    low, high = min(0.0, *margins), max(0.0, *margins)
    width = FIELD_WIDTH / COLUMNS
    span = max(high - low, 1.0)

    def column(margin: float) -> int:
        return min(COLUMNS - 1, int((margin - low) / span * COLUMNS))

    counted = Counter(column(margin) for margin in margins)
    radius = min(width / 2, FIELD_HEIGHT / 2 / max(counted.values()))
    dots = tuple(
        (f"{(at + 0.5) * width:.1f}", f"{FIELD_HEIGHT - radius - step * 2 * radius:.1f}")
        for at, number in sorted(counted.items())
        for step in range(number)
    )
    return Dots(dots, f"{radius * 0.86:.1f}", f"{(0.0 - low) / span * FIELD_WIDTH:.1f}")
