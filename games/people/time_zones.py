"""A player's own time zone. Mails give times in it; pages do so by the browser's."""

from __future__ import annotations

from datetime import datetime, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

from games.models import Player
from games.text.dates import date_format, zone_text

REGIONS = frozenset({
    "Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian",
    "Pacific",
})  # fmt: skip
"""The first parts of the names of time zones that are places."""


@cache
def zone_names() -> tuple[str, ...]:
    """Return the time zones that players may choose, as Region/City."""
    return tuple(sorted(name for name in available_timezones() if name.split("/")[0] in REGIONS))


def zone_of(player: Player) -> tzinfo:
    """Return a player's time zone; the site's if they chose none."""
    if player.zone in zone_names():
        return ZoneInfo(player.zone)
    return timezone.get_default_timezone()


def local_moment(moment: datetime, player: Player) -> dict[str, str]:
    """Return the words for a moment where a player is: ``when``, date and time, and ``zone``."""
    local = timezone.localtime(moment, zone_of(player))
    when = f"{date_format(local)}, {date_format(local, 'H:i')}"
    return {"when": when, "zone": zone_text(local)}
