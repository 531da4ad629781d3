"""Ratings kept up with results: each finished play is pushed through the model, once.

Rated plays are numbered in the order in which they are pushed, under a lock. A process keeps the
model's rows in memory; before it pushes it takes in what other processes have pushed since.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from ratings.model.constants import THREE_SEATS, TWO_SEATS_PAR, Constants
from ratings.model.explain import Account, Part, explain
from ratings.model.push import Move, Push
from ratings.model.results import Results
from ratings.model.scale import is_provisional, list_order
from ratings.model.scale import rating as elo_of
from ratings.models import Attempt, Play, Rating, RatingChange, StandardGame
from ratings.services import locks, pars

logger = logging.getLogger(__name__)

CONSTANTS = {2: TWO_SEATS_PAR, 3: THREE_SEATS}
PARTS_TOLD = 8
"""Parts of a change that are stored one by one; the others are summed up."""
FEW = 500
"""Plays that are asked for by their keys."""
TOLD_ELO = 0.05
"""A change smaller than this is no news."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rated play as the model wants it: keys of the database, margins from seat 0 on."""

    play: int
    sequence: int | None
    game: int
    players: tuple[int, ...]
    margins: tuple[float, ...]
    par: tuple[float, ...] | None


class Numbers:
    """Numbers 0, 1, 2 ... for keys, in the order in which they are first met."""

    def __init__(self) -> None:
        self.keys: list[int] = []
        self._numbers: dict[int, int] = {}

    def of(self, key: int) -> int:
        """Return the number of a key."""
        number = self._numbers.setdefault(key, len(self.keys))
        if number == len(self.keys):
            self.keys.append(key)
        return number


class Rows:
    """Rows of the database as the model's columns."""

    def __init__(self, seats: int) -> None:
        self.constants: Constants = CONSTANTS[seats]
        self.players = Numbers()
        self.games = Numbers()

    def results(self, rows: Sequence[Row]) -> Results:
        """Return the columns of these rows."""
        if not rows:
            return Results.empty(self.constants.seats)
        par = None
        if self.constants.beta:
            par = np.array([row.par or (0.0,) * len(row.players) for row in rows])
        return Results.from_relative(
            [[self.players.of(player) for player in row.players] for row in rows],
            [self.games.of(row.game) for row in rows],
            [row.margins for row in rows],
            par=par,
            key=[row.play for row in rows],
        )


class Rater:
    """All rated plays of one number of seats, in the memory of this process."""

    def __init__(self, seats: int, epoch: str, upto: int) -> None:
        self.seats = seats
        self.epoch = epoch
        self.upto = upto
        self.rows = Rows(seats)
        rated = rows_of(seats=seats, upto=upto)
        self.push = Push(self.rows.results(rated), self.rows.constants)

    def take(self, row: Row) -> tuple[Move, ...]:
        """Take in one play; return who moved."""
        moves = self.push.add(self.rows.results([row]))
        self.upto = row.sequence or self.upto
        return moves


_raters: dict[int, Rater] = {}
_here = threading.Lock()


def push(*, seats: int) -> int:
    """Rate all finished plays that are not rated yet; return how many there were."""
    with _here:
        try:
            with transaction.atomic():
                return _push(seats)
        except BaseException:
            _raters.pop(seats, None)  # it may hold what was not stored
            raise


def _push(seats: int) -> int:
    lock = locks.hold(locks.ratings(seats))
    fresh = rows_of(seats=seats, fresh=True)
    if not fresh:
        return 0
    rater = _raters.get(seats)
    if rater is None or rater.epoch != lock.epoch or rater.upto > lock.number:
        rater = _raters[seats] = Rater(seats, lock.epoch, lock.number)
    if rater.upto < lock.number:
        for row in rows_of(seats=seats, after=rater.upto, upto=lock.number):
            rater.take(row)
    for row in fresh:
        lock.number += 1
        Play.objects.filter(pk=row.play).update(sequence=lock.number)
        rater.upto = lock.number
        moves = rater.take(row)
        store(rater, moves, seated=row.players)
    lock.save(update_fields=["number"])
    return len(fresh)


def number_fresh(*, seats: int, after: int) -> int:
    """Give the plays that are not rated yet their numbers, without rating them; return how many.

    With the lock held.
    """
    fresh = rows_of(seats=seats, fresh=True)
    plays = [Play(pk=row.play, sequence=after + at) for at, row in enumerate(fresh, start=1)]
    Play.objects.bulk_update(plays, ["sequence"], batch_size=500)
    return len(plays)


def rows_of(
    *,
    seats: int,
    after: int = 0,
    upto: int | None = None,
    fresh: bool = False,
    raw: bool = False,
) -> list[Row]:
    """Return rated plays in the order of rating, or the fresh ones, which are not rated yet.

    ``raw``: with the margins as counted, not as the last refit has pulled them in.
    """
    found = Attempt.objects.filter(
        play__exclusion=Play.Exclusion.NONE,
        play__finished_at__isnull=False,
        play__sequence__isnull=fresh,
        standard_game__seats=seats,
    )
    if fresh:
        few = list(_fresh_plays()[: FEW + 1])
        if len(few) <= FEW:
            found = found.filter(play_id__in=few)  # a join would walk through all attempts
    else:
        found = found.filter(play__sequence__gt=after)
        if upto is not None:
            found = found.filter(play__sequence__lte=upto)
    order = ("play__finished_at", "play_id", "seat") if fresh else ("play__sequence", "seat")
    table = found.order_by(*order).values_list(
        "play_id", "play__sequence", "standard_game_id", "player_id", "counted", "pulled"
    )
    grouped = [(key, list(rows)) for key, rows in groupby(table.iterator(), lambda row: row[:3])]
    pars = _pars({key[2] for key, _ in grouped}) if CONSTANTS[seats].beta else {}
    return [
        Row(
            play,
            sequence,
            game,
            tuple(row[3] for row in rows),
            tuple(float((row[4] if raw or row[5] is None else row[5]) or 0.0) for row in rows),
            pars.get(game),
        )
        for (play, sequence, game), rows in grouped
        if len(rows) == seats
    ]


def _fresh_plays() -> QuerySet[Play, int]:
    return Play.objects.filter(
        exclusion=Play.Exclusion.NONE, finished_at__isnull=False, sequence__isnull=True
    ).values_list("pk", flat=True)


def _pars(games: Iterable[int]) -> dict[int, tuple[float, ...]]:
    """Return the par of each game, worked out where that has not been done yet."""
    wanted = set(games)
    found: dict[int, tuple[float, ...]] = {}
    rows = StandardGame.objects.filter(seats=2)
    if len(wanted) <= 500:
        rows = rows.filter(pk__in=wanted)
    for pk, par in rows.values_list("pk", "par"):
        if par is not None:
            found[pk] = tuple(par)
    for pk in wanted - found.keys():
        game = StandardGame.objects.select_related("decks").get(pk=pk)
        found[pk] = tuple(pars.par_of(game=game))
    return found


def store(rater: Rater, moves: Sequence[Move], *, seated: Sequence[int]) -> None:
    """Write the ratings of whoever moved, and why."""
    keys = rater.rows.players.keys
    players = [keys[move.player] for move in moves]
    known = {
        row.player_id: row
        for row in Rating.objects.filter(player_id__in=players, seats=rater.seats)
    }
    computers = set(
        Attempt.objects.filter(player_id__in=players, computer=True).values_list(
            "player_id", flat=True
        )
    )
    now = timezone.now()
    ratings, changes = [], []
    for move, player in zip(moves, players, strict=True):
        rd = rater.push.rd(move.player)
        before = known[player].rating if player in known else elo_of(0.0, rater.rows.constants)
        ratings.append(
            rating_row(
                player,
                rater.rows.constants,
                skill=move.after.skill,
                rd=rd,
                results=len(move.after.key),
                computer=player in computers,
            )
        )
        if abs(move.now - before) >= TOLD_ELO and player not in computers:
            changes.append(
                change(
                    rater.rows,
                    player,
                    move.before,
                    move.after,
                    stored=before,
                    rd=rd,
                    own=player in seated,
                    at=now,
                )
            )
    write_ratings(ratings)
    Rating.objects.filter(player_id__in=seated, seats=rater.seats).update(played_at=now)
    RatingChange.objects.bulk_create(changes)


def change(
    rows: Rows,
    player: int,
    before: Account,
    after: Account,
    *,
    stored: float,
    rd: float,
    own: bool,
    at: datetime,
) -> RatingChange:
    """Return an unsaved line of the feed; ``stored`` is the rating that was shown before."""
    was, now = (elo_of(account.skill, rows.constants) for account in (before, after))
    return RatingChange(
        player_id=player,
        seats=rows.constants.seats,
        at=at,
        was=stored,
        now=now,
        rd=rd,
        own=own,
        parts=told(explain(before, after), rows.games.keys, rest=was - stored),
    )


def rating_row(
    player: int, constants: Constants, *, skill: float, rd: float, results: int, computer: bool
) -> Rating:
    """Return an unsaved rating."""
    value = elo_of(skill, constants)
    return Rating(
        player_id=player,
        seats=constants.seats,
        skill=skill,
        rating=value,
        rd=rd,
        floor=list_order(value, rd),
        provisional=is_provisional(rd),
        results=results,
        computer=computer,
        constants=constants.version,
        updated_at=timezone.now(),
    )


def write_ratings(rows: Sequence[Rating]) -> None:
    """Insert ratings, or put new values where there are old ones."""
    Rating.objects.bulk_create(
        rows,
        batch_size=500,
        update_conflicts=True,
        unique_fields=["player", "seats"],
        update_fields=[
            "skill",
            "rating",
            "rd",
            "floor",
            "provisional",
            "results",
            "computer",
            "constants",
            "updated_at",
        ],
    )


def told(parts: Sequence[Part], games: Sequence[int], *, rest: float) -> list[dict[str, Any]]:
    """Return parts as they are stored; small ones are summed up as one of cause "rest"."""
    lines: list[dict[str, Any]] = [
        {
            "cause": str(part.cause),
            "game": games[part.game],
            "elo": part.elo,
            "was": part.was,
            "now": part.now,
        }
        for part in parts[:PARTS_TOLD]
    ]
    rest += sum(part.elo for part in parts[PARTS_TOLD:])
    if abs(rest) > 1e-6:
        lines.append({"cause": "rest", "elo": rest})
    return lines
