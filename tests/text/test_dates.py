"""Days and moments in words: scripts write them like that, too (local_time.test.js)."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.utils.translation import override

from games.text.dates import date_format, zone_text

EVENING = datetime(2026, 12, 1, 19, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "day"),
    [
        ("en", "Dec 1, 2026"),
        ("de", "1. Dezember 2026"),
        ("fr", "1er décembre 2026"),
        ("es", "1 de diciembre de 2026"),
    ],
)
def test_the_first_day_of_a_month_has_an_ordinal_in_french_only(language: str, day: str) -> None:
    shown = Template('{{ day|date:"SHORT_DATE_FORMAT" }}; {{ day|date:"c" }}; {{ none|date }}')
    with override(language):
        assert date_format(EVENING) == day
        assert date_format(EVENING, "DATETIME_FORMAT") == f"{day}, 19:00 UTC"
        text = shown.render(Context({"day": EVENING.date(), "none": None}))
        assert text == f"{day}; 2026-12-01; "
        assert "1er" not in date_format(date(2026, 12, 11))


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("UTC", "UTC"),
        ("Europe/Berlin", "UTC+1"),
        ("Asia/Kolkata", "UTC+5:30"),
        ("America/St_Johns", "UTC−3:30"),
    ],
)
def test_a_zone_is_its_distance_from_utc(zone: str, text: str) -> None:
    local = EVENING.astimezone(ZoneInfo(zone))
    assert zone_text(local) == text
    assert date_format(local, "DATETIME_FORMAT").endswith(f" {text}")
