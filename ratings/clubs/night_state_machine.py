"""State machine of club nights: draws pairings, begins games, seats tables, ends nights.

`ratings.stages.state_machine` takes the steps; this module says which one is due.
"""

from __future__ import annotations

import math
import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db.models import Q

from games.api import Match, Player, computer_of, house, job, true_now
from ratings.clubs import leagues, night_results, released, tournaments_first
from ratings.clubs.absences import (
    SIDES,
    absent_entrants,
    bound_entrants,
    busy_entrants,
    nights_elsewhere,
)
from ratings.clubs.pairing import draw
from ratings.clubs.refusals import refused
from ratings.clubs.short_tables import bring_together, entrants_of
from ratings.clubs.trios import draw_threes
from ratings.models import ClubNight, Entrant, NightGame, NightTable, Play, StandardGame
from ratings.stages.state_machine import StateMachine, Step
from ratings.standard import catalogue, seated

MIN_PLAYERS = 2
"""Players needed for a night to begin."""

State = ClubNight.State

_random = secrets.SystemRandom()


def advance(*, night: ClubNight, now: datetime | None = None) -> ClubNight:
    """Take all steps that are due; return the night in its new state."""
    return MACHINE.advance(night, now)


@job(tries=20)
def advance_later(pk: int) -> None:
    """Take the steps of a night that are due, by primary key."""
    MACHINE.advance_by_key(pk)


def advance_after(*, play: Play) -> None:
    """Advance the night of a finished play, if it belongs to one."""
    night = ClubNight.objects.filter(night_games__tables__play=play).first()
    if night is not None:
        advance(night=night)


def lock_night(night: ClubNight) -> ClubNight:
    """Return a night's row, locked until the transaction ends.

    Raises:
        Refused: ``night_gone`` if it was cancelled meanwhile.
    """
    try:
        return MACHINE.lock(night)
    except ClubNight.DoesNotExist:
        raise refused("night_gone") from None


def resume_nights(*, play: Play) -> None:
    """Have jobs look at the other nights of a finished play's people, as `resume_nights_of`."""
    people = play.attempts.filter(computer=False).values_list("player", flat=True)
    own = ClubNight.objects.filter(night_games__tables__play=play).first()
    resume_nights_of(list(people), other_than=own)


def resume_nights_of(players: Iterable[int], *, other_than: ClubNight | None = None) -> None:
    """Have jobs look at the nights of these players (primary keys) that may wait for them.

    A table may wait for them, or a night whose time has come may wait to begin.
    """
    due = Q(state=State.RUNNING) | Q(state=State.PLANNED, starts_at__lte=true_now())
    rows = ClubNight.objects.filter(due, entrants__player__in=players)
    if other_than is not None:
        rows = rows.exclude(pk=other_than.pk)
    for pk in rows.order_by("pk").values_list("pk", flat=True).distinct():
        advance_later.enqueue(pk)


def has_enough_players(night: ClubNight) -> bool:
    """Whether enough players are present to begin."""
    present, _ = _by_presence(night)
    return len(present) >= MIN_PLAYERS


def _by_presence(night: ClubNight) -> tuple[list[Entrant], list[Entrant]]:
    """Return the entrants who are there, and those who are playing at another night."""
    seated.hold()
    rows = list(night.entrants.filter(absent=False, player__is_active=True))
    elsewhere = nights_elsewhere(night=night, players=[row.player for row in rows])
    present = [row for row in rows if row.player_id not in elsewhere]
    return present, [row for row in rows if row.player_id in elsewhere]


def begin(night: ClubNight, now: datetime) -> None:
    """Draw the tables of all games; the house computer takes the seats that remain empty.

    Players are absent for as long as they play at another night.
    """
    present, elsewhere = _by_presence(night)
    sitting: list[Entrant | None] = [*present, *elsewhere]
    night.entrants.exclude(pk__in=[row.pk for row in (*present, *elsewhere)]).delete()
    night.entrants.filter(pk__in=[row.pk for row in elsewhere]).update(
        absent=True, from_game=Entrant.ELSEWHERE
    )
    _random.shuffle(sitting)
    empty = -len(sitting) % night.seats
    sitting += [None] * empty
    for number, tables in enumerate(_drawn(night, len(sitting), empty), start=1):
        game = NightGame.objects.create(night=night, number=number)
        NightTable.objects.bulk_create(
            NightTable(
                game=game,
                **{side: sitting[one] for side, one in zip(SIDES, table, strict=False)},
            )
            for table in tables
        )
    night.state, night.starts_at = State.RUNNING, min(night.starts_at, now)
    night.save(update_fields=["state", "starts_at"])


def _drawn(night: ClubNight, number: int, empty: int) -> Sequence[Sequence[tuple[int, ...]]]:
    if night.seats == 3:
        return draw_threes(number=number, games=night.games, empty=empty)
    return draw(number=number, games=night.games)


def seat_late_entrant(night: ClubNight, row: Entrant) -> None:
    """Give a player who joins late a seat in each game that has not begun.

    They take a seat of the house computer beside players whom they do not meet too often; where
    there is none they play the house computer, so that every game has a seat for them.
    """
    others = night.entrants.count() - 1
    # As often as in a draw of all of them.
    most = math.ceil(night.games * (night.seats - 1) / max(others, 1))
    sides = SIDES[: night.seats]
    free_seat = Q(*((side, None) for side in sides), _connector=Q.OR)
    met: Counter[int] = Counter()
    for game in night.night_games.filter(number__gt=night.current).order_by("number"):
        free = game.tables.filter(free_seat, play=None, idle=False)
        table = next(
            (each for each in free if all(met[key] < most for key in _entrant_keys(each))), None
        )
        if table is None:
            side = sides[(game.number - 1) % night.seats]
            table = NightTable.objects.create(game=game, **{side: row})
        else:
            side = next(side for side in sides if getattr(table, f"{side}_id") is None)
            setattr(table, side, row)
            table.save(update_fields=[side])
        met.update(_entrant_keys(table) - {row.pk})


def next_game(night: ClubNight, now: datetime) -> None:
    """Create the next closed game; later steps seat its tables."""
    game = night.night_games.get(number=night.current + 1)
    game.standard_game = catalogue.make(seats=night.seats, purpose=StandardGame.Purpose.CLUB)
    game.began_at = now
    game.save(update_fields=["standard_game", "began_at"])
    night.current += 1
    night.save(update_fields=["current"])


def _next_step(night: ClubNight, now: datetime) -> Step | None:
    """Return the step that is due; None if none is."""
    if night.is_planned:
        if now >= night.ends_at:
            return lambda: _finish(night, now)
        if not night.by_hand and now >= night.starts_at and has_enough_players(night):
            return lambda: begin(night, now)
        return None
    return _next_running_step(night, now) if night.is_running else None


def _next_running_step(night: ClubNight, now: datetime) -> Step | None:
    back = _back_from_elsewhere(night)
    if back:
        return lambda: _take_back(night, back)
    tables = list(
        NightTable.objects.filter(game__night=night, game__number__lte=night.current, idle=False)
        .filter(play__finished_at__isnull=True)
        .order_by("game__number", "pk")
    )
    waiting = [table for table in tables if table.play_id is None]
    ended = now >= night.ends_at
    if ended and waiting:
        return lambda: _cancel(waiting)
    playing = [table for table in tables if table.play_id is not None]
    ready = _ready_tables(night, waiting, playing, now) if waiting else []
    if ready:
        return lambda: _seat(night, ready, now)
    if night.current < night.games and not ended:
        return (lambda: next_game(night, now)) if not tables or _time_is_up(night, now) else None
    return None if tables else lambda: _finish(night, now)


def _back_from_elsewhere(night: ClubNight) -> list[Entrant]:
    """Return the entrants who were at another night when this one began, and no longer are."""
    rows = night.entrants.filter(absent=True, from_game=Entrant.ELSEWHERE)
    away = list(rows.filter(player__is_active=True).select_related("player"))
    if not away:
        return []
    seated.hold()
    elsewhere = nights_elsewhere(night=night, players=[row.player for row in away])
    return [row for row in away if row.player_id not in elsewhere]


def _take_back(night: ClubNight, rows: Sequence[Entrant]) -> None:
    """Seat these entrants from the next game on."""
    keys = [row.pk for row in rows]
    night.entrants.filter(pk__in=keys).update(absent=False, from_game=night.current + 1)


def _ready_tables(
    night: ClubNight, waiting: Sequence[NightTable], playing: Sequence[NightTable], now: datetime
) -> list[NightTable]:
    """Return the tables whose players are all free or away; no one sits at two tables of a night.

    They also wait for players of a table of another night or a tournament, who would lose that game
    by leaving, until it or the night ends. Until their game's time is up, they wait for players of
    a ranked table, too, and let a tournament's table go first that has waited longer for one of
    their players.
    """
    seated.hold()
    away = absent_entrants(night)
    busy = {key for table in playing for key in _entrant_keys(table)} - away
    elsewhere, bound = busy_entrants(night) - away, bound_entrants(night) - away
    late = _late_games(night, now)
    due = _due_at_tournaments(night, waiting, away, now)
    ready = []
    for table in waiting:
        awaited = busy | (bound if table.game_id in late else elsewhere | due[table.pk])
        if not awaited & _entrant_keys(table):
            ready.append(table)
            busy |= _entrant_keys(table) - away
    return ready


def _due_at_tournaments(
    night: ClubNight, waiting: Sequence[NightTable], away: set[int], now: datetime
) -> dict[int, set[int]]:
    """Return, by table, the entrants whose table of a tournament has waited longer than it."""
    keys = {key for table in waiting for key in _entrant_keys(table)} - away
    players = dict(night.entrants.filter(pk__in=keys).values_list("player", "pk"))
    awaited = tournaments_first.awaited_since(players, now)
    began = dict(night.night_games.values_list("pk", "began_at"))

    def is_first(since: datetime, table: NightTable) -> bool:
        at = began[table.game_id]
        return at is not None and since < at

    return {
        table.pk: {players[player] for player, since in awaited.items() if is_first(since, table)}
        for table in waiting
    }


def _late_games(night: ClubNight, now: datetime) -> set[int]:
    """Return the primary keys of the games whose time is up."""
    began = now - timedelta(minutes=night.minutes)
    return set(night.night_games.filter(began_at__lte=began).values_list("pk", flat=True))


def _entrant_keys(table: NightTable) -> set[int]:
    keys = (table.first_id, table.second_id, table.third_id)
    return {key for key in keys if key is not None}


def _time_is_up(night: ClubNight, now: datetime) -> bool:
    began = night.night_games.get(number=night.current).began_at
    return began is not None and now >= began + timedelta(minutes=night.minutes)


def _seat(night: ClubNight, tables: Sequence[NightTable], now: datetime) -> None:
    """Start the matches of these tables; the house computer plays for absent players.

    In a game whose time is up, players who still sit at a ranked table count as absent.
    """
    away = absent_entrants(night)
    late = _late_games(night, now)
    _seat_without(night, [table for table in tables if table.game_id not in late], away)
    missing = away | busy_entrants(night)
    _seat_without(night, [table for table in tables if table.game_id in late], missing)


def _seat_without(night: ClubNight, tables: Sequence[NightTable], away: set[int]) -> None:
    """Start the matches of these tables without some of the entrants (primary keys).

    Two players whose opponents are away play each other instead.
    """
    machine = computer_of(house().name)
    people = ("first__player", "second__player", "third__player")
    found = NightTable.objects.filter(pk__in=[table.pk for table in tables])
    found = found.select_related("game__standard_game__decks", *people)
    rows = list(found.order_by("game__number", "pk"))
    bring_together(night, rows, away)
    for table in rows:
        sitting = entrants_of(table)[: night.seats]
        players = [_player(row, away) or machine for row in sitting]
        table.idle = all(player == machine for player in players)
        if not table.idle:
            table.play = _begin(table, players)
        table.save(update_fields=["play", "idle"])


def _player(row: Entrant | None, away: set[int]) -> Player | None:
    return row.player if row is not None and row.pk not in away else None


def _begin(table: NightTable, players: Sequence[Player]) -> Play:
    game = table.game.standard_game
    if game is None:
        raise ValueError(f"game {table.game_id} has not begun")
    match = catalogue.start_match(
        game=game,
        players=players,
        kind=Play.Kind.CLUB,
        exclusion=Play.Exclusion.CHOSEN,
        clock=catalogue.arranged_clock(),
    )
    return Play.objects.get(match=match)


def _cancel(tables: Sequence[NightTable]) -> None:
    """Cancel these tables, since the night's time is over."""
    NightTable.objects.filter(pk__in=[table.pk for table in tables]).update(idle=True)
    keys = {key for table in tables for key in _entrant_keys(table)}
    players = Entrant.objects.filter(pk__in=keys).values_list("player", flat=True)
    released.tell(list(players))


def _finish(night: ClubNight, now: datetime) -> None:
    """End a night: close its games, store its results, and close its league after the last night.

    The cards may be shown from now on.
    """
    night.state, night.over_at = State.OVER, now
    night.save(update_fields=["state", "over_at"])
    for game in StandardGame.objects.filter(night_game__night=night):
        catalogue.close(game=game)
    night_results.store(night=night)
    resume_nights_of(night.entrants.values_list("player", flat=True), other_than=night)
    leagues.close_if_complete(night=night, now=now)


def _dates(night: ClubNight) -> list[datetime]:
    """Return a night's dates: its start, the end of each begun game's time, and its end."""
    if night.is_over:
        return []
    dates = [night.starts_at, night.ends_at]
    begun = night.night_games.values_list("began_at", flat=True)
    return dates + [at + timedelta(minutes=night.minutes) for at in begun if at is not None]


MACHINE = StateMachine[ClubNight](
    rows=ClubNight.objects.all,
    next_step=_next_step,
    dates=_dates,
    # Each step begins a game, seats free players, takes some back or ends the night.
    most_steps=lambda night: 3 * night.games + 5,
    matches=lambda night: Match.objects.filter(standard_play__night_table__game__night=night),
    wait=lambda pk, date: advance_later.using(run_after=date).enqueue(pk),
)
