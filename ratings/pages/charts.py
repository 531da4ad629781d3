"""Charts of ratings: one rating over time, the forecast, and the rows of a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.api import Drawing, date_format, dot_row, round_values, sparkline
from ratings.models import SeasonEntry
from ratings.pages import sentences
from ratings.rating.standings import LeaderboardRow, Profile, RatingPoint

LEAST_RANGE = 40.0
"""Minimum range of the y axis, Elo, so that noise does not look like a large change."""
MARGIN = 20.0
"""Room at both ends of the axis of a leaderboard, Elo."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The number of 100 others that a player is expected to beat, with its range of uncertainty."""

    score: float
    low: float
    high: float
    chart: SafeString


@dataclass(frozen=True, slots=True)
class LeaderLine:
    """A row of a leaderboard: its rating with the range of one RD, Elo, and its trend.

    ``won`` is the season that the player won last, if it is still the newest.
    """

    row: LeaderboardRow
    low: float
    high: float
    band: SafeString
    trend: SafeString
    won: SeasonEntry | None


def rating_line(history: Sequence[RatingPoint]) -> SafeString:
    """Draw a rating over time within one RD; nothing for fewer than two points."""
    if len(history) < 2:
        return SafeString("")
    low = min(point.rating - point.rd for point in history)
    high = max(point.rating + point.rd for point in history)
    if high - low < LEAST_RANGE:
        middle = (low + high) / 2
        low, high = middle - LEAST_RANGE / 2, middle + LEAST_RANGE / 2
    times = _places(history)

    def y(value: float) -> float:
        return (high - value) / (high - low)

    drawing = Drawing("rating")
    upper = [(x, y(one.rating + one.rd)) for x, one in zip(times, history, strict=True)]
    lower = [(x, y(one.rating - one.rd)) for x, one in zip(times, history, strict=True)]
    drawing.area([*upper, *reversed(lower)], "range")
    drawing.line([(x, y(one.rating)) for x, one in zip(times, history, strict=True)], "trend")
    for value in round_values(low, high, most=5):
        drawing.level(y(value), f"{value:.0f}")
    last = history[-1]
    drawing.dot(1, y(last.rating), 5, "dot")
    drawing.text(
        sentences.plain(last.rating, 0), 1, y(last.rating), "own", anchor="start", dx=9, dy=4
    )
    begin, end = _times(history[0].at, last.at)
    if begin != end:
        drawing.tick(0, begin, anchor="start", at=history[0].at)
    drawing.tick(1, end, anchor="end", at=last.at)
    return drawing.picture(
        _("Rating with uncertainty: %(first)s at first, %(last)s now.")
        % {
            "first": sentences.plain(history[0].rating, 0),
            "last": sentences.plain(last.rating, 0),
        }
    )


def forecast(profile: Profile) -> Forecast | None:
    """Return a player's forecast; None without a rating."""
    if profile.score is None or profile.range is None:
        return None
    low, high = profile.range
    chart = dot_row(profile.score, span=(0.0, 100.0), band=(low, high), zero=50.0)
    return Forecast(profile.score, low, high, chart)


def leader_lines(
    rows: Sequence[LeaderboardRow], winners: Mapping[int, SeasonEntry]
) -> list[LeaderLine]:
    """Return the rows of one page, their ratings on one axis; winners of seasons by player."""
    ratings = [row.rating for row in rows]
    span = (
        min((each.floor for each in ratings), default=0.0) - MARGIN,
        max((each.rating + each.rd for each in ratings), default=0.0) + MARGIN,
    )
    return [_leader_line(row, span, winners.get(row.rating.player_id)) for row in rows]


def _leader_line(
    row: LeaderboardRow, span: tuple[float, float], won: SeasonEntry | None
) -> LeaderLine:
    rating = row.rating
    low, high = rating.rating - rating.rd, rating.rating + rating.rd
    return LeaderLine(
        row,
        low,
        high,
        dot_row(rating.rating, span=span, band=(low, high)),
        sparkline(row.trend),
        won,
    )


def _places(history: Sequence[RatingPoint]) -> list[float]:
    """Return the positions of the points by time, from 0 to 1; evenly spaced if within a second.

    The first rated game brings two points at once: the rating before it and after.
    """
    start = history[0].at.timestamp()
    span = history[-1].at.timestamp() - start
    if span < 1:
        return [at / (len(history) - 1) for at in range(len(history))]
    return [(point.at.timestamp() - start) / span for point in history]


def _times(begin: datetime, end: datetime) -> tuple[str, str]:
    """Return the labels of the time axis: days, or hours within one day."""
    first, last = timezone.localtime(begin), timezone.localtime(end)
    shape = "TIME_FORMAT" if first.date() == last.date() else "DATE_FORMAT"
    return date_format(first, shape), date_format(last, shape)
