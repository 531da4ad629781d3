"""iCalendar files (RFC 5545) of tournaments and club nights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.http import HttpResponse
from django.utils import timezone


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A date in a calendar; ``uid`` is unique in the world and never changes."""

    uid: str
    starts_at: datetime
    ends_at: datetime
    title: str
    address: str
    note: str = ""
    cancelled: bool = False


def calendar_file(entries: Iterable[Entry], *, name: str, product: str) -> HttpResponse:
    """Return dates as a file called ``name``; ``product`` says what made it, in English."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//Cribbage//{product}//EN"]
    for entry in entries:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{entry.uid}",
            f"DTSTAMP:{_stamp(timezone.now())}",
            f"DTSTART:{_stamp(entry.starts_at)}",
            f"DTEND:{_stamp(entry.ends_at)}",
            f"SUMMARY:{_escaped(entry.title)}",
            f"DESCRIPTION:{_escaped(entry.note)}",
            f"URL:{entry.address}",
            f"STATUS:{'CANCELLED' if entry.cancelled else 'CONFIRMED'}",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    text = "".join(f"{part}\r\n" for line in lines for part in _folded(line))
    response = HttpResponse(text.encode(), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.ics"'
    return response


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return text


def _folded(line: str) -> list[str]:
    """Return a line in parts of at most 75 bytes, as the format wants; later ones are indented."""
    parts, rest = [], line
    while len(rest.encode()) > 75:
        at = 70
        while len(rest[:at].encode()) > 74:
            at -= 1
        parts.append(rest[:at])
        rest = f" {rest[at:]}"
    return [*parts, rest]
