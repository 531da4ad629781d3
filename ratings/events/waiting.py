"""Tables of a tournament that wait for players who sit at another timed table.

For a ranked table, which players choose themselves, they wait as long as the organiser chose to
wait for absent players. Then the game begins without those players, who are absent until they come
back. For a table of a club night or of another tournament they wait until its game ends: players
who left it would lose it. An arena pairs only those who are free.

They also let a table of a club night or of another tournament go first that has waited longer for
one of their players; nights do the same for them (`ratings.clubs.tournaments_first`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from games.api import Player, Seat, true_now
from ratings.clubs.absences import awaited_since
from ratings.events.pairings import present
from ratings.events.results import rules_of
from ratings.events.series import is_decided, places_of
from ratings.models import Event, EventEntrant, EventGame, EventRound, EventTable, Play
from ratings.standard import seated

Turn = tuple[datetime, int]
"""Since when a table waits, and its event's primary key, or 0 at a night; the least goes first."""


def busy_entrants(event: Event) -> set[int]:
    """Return the primary keys of entrants, not absent, who sit at a table of something else."""
    rows = event.entrants.filter(computer=False, absent=False)
    players = seats_elsewhere(event).values("player")
    return set(rows.filter(player__in=players).values_list("pk", flat=True))


def _bound_entrants(event: Event) -> set[int]:
    """Return those of the busy entrants whom a club night or another tournament has seated."""
    rows = event.entrants.filter(computer=False, absent=False)
    seats = seats_elsewhere(event).exclude(match__standard_play__kind=Play.Kind.RANKED)
    return set(rows.filter(player__in=seats.values("player")).values_list("pk", flat=True))


def awaited_entrants(event: Event, now: datetime) -> dict[int, Turn]:
    """Return the turns of tables elsewhere that wait for entrants, by primary key."""
    rows = event.entrants.filter(computer=False, absent=False)
    turns = {player: [(since, 0)] for player, since in awaited_since(rows.values("player")).items()}
    for other in _others_with(rows, event, now):
        for player, since in _awaited_by(other).items():
            turns.setdefault(player, []).append((since, other.pk))
    own = rows.filter(player__in=turns).values_list("pk", "player") if turns else ()
    return {pk: min(turns[player]) for pk, player in own}


def _others_with(rows: QuerySet[EventEntrant], event: Event, now: datetime) -> QuerySet[Event]:
    """Return the other events in which tables may wait for these entrants; none in an arena."""
    return _events_of(rows.values("player"), now).exclude(pk=event.pk)


def _events_of(players: QuerySet[Any, Any] | Collection[int], now: datetime) -> QuerySet[Event]:
    """Return the events in which tables may wait for these players (primary keys); no arenas."""
    running = Event.objects.filter(state=Event.State.RUNNING, paused=False, ends_at__gt=now)
    found = EventEntrant.objects.filter(computer=False, absent=False, player__in=players)
    return running.filter(pk__in=found.values("event")).exclude(format=Event.Format.ARENA)


def players_awaited(players: Collection[int], now: datetime) -> dict[int, datetime]:
    """Return since when a table of an event waits for players, by primary key, where one does."""
    found: dict[int, datetime] = {}
    for event in _events_of(players, now) if players else ():
        for player, since in _awaited_by(event).items():
            if player in players:
                found[player] = min(since, found.get(player, since))
    return found


def _awaited_by(event: Event) -> dict[int, datetime]:
    """Return since when a table of an event waits for its next game, by a player's primary key."""
    current = event.played.filter(ended_at__isnull=True).first()
    if current is None:
        return {}
    # Most tables play: reading hundreds of them would keep the queue and other events waiting.
    playing = EventGame.objects.filter(table=OuterRef("pk"), ended_at__isnull=True)
    rows = current.tables.filter(~Exists(playing), ended_at__isnull=True)
    people = rows.select_related("first", "second", "third").prefetch_related("games")
    waiting = [table for table in people if not is_decided(event, table)]
    if not waiting:
        return {}
    return {
        row.player_id: _waits_since(current, table)
        for table in _with_game(event, waiting)
        for row in (table.first, table.second, table.third)
        if row is not None and not row.computer and not row.absent
    }


def event_awaiting(player: Player, *, before: datetime, now: datetime) -> Event | None:
    """Return the event whose table has waited longest for a player, if it began to before this."""
    turns: dict[Turn, Event] = {}
    for event in _events_of([player.pk], now):
        since = _awaited_by(event).get(player.pk)
        if since is not None and since < before:
            turns[since, event.pk] = event
    return turns[min(turns)] if turns else None


def event_first(event: Event, player: Player, *, since: datetime | None) -> Event | None:
    """Return the other tournament whose table goes first for a player of a running event, or None.

    ``since``: when their table of the event began to wait, if there is one.
    """
    rows = event.entrants.filter(player=player, computer=False, absent=False)
    turns: dict[Turn, Event] = {}
    for other in _others_with(rows, event, true_now()):
        began = _awaited_by(other).get(player.pk)
        if began is not None:
            turns[began, other.pk] = other
    first = min(turns, default=None)
    if first is None or (since is not None and (since, event.pk) < first):
        return None
    return turns[first]


def table_elsewhere(*, event: Event, player: Player) -> str:
    """Return the public id of the match that a player of a running event plays elsewhere, or ""."""
    if not event.is_running:
        return ""
    seats = seats_elsewhere(event).filter(player=player).order_by("match")
    return seats.values_list("match__public_id", flat=True).first() or ""


def seats_elsewhere(event: Event) -> QuerySet[Seat]:
    """Return the seats at running timed tables of anything but this event."""
    own = "match__standard_play__event_game__table__round__event"
    return seated.taken_seats().exclude(**{own: event})


def ready(
    event: Event, current: EventRound, tables: Sequence[EventTable], now: datetime
) -> list[EventTable]:
    """Return which of these tables without a running game need not wait any longer.

    A table with too few players for a game needs none: it is awarded. In a transaction, no one is
    seated elsewhere until its end.
    """
    if not tables:
        return []
    seated.hold()
    busy, awaited = busy_entrants(event), awaited_entrants(event, now)
    bound = _bound_entrants(event)
    played = {table.pk for table in _with_game(event, tables)}

    def is_ready(table: EventTable) -> bool:
        since, entrants = _waits_since(current, table), _entrants(table)
        if table.pk not in played:
            return True
        if bound & entrants:
            return False
        if now >= since + timedelta(minutes=event.no_show):
            return True
        turn = (since, event.pk)
        return not busy & entrants and not any(awaited.get(key, turn) < turn for key in entrants)

    return [table for table in tables if is_ready(table)]


def give_up(event: Event, tables: Iterable[EventTable]) -> None:
    """Mark the players of these tables who still sit elsewhere as absent where a game begins."""
    keys = {key for table in _with_game(event, tables) for key in _entrants(table)}
    EventEntrant.objects.filter(pk__in=keys & busy_entrants(event)).update(absent=True)


def dates(event: Event) -> list[datetime]:
    """Return when tables of the current round have waited long enough."""
    current = event.played.filter(ended_at__isnull=True).first()
    if current is None:
        return []
    tables = current.tables.filter(ended_at__isnull=True).prefetch_related("games")
    wait = timedelta(minutes=event.no_show)
    return [_waits_since(current, table) + wait for table in tables if not is_playing(table)]


def is_playing(table: EventTable) -> bool:
    """Whether a game is under way at a table, with its games fetched."""
    return any(game.ended_at is None for game in table.games.all())


def _with_game(event: Event, tables: Iterable[EventTable]) -> list[EventTable]:
    """Return which of these tables have the players for a game; the others are awarded."""
    if rules_of(event).computer_fills:
        return list(tables)
    there = {row.pk for row in present(event)}
    return [table for table in tables if len(_entrants(table) & there) == event.seats]


def _waits_since(current: EventRound, table: EventTable) -> datetime:
    ended = [game.ended_at for game in table.games.all() if game.ended_at is not None]
    return max([current.began_at, *ended])


def _entrants(table: EventTable) -> set[int]:
    return {key for key in places_of(table) if key is not None}
