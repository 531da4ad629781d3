"""Drawing of a chart as SVG that stretches with the page while its text keeps its size.

Places are shares of the plot: 0 to 1 from left to right and from top to bottom. So the style sheet
(`static/css/base/charts.css`) alone decides how wide and high a chart is, and a phone shows text as
large as a desktop does. Text outside the plot overflows into the padding around it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]
"""A place: shares of the width and of the height."""

FINE = 1000
"""Units of the stretched layer on each axis, which holds lines and areas."""


class Drawing:
    """A chart in the making; ``kind`` names its class in the style sheet.

    Lines and areas lie below everything else, in the order in which they were drawn.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._stretched: list[str] = []
        self._fixed: list[str] = []

    def line(self, points: Iterable[Point], kind: str) -> None:
        """Draw a line through points."""
        self._stretched.append(
            format_html('<polyline class="{}" points="{}"/>', f"line {kind}", _fine(points))
        )

    def area(self, points: Iterable[Point], kind: str) -> None:
        """Fill the area between points."""
        self._stretched.append(
            format_html('<polygon class="{}" points="{}"/>', kind, _fine(points))
        )

    def level(self, y: float, label: str = "", kind: str = "rule") -> None:
        """Draw a line across the plot, labelled in the margin before it."""
        self._fixed.append(
            format_html(
                '<line class="{}" x1="0" x2="100%" y1="{}" y2="{}"/>', kind, _share(y), _share(y)
            )
        )
        if label:
            self.text(label, 0, y, "label", anchor="end", dx=-7, dy=4)

    def upright(self, x: float, kind: str = "rule") -> None:
        """Draw a line from the top to the bottom of the plot."""
        self._fixed.append(
            format_html(
                '<line class="{}" y1="0" y2="100%" x1="{}" x2="{}"/>', kind, _share(x), _share(x)
            )
        )

    def tick(
        self, x: float, label: str, *, anchor: Anchor = "middle", at: datetime | None = None
    ) -> None:
        """Write a label below the plot; a moment's, ``at``, becomes the reader's local time."""
        self.text(label, x, 1, "label", anchor=anchor, dy=17, at=at)

    def dot(self, x: float, y: float, radius: float, kind: str, *, address: str = "") -> None:
        """Draw a dot; its radius is in pixels. With an address it is a link for pointers."""
        dot = format_html(
            '<circle class="{}" cx="{}" cy="{}" r="{}"/>',
            *(kind, _share(x), _share(y), _short(radius)),
        )
        if address:
            dot = format_html('<a href="{}" tabindex="-1">{}</a>', address, dot)
        self._fixed.append(dot)

    def bar(self, x: float, width: float, y: float, height: float, kind: str) -> None:
        """Draw a bar; a negative width reaches to the left."""
        self._fixed.append(
            format_html(
                '<rect class="{}" x="{}" width="{}" y="{}" height="{}"/>',
                *(kind, _share(min(x, x + width)), _share(abs(width)), _share(y), _share(height)),
            )
        )

    def text(
        self,
        text: str,
        x: float,
        y: float,
        kind: str,
        *,
        anchor: Anchor = "middle",
        dx: float = 0,
        dy: float = 0,
        at: datetime | None = None,
    ) -> None:
        """Write text; ``dx`` and ``dy`` move it by pixels.

        Text that shows the moment ``at`` is rewritten in the reader's time zone
        (`static/js/text/local_time.js`).
        """
        moment = format_html(' data-at="{}"', at.isoformat()) if at else ""
        self._fixed.append(
            format_html(
                '<text class="{}" x="{}" y="{}" dx="{}" dy="{}" text-anchor="{}"{}>{}</text>',
                *(kind, _share(x), _share(y), _short(dx), _short(dy), anchor, moment, text),
            )
        )

    def link(self, x: float, width: float, *, address: str, title: str) -> None:
        """Lay a link over a part of the plot's width, for pointers only.

        The same links stand in the list or table beside the chart, which the keyboard reaches.
        """
        self._fixed.append(
            format_html(
                '<a href="{}" tabindex="-1"><rect class="step" x="{}" width="{}" height="100%">'
                "<title>{}</title></rect></a>",
                *(address, _share(x), _share(width), title),
            )
        )

    def picture(self, says: str) -> SafeString:
        """Return the chart as an image; ``says`` is its text alternative, "" to hide it."""
        role = format_html('role="img" aria-label="{}"', says)
        return format_html(
            '<svg class="plot plot-{}" {}>{}{}</svg>',
            *(self.kind, role if says else mark_safe('aria-hidden="true"')),
            *(self._layer(), mark_safe("".join(self._fixed))),  # noqa: S308 - built by format_html
        )

    def _layer(self) -> SafeString:
        if not self._stretched:
            return SafeString("")
        return format_html(
            '<svg width="100%" height="100%" viewBox="0 0 {} {}" '
            'preserveAspectRatio="none">{}</svg>',
            *(FINE, FINE, mark_safe("".join(self._stretched))),  # noqa: S308 - as above
        )


def scaled(value: float, low: float, high: float) -> float:
    """Return the share (0 to 1) of a value between two others; values outside are clamped."""
    return min(1.0, max(0.0, (value - low) / (high - low)))


def round_values(low: float, high: float, *, most: int = 6) -> list[float]:
    """Return up to ``most`` round numbers in a range."""
    step = 10.0**-3
    while True:
        for factor in (1, 2, 2.5, 5):
            every = step * factor
            first = -(-low // every)
            number = int(high // every - first) + 1
            if number <= most:
                return [(first + at) * every for at in range(max(0, number))]
        step *= 10


def _share(value: float) -> str:
    text = _short(100 * value, 2)
    return "0" if text == "0" else f"{text}%"


def _fine(points: Iterable[Point]) -> str:
    return " ".join(f"{_short(FINE * x)},{_short(FINE * y)}" for x, y in points)


def _short(value: float, digits: int = 1) -> str:
    """Return a number without the zeros and the sign that mean nothing."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
