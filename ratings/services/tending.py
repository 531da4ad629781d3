"""A club night goes on: games drawn, begun, seated, closed.

Nothing runs by itself: whoever looks at the night, and every game that ends, sees to what is due.
Each step is taken with the night's row held, so that it is taken once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.api import Match, Player, Seat, computer_of, house
from ratings.models import ClubNight, Entrant, NightGame, NightTable, Play, StandardGame
from ratings.pairing import draw
from ratings.services import catalogue, collecting

CLOCK = 2 * catalogue.CLOCK
"""Seconds for each decision: it also gives people the time to come to their tables."""

LEAST = 2
"""Players without whom a night does not begin."""

State = ClubNight.State
Step = Callable[[], None]

_random = secrets.SystemRandom()


def tend(*, night: ClubNight, now: datetime | None = None) -> ClubNight:
    """Do what is due at this moment; return the night as it stands then."""
    moment = now or timezone.now()
    if night.is_over:
        return night
    _collect_missed(night)
    # A step begins a game, seats those who are free, or is the last one.
    for _ in range(3 * night.games + 3):
        if _due(night, moment) is None:
            break
        with transaction.atomic():
            night = held(night)
            step = _due(night, moment)
            if step is None:
                break
            step()
    return night


def tend_after(*, play: Play) -> None:
    """See to the night that a play belongs to, if it does to one: the play is over."""
    night = ClubNight.objects.filter(night_games__tables__play=play).first()
    if night is not None:
        tend(night=night)


def held(night: ClubNight) -> ClubNight:
    """Return a night's row, held until the transaction ends."""
    return ClubNight.objects.select_for_update().get(pk=night.pk)


def enough(night: ClubNight) -> bool:
    """Whether as many are there as a night needs."""
    return night.entrants.filter(absent=False).count() >= LEAST


def gone(night: ClubNight) -> set[int]:
    """Return who is not seated any more, by the primary keys of entrants.

    Who was marked as absent, and who left a table of the night or ran out of time, until he
    comes back.
    """
    lost: dict[int, int] = {}
    for player, number in left_seats(night).values_list(
        "player_id", "match__standard_play__night_table__game__number"
    ):
        lost[player or 0] = max(number, lost.get(player or 0, 0))
    return {
        row.pk
        for row in night.entrants.all()
        if row.absent or lost.get(row.player_id, 0) >= row.from_game
    }


def left_seats(night: ClubNight) -> QuerySet[Seat]:
    """Return the seats at a night's tables that people have left for good."""
    return Seat.objects.filter(
        match__standard_play__night_table__game__night=night,
        computer=False,
        left_at__isnull=False,
    )


def begin(night: ClubNight, now: datetime) -> None:
    """Draw who meets whom in all games; an odd number is made even by the house computer."""
    night.entrants.filter(absent=True).delete()
    sitting: list[Entrant | None] = list(night.entrants.all())
    _random.shuffle(sitting)
    if len(sitting) % 2:
        sitting.append(None)
    for number, pairs in enumerate(draw(number=len(sitting), games=night.games), start=1):
        game = NightGame.objects.create(night=night, number=number)
        NightTable.objects.bulk_create(
            NightTable(game=game, first=sitting[first], second=sitting[second])
            for first, second in pairs
        )
    night.state, night.starts_at = State.RUNNING, min(night.starts_at, now)
    night.save(update_fields=["state", "starts_at"])


def next_game(night: ClubNight, now: datetime) -> None:
    """Make the next closed game; its tables are seated by the steps that follow."""
    game = night.night_games.get(number=night.current + 1)
    game.standard_game = catalogue.make(seats=2, purpose=StandardGame.Purpose.CLUB)
    game.began_at = now
    game.save(update_fields=["standard_game", "began_at"])
    night.current += 1
    night.save(update_fields=["current"])


def _due(night: ClubNight, now: datetime) -> Step | None:
    """Return what is to be done, None for nothing."""
    if night.is_planned:
        if now >= night.ends_at:
            return lambda: _over(night, now)
        if now >= night.starts_at and enough(night):
            return lambda: begin(night, now)
        return None
    return _due_while_running(night, now) if night.is_running else None


def _due_while_running(night: ClubNight, now: datetime) -> Step | None:
    tables = list(
        NightTable.objects.filter(game__night=night, game__number__lte=night.current, idle=False)
        .filter(play__finished_at__isnull=True)
        .select_related("game__standard_game__decks", "first__player", "second__player", "play")
        .order_by("game__number", "pk")
    )
    waiting = [table for table in tables if table.play is None]
    ended = now >= night.ends_at
    if ended and waiting:
        return lambda: _let_be(waiting)
    ready = _ready(waiting, [table for table in tables if table.play is not None])
    if ready:
        return lambda: _seat(night, ready)
    if night.current < night.games and not ended:
        return (lambda: next_game(night, now)) if not tables or _time_is_up(night, now) else None
    return None if tables else lambda: _over(night, now)


def _ready(waiting: Sequence[NightTable], playing: Sequence[NightTable]) -> list[NightTable]:
    """Return the tables whose players are both free; nobody sits down at two."""
    busy = {key for table in playing for key in _keys(table)}
    ready = []
    for table in waiting:
        if not busy & _keys(table):
            ready.append(table)
            busy |= _keys(table)
    return ready


def _keys(table: NightTable) -> set[int]:
    return {key for key in (table.first_id, table.second_id) if key is not None}


def _time_is_up(night: ClubNight, now: datetime) -> bool:
    began = night.night_games.get(number=night.current).began_at
    return began is not None and now >= began + timedelta(minutes=night.minutes)


def _seat(night: ClubNight, tables: Sequence[NightTable]) -> None:
    """Begin matches; the house computer has the seats of who is not there."""
    away = gone(night)
    machine = computer_of(house().name)
    for table in tables:
        players = [_player(row, away) or machine for row in (table.first, table.second)]
        table.idle = players == [machine, machine]
        if not table.idle:
            table.play = _begin(table, players)
        table.save(update_fields=["play", "idle"])


def _player(row: Entrant | None, away: set[int]) -> Player | None:
    return row.player if row is not None and row.pk not in away else None


def _begin(table: NightTable, players: Sequence[Player]) -> Play:
    game = table.game.standard_game
    if game is None:
        raise ValueError(f"game {table.game_id} has not begun")
    match = catalogue.seat_down(
        game=game,
        players=players,
        kind=Play.Kind.CLUB,
        exclusion=Play.Exclusion.CHOSEN,
        clock=CLOCK,
    )
    return Play.objects.get(match=match)


def _let_be(tables: Sequence[NightTable]) -> None:
    """Begin these no more: the night's time is over."""
    NightTable.objects.filter(pk__in=[table.pk for table in tables]).update(idle=True)


def _over(night: ClubNight, now: datetime) -> None:
    """End a night, and close its games: from now on their cards may be shown."""
    night.state, night.over_at = State.OVER, now
    night.save(update_fields=["state", "over_at"])
    for game in StandardGame.objects.filter(night_game__night=night):
        catalogue.close(game=game)


def _collect_missed(night: ClubNight) -> None:
    """Collect what a process that died has left, as `collecting.sweep` does."""
    missed = Match.objects.filter(
        standard_play__night_table__game__night=night,
        standard_play__finished_at__isnull=True,
        status=Match.Status.FINISHED,
    )
    for pk in list(missed.values_list("pk", flat=True)):
        collecting.collect(match=pk)
