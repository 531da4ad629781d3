"""Rating line: a rating after each of the last attempts."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.pages.charts.drawing import Drawing, round_values, scaled

LEAST_RANGE = 100.0
"""Minimum range of the scale, so that small changes stay small."""


def rating_line(ratings: Sequence[float]) -> SafeString | None:
    """Draw ratings in order; None for fewer than two."""
    if len(ratings) < 2:
        return None
    middle = (min(ratings) + max(ratings)) / 2
    reach = max(LEAST_RANGE, 1.1 * (max(ratings) - min(ratings))) / 2
    low, high = middle - reach, middle + reach
    drawing = Drawing("rating-line")
    for value in round_values(low, high, most=5):
        drawing.level(1 - scaled(value, low, high), f"{value:.0f}")
    last = len(ratings) - 1
    points = [(at / last, 1 - scaled(one, low, high)) for at, one in enumerate(ratings)]
    drawing.line(points, "line-0")
    drawing.dot(*points[-1], 5, "end line-0")
    text = _("Your puzzle rating over the last %(n)d puzzles: from %(first)d to %(last)d.")
    return drawing.picture(
        text % {"n": len(ratings), "first": round(ratings[0]), "last": round(ratings[-1])}
    )
