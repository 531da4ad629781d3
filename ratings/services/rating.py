"""Ratings kept up with results: each finished play is pushed through the model, once.

Rated plays are numbered in the order in which they are pushed, under a lock. A process keeps the
model's rows in memory; before it pushes it takes in what other processes have pushed since. They
are read before the lock is taken: on SQLite nobody else writes while it is held.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from games.api import Player
from ratings.model.constants import Constants
from ratings.model.explain import Account, Part, explain
from ratings.model.push import Move, Push
from ratings.model.scale import is_provisional, list_order
from ratings.model.scale import rating as elo_of
from ratings.models import Lock, Play, Rating, RatingChange
from ratings.services import background, locks
from ratings.services.catalogue import LEAGUE
from ratings.services.rows import (
    CONSTANTS,
    Row,
    Rows,
    fresh_rows,
    prepare_pars,
    read_all,
    rows_of,
)

PARTS_TOLD = 8
"""Parts of a change that are stored one by one; the others are summed up."""
TOLD_ELO = 0.05
"""A change smaller than this is no news."""
TRIES = 3
"""Times that all rows are read before the lock is taken; then it is done under it."""


class Rater:
    """All rated plays of one number of seats, in the memory of this process."""

    def __init__(self, seats: int, epoch: str, upto: int) -> None:
        self.seats = seats
        self.epoch = epoch
        self.upto = upto
        columns = read_all(seats=seats, upto=upto)
        self.rows = Rows(CONSTANTS[seats], columns)
        self.push = Push(self.rows.all(columns.used), self.rows.constants)

    def take(self, row: Row) -> tuple[Move, ...]:
        """Take in one play; return who moved."""
        moves = self.push.add(self.rows.one(row))
        self.upto = row.sequence or self.upto
        return moves

    def serves(self, lock: Lock) -> bool:
        """Whether it only has to take in what came since."""
        return self.epoch == lock.epoch and self.upto <= lock.number


_raters: dict[int, Rater] = {}
_here = threading.Lock()


class _StaleError(Exception):
    """The rows in memory are not those that the ratings rest on."""


def push(*, seats: int) -> int:
    """Rate all finished plays that are not rated yet; return how many there were."""
    with _here:
        try:
            prepare_pars(seats=seats)
            for _ in range(TRIES):
                _load(seats)
                try:
                    with transaction.atomic():
                        return _push(seats)
                except _StaleError:
                    continue
            with transaction.atomic():
                locks.hold(locks.ratings(seats))
                _load(seats)
                return _push(seats)
        except BaseException:
            _raters.pop(seats, None)  # it may hold what was not stored
            raise


def load_aside(*, seats: int) -> None:
    """Have the rows read in the background, before the first result of this process comes in."""
    if seats not in _raters:
        background.later(lambda: _load_aside(seats))


def _load_aside(seats: int) -> None:
    try:
        with _here:
            _load(seats)
    finally:
        connection.close()


def _load(seats: int) -> None:
    """Have a rater in memory that serves; without the lock it may be stale the moment after."""
    name = locks.ratings(seats)
    lock = Lock.objects.filter(name=name).first() or Lock(name=name)
    rater = _raters.get(seats)
    if rater is None or not rater.serves(lock):
        _raters[seats] = Rater(seats, lock.epoch, lock.number)


def _push(seats: int) -> int:
    """Rate what is fresh. Raises _StaleError, with nothing done."""
    lock = locks.hold(locks.ratings(seats))
    rater = _raters[seats]
    if not rater.serves(lock):
        raise _StaleError
    fresh = fresh_rows(seats=seats)
    if fresh and rater.upto < lock.number:
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


def house_computers(*, among: Collection[int] | None = None) -> set[int]:
    """Return the keys of the site's own computers: nobody tells them why they moved."""
    found = Player.objects.filter(kind=Player.Kind.COMPUTER).exclude(bot__startswith=LEAGUE)
    if among is not None:
        found = found.filter(pk__in=among)
    return set(found.values_list("pk", flat=True))


def store(rater: Rater, moves: Sequence[Move], *, seated: Sequence[int]) -> None:
    """Write the ratings of whoever moved, and why."""
    keys = rater.rows.players.keys
    players = [keys[move.player] for move in moves]
    known = {
        row.player_id: row
        for row in Rating.objects.filter(player_id__in=players, seats=rater.seats)
    }
    computers = house_computers(among=players)
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
