"""A player's quiet hours, in their time zone.

In these no notice of a turn is sent: it waits for their end. Deadlines are not moved out of them:
both players rely on one deadline, which no setting of one of them may change. Since decisions have
whole days, it falls at the time of day at which the opponent moved, and until the opponent acts a
late move counts.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from games.models import Player
from games.ops import true_time
from games.people.time_zones import zone_of


def quiet_since(player: Player, *, now: datetime) -> datetime | None:
    """Return the beginning of a player's quiet hours that include a moment; None outside them."""
    if player.quiet_from is None or quiet_until(player, now=now) is None:
        return None
    local = now.astimezone(zone_of(player))
    found = local.replace(hour=player.quiet_from, minute=0, second=0, microsecond=0)
    return found if found <= local else found - timedelta(days=1)


def quiet_until(player: Player, *, now: datetime | None = None) -> datetime | None:
    """Return the end of a player's quiet hours; None outside them."""
    begin, end = player.quiet_from, player.quiet_until
    if begin is None or end is None or begin == end:
        return None
    local = (now or true_time.now()).astimezone(zone_of(player))
    after = local.hour >= begin
    before = local.hour < end
    if not ((after and before) if begin < end else (after or before)):
        return None
    found = local.replace(hour=end, minute=0, second=0, microsecond=0)
    return found if before else found + timedelta(days=1)
