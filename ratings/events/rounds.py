"""Steps within a round: which tables are decided, which get their next game, when it ends."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial

from django.db.models import QuerySet

from ratings.events import seating, waiting
from ratings.events.results import rules_of
from ratings.events.series import games_of, is_decided, places_of, winner_of
from ratings.models import Event, EventEntrant, EventGame, EventRound, EventTable, StandardGame
from ratings.stages.state_machine import Step
from ratings.standard import catalogue

SEATED_AT_ONCE = 25
"""Number of tables that one step seats, so that it locks the database only briefly."""


Release = Callable[[Collection[int]], None]
"""Takes the primary keys of players whose table got no game, so other events may seat them."""


def next_step(event: Event, current: EventRound, now: datetime, release: Release) -> Step | None:
    """Return the step of a running round that is due; None while games are played, or wait."""
    stopped = now >= event.ends_at
    tables = list(_open_tables(current))
    idle = [table for table in tables if not waiting.is_playing(table)]
    ready = [] if event.paused or stopped else waiting.ready(event, current, idle, now)
    fresh = [table for table in ready if not table.games.all()]
    if fresh:
        return partial(_seat, event, fresh[:SEATED_AT_ONCE], now, release)
    if not tables:
        return partial(_end, current, now)
    decided = [table for table in idle if is_decided(event, table)]
    if stopped and len(decided) < len(idle):
        return partial(_stop, idle, now, release)
    if decided:
        return partial(decide, decided, now)
    return partial(_seat, event, ready[:SEATED_AT_ONCE], now, release) if ready else None


def _open_tables(current: EventRound) -> QuerySet[EventTable]:
    """Return the tables that are not decided; without their players, as most wait for a game."""
    rows = current.tables.filter(ended_at__isnull=True)
    return rows.order_by("number").prefetch_related("games")


def _with_players(tables: Sequence[EventTable]) -> QuerySet[EventTable]:
    rows = EventTable.objects.filter(pk__in=[table.pk for table in tables]).order_by("number")
    people = ("first__player", "second__player", "third__player")
    return rows.select_related("round__standard_game__decks", *people).prefetch_related("games")


def decide(tables: Sequence[EventTable], now: datetime) -> None:
    """Store who won these tables."""
    for table in tables:
        place = winner_of(games_of(table))
        table.winner_id = None if place is None else places_of(table)[place]
        table.ended_at = now
    EventTable.objects.bulk_update(tables, ["winner", "ended_at"], batch_size=500)


def _stop(tables: Sequence[EventTable], now: datetime, release: Release) -> None:
    """Decide these tables by the games so far, since the event's time is over."""
    decide(tables, now)
    keys = {key for table in tables for key in places_of(table)}
    people = EventEntrant.objects.filter(pk__in=keys - {None}, computer=False)
    release(list(people.values_list("player", flat=True)))


def _seat(event: Event, tables: Sequence[EventTable], now: datetime, release: Release) -> None:
    """Start the next game at these tables, or award it if there is no opponent."""
    fills = rules_of(event).computer_fills
    waiting.give_up(event, tables)
    unseated: set[int] = set()
    for table in _with_players(tables):
        games = games_of(table)
        rows = _rows(event, table)
        places = [place for place, row in enumerate(rows) if row is not None]
        there = [place for place in places if _is_there(rows[place])]
        number = len(games) + 1
        if fills and there:
            seating.start_game(event=event, table=table, deals=0, number=number)
        elif not fills and len(there) == event.seats:
            deals = 1 - games[-1].deals if games else _first(table)
            seating.start_game(event=event, table=table, deals=deals, number=number)
        else:
            EventGame.objects.create(
                table=table,
                number=number,
                gone=[place for place in places if place not in there],
                winner=there[0] if there else None,
                ended_at=now,
            )
            unseated |= {row.player_id for row in rows if row is not None and not row.computer}
    if unseated:
        release(unseated)


def _rows(event: Event, table: EventTable) -> list[EventEntrant | None]:
    return [table.first, table.second, table.third][: event.seats]


def _first(table: EventTable) -> int:
    """Return who deals first: by lot in a bracket; otherwise the pairing put them in front."""
    return seating.first_dealer(2) if table.round.bracket else 0


def _is_there(row: EventEntrant | None) -> bool:
    return row is not None and not row.absent and row.player.is_active


def _end(current: EventRound, now: datetime) -> None:
    """End a round; its cards may be shown from now on."""
    current.ended_at = now
    current.save(update_fields=["ended_at"])
    if current.standard_game is not None:
        catalogue.close(game=current.standard_game)
    close_games(list(current.tables.all()))


def close_games(tables: Sequence[EventTable]) -> None:
    """Close the standard games of these tables that are still open."""
    games = StandardGame.objects.filter(
        played__event_game__table__in=[table.pk for table in tables], state=StandardGame.State.OPEN
    )
    for game in games.distinct():
        catalogue.close(game=game)
