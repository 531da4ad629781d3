"""Dot plot of a field: every margin with the same cards on one axis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.api import Drawing, signed
from ratings.pages.sentences import decimals
from ratings.standard.field import Verdict

WIDTH = 300
"""Width in pixels for which dots are stacked; on a wider page their columns move apart."""
LOW, HIGH = 44.0, 84.0
"""Heights of the plot in pixels, as in the style sheet: for a small field, and for others."""
SIDE = 14
"""Space at both ends of the axis."""
HIGHEST = 60.0
"""Maximum height of a column of dots."""
RADIUS, SMALLEST = 6.0, 1.5
SHRINK = 0.85
LABEL = 0.3
"""Share of the width that is kept free for the labels at both ends of the axis."""
LEAST_RANGE = 20.0
"""Minimum range of the axis, points."""
LABEL_HALF = 28.0
"""Half the width of the reader's own label."""


@dataclass(frozen=True, slots=True)
class _Axis:
    """The range of margins, in points, that the axis shows."""

    low: float
    high: float

    def x(self, margin: float) -> float:
        """Return the place of a margin, in pixels."""
        return SIDE + (margin - self.low) / (self.high - self.low) * (WIDTH - 2 * SIDE)


def field_chart(verdict: Verdict, others: Sequence[float]) -> SafeString:
    """Draw the margins in points: the reader's own, and those of the others.

    In a very large field the dots of a column overlap.
    """
    own = verdict.margin
    axis = _axis([own, *others])
    radius, columns = _columns([axis.x(margin) for margin in others])
    own_column = round(axis.x(own) / (2 * radius))
    highest = max(
        (number + 2 * (column == own_column) for column, number in columns.items()), default=0
    )
    step = min(2 * radius, HIGHEST / max(1, highest))
    is_low = highest * step <= LOW - radius
    height = LOW if is_low else HIGH
    drawing = Drawing("field-low" if is_low else "field")
    drawing.level(1, kind="field-axis")
    for column, number in columns.items():
        bottom = 2 if column == own_column else 0
        for at in range(number):
            y = 1 - _above(at + bottom, radius, step) / height
            drawing.dot(column * 2 * radius / WIDTH, y, radius, "field-dot")
    own_x, own_radius = own_column * 2 * radius / WIDTH, max(radius * 1.4, 5.0)
    drawing.dot(own_x, 1 - (own_radius + 1) / height, own_radius, "field-own")
    above = columns.get(own_column, 0)
    reach = _above(above + 1, radius, step) if above else 2 * own_radius
    label_x = min(max(own_x, 0.1), 0.9)
    below = [
        _above(number - 1, radius, step)
        for column, number in columns.items()
        if abs(column * 2 * radius - label_x * WIDTH) < LABEL_HALF + radius
    ]
    label = _("you %(own)s") % {"own": signed(own, decimals(own))}
    drawing.text(label, label_x, 1 - max(reach, *below, 0) / height, "own", dy=-12)
    _label_axis(drawing, axis.x(0.0) / WIDTH)
    return drawing.picture(_says(verdict, others))


def _axis(margins: Sequence[float]) -> _Axis:
    low, high = min(0.0, *margins), max(0.0, *margins)
    if high - low < LEAST_RANGE:
        middle = (low + high) / 2
        low, high = middle - LEAST_RANGE / 2, middle + LEAST_RANGE / 2
    return _Axis(low, high)


def _label_axis(drawing: Drawing, zero: float) -> None:
    drawing.tick(0, _("lost by more"), anchor="start")
    if LABEL < zero < 1 - LABEL:
        drawing.tick(zero, "0")
    drawing.tick(1, _("won by more"), anchor="end")


def _says(verdict: Verdict, others: Sequence[float]) -> str:
    return _("Your margin: %(own)s. The others: %(low)s to %(high)s, on average %(mean)s.") % {
        "own": signed(verdict.margin, decimals(verdict.margin)),
        "low": signed(min(others), decimals(min(others))),
        "high": signed(max(others), decimals(max(others))),
        "mean": signed(verdict.mean),
    }


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


def _above(at: int, radius: float, step: float) -> float:
    """Return how far above the axis a dot is, in pixels, by its place in its column from 0."""
    return 1 + radius + at * step
