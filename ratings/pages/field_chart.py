"""Dot plot of a field: every margin with the same cards on one axis, as coordinates for SVG."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 400
AXIS = 0
"""The axis; what lies above it has negative coordinates."""
BELOW = 28
"""Space for the labels below the axis, in units of the picture."""
ABOVE = 14
"""Height of the label above the reader's dot."""
SIDE = 22
"""Space at both ends of the axis."""
HIGHEST = 60.0
"""Maximum height of a column of dots."""
RADIUS, SMALLEST = 6.0, 1.5
SHRINK = 0.85
LABEL = 120.0
"""Width kept free for the labels at both ends of the axis."""
LEAST_RANGE = 20.0
"""Minimum range of the axis, points."""


@dataclass(frozen=True, slots=True)
class Dot:
    """One play of the field, as text for SVG."""

    x: str
    y: str


@dataclass(frozen=True, slots=True)
class FieldChart:
    """The coordinates of a dot plot.

    Attributes:
        box: the view box of the picture.
        bottom: the lower end of the picture.
        others: the other plays, stacked where margins are close to each other.
        own: the reader's play.
        radius: of the others' dots.
        own_radius: of the reader's dot.
        label_x, label_y: the middle of the label above the reader's dot.
        zero: where the margin is 0; `zero_is_apart` is whether a label fits there.
        low, high: the lowest and the highest margin, points.
    """

    box: str
    bottom: int
    axis: int
    left: int
    right: int
    others: tuple[Dot, ...]
    own: Dot
    radius: str
    own_radius: str
    label_x: str
    label_y: str
    zero: str
    zero_is_apart: bool
    low: float
    high: float


def field_chart(own: float, others: Sequence[float]) -> FieldChart:
    """Return the dot plot of margins in points: the reader's own, and those of the others."""
    margins = [own, *others]
    low, high = min(0.0, *margins), max(0.0, *margins)
    if high - low < LEAST_RANGE:
        middle = (low + high) / 2
        low, high = middle - LEAST_RANGE / 2, middle + LEAST_RANGE / 2
    scale = (WIDTH - 2 * SIDE) / (high - low)

    def x(margin: float) -> float:
        return SIDE + (margin - low) * scale

    radius, columns = _columns([x(margin) for margin in others])
    own_column = round(x(own) / (2 * radius))
    dots = []
    for column, number in columns.items():
        bottom = 2 if column == own_column else 0
        dots += [
            Dot(f"{column * 2 * radius:.1f}", f"{_height(at + bottom, radius):.1f}")
            for at in range(number)
        ]
    own_radius = max(radius * 1.4, 5.0)
    own_x = own_column * 2 * radius
    top = _height(columns.get(own_column, 0) + 1, radius) if columns.get(own_column) else AXIS
    label_y = min(top - radius, AXIS - 2 * own_radius) - 8
    highest = min([label_y - ABOVE, *(_height(number, radius) for number in columns.values())])
    return FieldChart(
        box=f"0 {highest:.0f} {WIDTH} {BELOW - highest:.0f}",
        bottom=BELOW,
        axis=AXIS,
        left=SIDE // 2,
        right=WIDTH - SIDE // 2,
        others=tuple(dots),
        own=Dot(f"{own_x:.1f}", f"{AXIS - own_radius - 1:.1f}"),
        radius=f"{radius:.1f}",
        own_radius=f"{own_radius:.1f}",
        label_x=f"{min(max(own_x, 46), WIDTH - 46):.1f}",
        label_y=f"{label_y:.1f}",
        zero=f"{x(0.0):.1f}",
        zero_is_apart=LABEL < x(0.0) < WIDTH - LABEL,
        low=min(margins),
        high=max(margins),
    )


def _columns(others: Sequence[float]) -> tuple[float, dict[int, int]]:
    """Return the dots' radius, and the number of other dots in each column that is not empty.

    Columns are as wide as a dot. The radius shrinks until the highest column fits.
    """
    radius = RADIUS
    while True:
        columns: dict[int, int] = defaultdict(int)
        for each in others:
            columns[round(each / (2 * radius))] += 1
        highest = max(columns.values(), default=0) + 2
        if highest * 2 * radius <= HIGHEST or radius <= SMALLEST:
            return radius, dict(columns)
        radius *= SHRINK


def _height(at: int, radius: float) -> float:
    """Return the middle of the dot with this place in its column, from 0 at the axis."""
    return AXIS - 1 - radius - at * 2 * radius
