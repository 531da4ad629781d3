"""Arena: while it runs, players who are free are paired immediately."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial

from games.api import true_now
from ratings.events import pairings, rounds, seating, swiss, waiting
from ratings.events.results import order, totals
from ratings.models import Event, EventEntrant, EventRound, EventTable
from ratings.stages.state_machine import Step
from ratings.standard import seated

AGAIN_AFTER = timedelta(seconds=20)
"""Time after which two players may meet again, if there is no one else to play."""


def next_step(event: Event, current: EventRound, now: datetime) -> Step | None:
    """Return the step of a running arena that is due; None while it has to wait."""
    over = current.tables.filter(ended_at__isnull=True, games__ended_at__isnull=False)
    if over.exists():
        return partial(_end_tables, current, now)
    if now >= _end(event):
        playing = current.tables.filter(ended_at__isnull=True).exists()
        return None if playing else partial(_end_round, current, now)
    if event.paused:
        return None
    tables = _pairs(event, current, now)
    return partial(_seat, event, current, tables) if tables else None


def dates(event: Event) -> list[datetime]:
    """Return when an arena ends, and when two players may meet again."""
    last = EventTable.objects.filter(round__event=event, ended_at__isnull=False)
    ended = last.order_by("-ended_at").values_list("ended_at", flat=True).first()
    again = [] if ended is None else [ended + AGAIN_AFTER]
    return [_end(event), *again]


def _end(event: Event) -> datetime:
    return min(event.ends_at, event.starts_at + timedelta(minutes=event.minutes))


def _end_tables(current: EventRound, now: datetime) -> None:
    """End the tables whose game is over; no one else plays their cards."""
    rows = current.tables.filter(ended_at__isnull=True, games__ended_at__isnull=False)
    tables = list(rows.prefetch_related("games"))
    rounds.decide(tables, now)
    rounds.close_games(tables)


def _end_round(current: EventRound, now: datetime) -> None:
    current.ended_at = now
    current.save(update_fields=["ended_at"])


def _pairs(event: Event, current: EventRound, now: datetime) -> list[pairings.Sitting]:
    """Return the tables to seat: free players of similar standing.

    The last opponents do not meet again at once, and later only if there is no one else.

    Two computers never meet: they would play one game after another in no time.
    """
    busy = _sitting(current.tables.filter(ended_at__isnull=True)) | _busy_elsewhere(event, now)
    free = [row for row in pairings.present(event) if row.pk not in busy]
    if len(free) < event.seats or all(row.computer for row in free):
        return []
    found = totals(event, free)
    ranked = order(event, free, found)
    if event.seats == 3:
        return _threes(ranked)
    last_met = _last_opponents(current)
    barred = _barred(free, last_met, now)
    shunned = {key: others for key, (_ended_at, others) in last_met.items()}
    pairs = swiss.pair_some([row.pk for row in ranked], barred, shunned)
    lead = {key: sum(total.dealt) for key, total in found.items()}
    dealt_last = {key: total.dealt[-1] if total.dealt else 0 for key, total in found.items()}
    return list(swiss.seat(pairs, lead, dealt_last))


def _busy_elsewhere(event: Event, now: datetime) -> set[int]:
    """Return the entrants who sit elsewhere, or for whom a table waits there."""
    seated.hold()
    return waiting.busy_entrants(event) | set(waiting.awaited_entrants(event, now))


def _threes(ranked: list[EventEntrant]) -> list[pairings.Sitting]:
    """Return tables of three with a person at each; one or two wait."""
    people = [row.pk for row in ranked if not row.computer]
    computers = [row.pk for row in ranked if row.computer]
    tables: list[pairings.Sitting] = []
    while people and len(people) + len(computers) >= 3:
        table = (people[:3] + computers)[:3]
        people = [key for key in people if key not in table]
        computers = [key for key in computers if key not in table]
        tables.append(tuple(table))
    return tables


def _last_opponents(current: EventRound) -> dict[int, tuple[datetime, set[int]]]:
    """Return when each entrant's last game ended, and the opponent in it."""
    last: dict[int, tuple[datetime, set[int]]] = {}
    rows = current.tables.filter(ended_at__isnull=False).order_by("number")
    for first, second, ended_at in rows.values_list("first", "second", "ended_at"):
        for one, other in ((first, second), (second, first)):
            if ended_at is not None and other is not None:
                last[one] = (ended_at, {other})
    return last


def _barred(
    free: Iterable[EventEntrant], last: Mapping[int, tuple[datetime, set[int]]], now: datetime
) -> dict[int, set[int]]:
    """Return whom each free player is not paired with now."""
    barred: dict[int, set[int]] = {row.pk: set() for row in free}
    computers = {row.pk for row in free if row.computer}
    for key in computers:
        barred[key] |= computers - {key}
    for key, (ended_at, others) in last.items():
        if key in barred and now < ended_at + AGAIN_AFTER:
            barred[key] |= others
    return barred


def _sitting(tables: Iterable[EventTable]) -> set[int]:
    return {
        key
        for table in tables
        for key in (table.first_id, table.second_id, table.third_id)
        if key is not None
    }


def _seat(event: Event, current: EventRound, sittings: list[pairings.Sitting]) -> None:
    """Create these tables, and start their games."""
    first = current.tables.count()
    pairings.add_tables(current, sittings, first=first)
    rows = current.tables.filter(number__gte=first)
    for table in rows.select_related("first__player", "second__player", "third__player"):
        seating.start_game(event=event, table=table, deals=0, number=1)


def minutes_left(event: Event) -> int:
    """Return the minutes until an arena under way ends, rounded up; 0 for other events."""
    if not event.is_running or event.format != Event.Format.ARENA:
        return 0
    return -(-seconds_left(event) // 60)


def seconds_left(event: Event) -> int:
    """Return the seconds until an arena ends."""
    return max(0, int((_end(event) - true_now()).total_seconds()))
