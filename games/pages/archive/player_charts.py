"""Charts of a profile: averages and luck as dots with a band, and the calendar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.safestring import SafeString

from games.archive.averages import Average, LuckSummary
from games.archive.profile import DayPlayed
from games.pages.charts.calendar import calendar
from games.pages.charts.rows import dot_row

ROOM = 1.1
"""Length of an axis, as a multiple of what it has to show."""


@dataclass(frozen=True, slots=True)
class AverageRow:
    """An average and its chart: points beyond the value of the cards, as a dot."""

    line: Average
    chart: SafeString


@dataclass(frozen=True, slots=True)
class LuckRow:
    """A kind of luck and its chart."""

    line: LuckSummary
    chart: SafeString


@dataclass(frozen=True, slots=True)
class Month:
    """The matches of a month, by its first day."""

    first: date
    days: int
    matches: int
    won: int


@dataclass(frozen=True, slots=True)
class PlayedCalendar:
    """The days played as a picture, and by month, newest first."""

    picture: SafeString
    months: tuple[Month, ...]


def average_rows(lines: Sequence[Average]) -> list[AverageRow]:
    """Return the rows of one table, on one axis whose middle is the value of the cards."""
    shown = [
        each
        for line in lines
        for each in (line.difference, line.field_difference, line.band)
        if each is not None
    ]
    span = _span(shown)
    return [
        AverageRow(
            line,
            SafeString("")
            if line.difference is None
            else dot_row(
                line.difference,
                span=span,
                band=None if line.band is None else (-line.band, line.band),
                mark=line.field_difference,
                zero=0.0,
            ),
        )
        for line in lines
    ]


def luck_rows(lines: Sequence[LuckSummary]) -> list[LuckRow]:
    """Return the rows of luck, on one axis whose middle is no luck."""
    span = _span([each for line in lines for each in (line.mean, line.band)])
    return [
        LuckRow(
            line,
            dot_row(
                line.mean,
                span=span,
                band=(-line.band, line.band),
                zero=0.0,
                kind="" if line.is_within else "outside",
            ),
        )
        for line in lines
    ]


def played_calendar(days: Mapping[date, DayPlayed], *, today: date) -> PlayedCalendar | None:
    """Return the calendar that ends today; None without matches."""
    if not days:
        return None
    months: dict[date, list[DayPlayed]] = {}
    for day in sorted(days, reverse=True):
        months.setdefault(day.replace(day=1), []).append(days[day])
    return PlayedCalendar(
        calendar({day: each.matches for day, each in days.items()}, today=today),
        tuple(
            Month(first, len(each), sum(d.matches for d in each), sum(d.won for d in each))
            for first, each in months.items()
        ),
    )


def _span(values: Sequence[float]) -> tuple[float, float]:
    reach = ROOM * max(map(abs, values), default=0.0) or 1.0
    return -reach, reach
