"""Reply times of players in correspondence matches: counted once, when a match has ended.

A reply lasts from the log entry that asked for it to the player's move, less their days off. The
lengths are counted in classes that grow by a quarter, so the median is right to about 12%, and no
profile reads a log. Cards played for the player (planned, forced, or by a substitute) are
not counted, nor is a second card right after one of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from games.log import store
from games.log.store import Entry
from games.models import Match, Player, ReplyTimes, Seat, Vacation
from games.models.moves import PLANNED

LEAST = 20
"""Minimum number of replies for a median."""

FIRST = timedelta(minutes=1)
"""The upper end of the first class."""

GROWTH = 1.25
"""The ratio of the upper ends of two classes."""

CLASSES = 56
"""Number of classes; the last has no upper end, and begins after four months."""


def add(match: Match) -> None:
    """Count the replies of a finished correspondence match, in the caller's transaction."""
    if match.days is None:
        return
    entries = store.whole(match.pk)
    seats = Seat.objects.filter(match=match, computer=False, player__isnull=False)
    for seat in seats.order_by("player_id"):
        if seat.player_id is not None:
            _count(seat.player_id, replies(entries, seat.seat, _days_off(seat.player_id)))


def replies(
    entries: Sequence[Entry], seat: int, off: Sequence[tuple[datetime, datetime]]
) -> list[timedelta]:
    """Return how long a seat took for its moves in a log; ``off`` are its player's days off."""
    found = []
    asked, by = None, None
    for entry in entries:
        sent = entry.seat == seat and entry.client_id and not entry.client_id.startswith(PLANNED)
        if sent and asked is not None and by != seat:
            found.append(_without(asked, entry.at, off))
        if " discard " not in entry.text:
            asked, by = entry.at, entry.seat
    return found


def median(player: Player) -> timedelta | None:
    """Return a player's median reply time; None with fewer than `LEAST` replies."""
    row = ReplyTimes.objects.filter(player=player).first()
    total = sum(row.counts) if row is not None else 0
    if row is None or total < LEAST:
        return None
    seen = 0
    for number, count in enumerate(row.counts):
        seen += count
        if 2 * seen >= total:
            return timedelta(seconds=FIRST.total_seconds() * GROWTH ** (number - 0.5))
    return None


def move(*, guest: Player, account: Player) -> None:
    """Add a guest's counts to the account that they log in to."""
    row = ReplyTimes.objects.filter(player=guest).first()
    if row is not None:
        _store(account.pk, row.counts)
        row.delete()


def _without(
    begun: datetime, ended: datetime, off: Sequence[tuple[datetime, datetime]]
) -> timedelta:
    away = (min(ended, until) - max(begun, began) for began, until in off)
    return ended - begun - sum((time for time in away if time > timedelta()), timedelta())


def _days_off(player: int) -> list[tuple[datetime, datetime]]:
    return list(Vacation.objects.filter(player=player).values_list("began", "until"))


def _count(player: int, times: Sequence[timedelta]) -> None:
    counts = [0] * CLASSES
    for time in times:
        counts[_class_of(time)] += 1
    if times:
        _store(player, counts)


def _class_of(time: timedelta) -> int:
    if time <= FIRST:
        return 0
    return min(CLASSES - 1, math.ceil(math.log(time / FIRST, GROWTH)))


def _store(player: int, counts: Sequence[int]) -> None:
    with transaction.atomic():
        ReplyTimes.objects.get_or_create(player_id=player, defaults={"counts": [0] * CLASSES})
        row = ReplyTimes.objects.select_for_update().get(player_id=player)
        row.counts = [old + new for old, new in zip(row.counts, counts, strict=True)]
        row.save(update_fields=["counts"])
