"""Calendar of the days on which a player has played: a column for each week, darker with more."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.text.dates import date_format

WEEKS = 26
STEP, SIZE, TOP = 12, 10, 14
"""Distance and size of the boxes, and the space for the names of the months, in units."""
BOUNDS = (1, 2, 4, 7)
"""Matches on a day from which it has the next level."""


def first_day(today: date) -> date:
    """Return the first day of a calendar that ends today: a Monday."""
    return today - timedelta(days=today.weekday(), weeks=WEEKS - 1)


def calendar(matches: Mapping[date, int], *, today: date) -> SafeString:
    """Draw the calendar; ``matches`` is the number of matches by day."""
    first = first_day(today)
    days = [first + timedelta(days=at) for at in range((today - first).days + 1)]
    boxes: list[list[str]] = [[] for _level in range(len(BOUNDS) + 1)]
    for at, day in enumerate(days):
        place = f"M{at // 7 * STEP} {TOP + at % 7 * STEP}"
        boxes[level_of(matches.get(day, 0))].append(f"{place}h{SIZE}v{SIZE}h-{SIZE}z")
    months = [
        (at // 7 * STEP, date_format(day, "N"))
        for at, day in enumerate(days)
        if day.weekday() == 0 and day.day <= 7 and at // 7 < WEEKS - 1
    ]
    played = [day for day in days if matches.get(day)]
    return format_html(
        '<svg class="calendar" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>',
        WEEKS * STEP,
        TOP + 7 * STEP,
        _says(len(played), sum(matches[day] for day in played)),
        format_html_join("", '<text x="{}" y="9">{}</text>', months),
        format_html_join(
            "",
            '<path class="level-{}" d="{}"/>',
            ((level, "".join(each)) for level, each in enumerate(boxes) if each),
        ),
    )


def level_of(matches: int) -> int:
    """Return the level of a day: 0 without matches, up to 4."""
    return sum(matches >= bound for bound in BOUNDS)


def _says(days: int, matches: int) -> str:
    return _("Last 26 weeks. Matches: %(matches)d. Days played: %(days)d.") % {
        "matches": matches,
        "days": days,
    }
