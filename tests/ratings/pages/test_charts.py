"""The line of a rating over time."""

import re
from datetime import UTC, datetime, timedelta

from ratings.pages.charts import rating_line
from ratings.rating.standings import RatingPoint

NOW = datetime(2026, 11, 29, 9, 17, 30, tzinfo=UTC)


def drawn(*ages: timedelta) -> tuple[list[float], int]:
    """Draw a rating at these times; return the line's places from left to right, and the ticks."""
    history = [RatingPoint(NOW - age, 1500.0 + at, 90.0) for at, age in enumerate(ages)]
    picture = str(rating_line(history))
    points = re.search(r'class="line trend" points="([^"]+)"', picture)
    assert points
    return [float(each.split(",")[0]) for each in points[1].split()], picture.count("data-at")


def test_the_line_of_a_first_game_reaches_across_the_chart() -> None:
    long, both_ends = drawn(timedelta(days=9), timedelta(0))
    places, ticks = drawn(timedelta(milliseconds=3), timedelta(0))
    assert places == long
    assert (ticks, both_ends) == (1, 2), "two equal times would say nothing"


def test_points_stand_where_their_time_is() -> None:
    first, second, last = drawn(timedelta(days=10), timedelta(days=8), timedelta(0))[0]
    assert (second - first) / (last - first) == 0.2
