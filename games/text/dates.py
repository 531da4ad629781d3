"""Days and moments in words, in the form of the reader's language; scripts write the same."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.utils import dateformat
from django.utils.formats import get_format
from django.utils.translation import get_language

MINUS = "\N{MINUS SIGN}"


def date_format(day: date, form: str = "DATE_FORMAT") -> str:
    """Return a day or a moment in words, by the name of a format or by Django's letters.

    French has an ordinal for the first day of a month: "1er décembre 2026". A zone is written as
    its distance from UTC, which needs no translation.
    """
    shape = get_format(form)
    if day.day == 1 and (get_language() or "").startswith("fr"):
        shape = shape.replace("j F", r"j\e\r F")
    if isinstance(day, datetime) and shape.endswith("T"):
        letters = "".join(f"\\{letter}" for letter in zone_text(day))
        shape = shape.removesuffix("T") + letters
    return dateformat.format(day, shape)


def zone_text(moment: datetime) -> str:
    """Return a moment's distance from UTC: "UTC", "UTC+1", "UTC−3:30"."""
    ahead = moment.utcoffset() or timedelta()
    hours, minutes = divmod(abs(ahead) // timedelta(minutes=1), 60)
    if not hours and not minutes:
        return "UTC"
    sign = MINUS if ahead < timedelta() else "+"
    return f"UTC{sign}{hours}" + (f":{minutes:02}" if minutes else "")
