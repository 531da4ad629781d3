"""Charts of one line, which stand in a row beside their number: bars, and dots with a band.

They have no text alternative, since the row says the same in words.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString

from games.pages.charts.drawing import Drawing, scaled

WIDEST = 48.0
"""Margin in points that fills its half of the bar; few are wider."""
SKUNK = 31.0


def margin_bar(margin: float) -> SafeString:
    """Draw a margin as a bar from the middle: to the right if it was won, to the left if lost."""
    drawing = Drawing("margin")
    for skunk in (-SKUNK, SKUNK):
        drawing.upright(_side(skunk), "skunk")
    drawing.bar(0.5, _side(margin) - 0.5, 0.2, 0.6, "won" if margin > 0 else "lost")
    drawing.upright(0.5, "axis")
    return drawing.picture("")


def dot_row(
    value: float,
    *,
    span: tuple[float, float],
    band: tuple[float, float] | None = None,
    mark: float | None = None,
    zero: float | None = None,
    kind: str = "",
) -> SafeString:
    """Draw a value as a dot on an axis.

    Args:
        value: where the dot is.
        span: the two ends of the axis.
        band: the range behind the dot.
        mark: a second value, as an upright line.
        zero: where the axis is crossed.
        kind: a further class of the dot.
    """
    drawing = Drawing("dots")
    drawing.level(0.5, kind="axis")
    if zero is not None:
        drawing.upright(scaled(zero, *span), "axis")
    if band is not None:
        start, end = (scaled(each, *span) for each in band)
        drawing.bar(start, end - start, 0.25, 0.5, "band")
    if mark is not None:
        drawing.upright(scaled(mark, *span), "mark")
    drawing.dot(scaled(value, *span), 0.5, 6, f"dot {kind}".strip())
    return drawing.picture("")


def share_bar(share: float) -> SafeString:
    """Draw a share (0 to 1) as a bar, with a line at the half."""
    drawing = Drawing("share")
    drawing.bar(0, 1, 0.2, 0.6, "rest")
    drawing.bar(0, share, 0.2, 0.6, "won")
    drawing.upright(0.5, "axis")
    return drawing.picture("")


def part_bar(share: float) -> SafeString:
    """Draw a share (0 to 1) of a whole as a bar."""
    drawing = Drawing("part")
    drawing.bar(0, 1, 0.15, 0.7, "rest")
    drawing.bar(0, share, 0.15, 0.7, "won")
    return drawing.picture("")


def sparkline(values: Sequence[float]) -> SafeString:
    """Draw values, oldest first, as a small line with a dot at its end; nothing for one value."""
    if len(values) < 2:
        return SafeString("")
    low, high = min(values), max(values)
    heights = [1 - scaled(each, low, high) if high > low else 0.5 for each in values]
    drawing = Drawing("spark")
    drawing.line([(at / (len(values) - 1), y) for at, y in enumerate(heights)], "trend")
    drawing.dot(1, heights[-1], 3, "dot")
    return drawing.picture("")


def _side(margin: float) -> float:
    return scaled(margin, -WIDEST, WIDEST)
