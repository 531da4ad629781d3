"""Incremental rating updates: each finished play is rated once.

Rated plays are numbered in the order of rating, under a lock. Each process keeps the rows of the
model in memory, and before it rates, it adds the plays that other processes have rated. Rows are
read before the lock is taken, since on SQLite no other process can write while it is held.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.api import Player
from ratings.model.constants import CONSTANTS, Constants
from ratings.model.explain import Breakdown, Cause, Part, explain
from ratings.model.incremental import IncrementalRatings, RatingShift
from ratings.model.scale import is_provisional, list_order
from ratings.model.scale import rating as elo_of
from ratings.models import Lock, Play, Rating, RatingChange
from ratings.rating.rated_rows import (
    KeyMap,
    RatedRow,
    compute_missing_pars,
    rated_rows,
    read_columns,
    unrated_rows,
)
from ratings.standard import row_lock
from ratings.standard.identities import LEAGUE

MAX_STORED_PARTS = 8
"""Maximum number of parts of a change stored one by one; the others are summed up."""
MIN_CHANGE_ELO = 0.05
"""Smallest change by a game of others, in Elo, that is stored in the feed. One by a player's own
game is always stored: they are told what it did to their rating."""
MAX_TRIES = 3
"""Attempts to read all rows without the lock; after that they are read while it is held."""


class Rater:
    """All rated plays with one number of seats, held in the memory of this process."""

    def __init__(self, seats: int, epoch: str, upto: int) -> None:
        self.seats = seats
        self.epoch = epoch
        self.upto = upto
        columns = read_columns(seats=seats, upto=upto)
        self.rows = KeyMap(CONSTANTS[seats], columns)
        self.ratings = IncrementalRatings(self.rows.all(columns.used), self.rows.constants)
        self.rows.drop_columns()  # the model keeps what it needs, in a quarter of the memory

    def add(self, row: RatedRow) -> tuple[RatingShift, ...]:
        """Add one play; return the rating changes."""
        shifts = self.ratings.add(self.rows.one(row))
        self.upto = row.sequence or self.upto
        return shifts

    def is_current(self, lock: Lock) -> bool:
        """Whether the rows match the stored ratings, apart from newer plays still to be added."""
        return self.epoch == lock.epoch and self.upto <= lock.number


_raters: dict[int, Rater] = {}
_raters_lock = threading.Lock()


class _StaleError(Exception):
    """The rows in memory do not match the stored ratings."""


def rate_pending(*, seats: int) -> int:
    """Rate all finished plays that have not been rated; return how many."""
    with _raters_lock:
        try:
            compute_missing_pars(seats=seats)
            for _ in range(MAX_TRIES):
                _load(seats)
                try:
                    with transaction.atomic():
                        return _rate_pending(seats)
                except _StaleError:
                    continue
            with transaction.atomic():
                row_lock.lock_row(row_lock.ratings(seats))
                _load(seats)
                return _rate_pending(seats)
        except BaseException:
            _raters.pop(seats, None)  # it may have results that were rolled back
            raise


def _load(seats: int) -> None:
    """Make sure that a current rater is in memory; without the lock it can become stale at once."""
    name = row_lock.ratings(seats)
    lock = Lock.objects.filter(name=name).first() or Lock(name=name)
    rater = _raters.get(seats)
    if rater is None or not rater.is_current(lock):
        _raters[seats] = Rater(seats, lock.epoch, lock.number)


def _rate_pending(seats: int) -> int:
    """Rate the unrated plays under the lock. Raises _StaleError before any change."""
    lock = row_lock.lock_row(row_lock.ratings(seats))
    rater = _raters[seats]
    if not rater.is_current(lock):
        raise _StaleError
    unrated = unrated_rows(seats=seats)
    if unrated and rater.upto < lock.number:
        for row in rated_rows(seats=seats, after=rater.upto, upto=lock.number):
            rater.add(row)
    for row in unrated:
        lock.number += 1
        Play.objects.filter(pk=row.play).update(sequence=lock.number)
        rater.upto = lock.number
        shifts = rater.add(row)
        store(rater, shifts, seated=row.players)
    lock.save(update_fields=["number"])
    return len(unrated)


def house_computers(*, among: Collection[int] | None = None) -> set[int]:
    """Return the primary keys of the site's own computers, which have no feed."""
    found = Player.objects.filter(kind=Player.Kind.COMPUTER).exclude(bot__startswith=LEAGUE)
    if among is not None:
        found = found.filter(pk__in=among)
    return set(found.values_list("pk", flat=True))


def store(rater: Rater, shifts: Sequence[RatingShift], *, seated: Sequence[int]) -> None:
    """Write the changed ratings and the reasons."""
    keys = rater.rows.players.keys
    players = [keys[shift.player] for shift in shifts]
    known = {
        row.player_id: row
        for row in Rating.objects.filter(player_id__in=players, seats=rater.seats)
    }
    computers = house_computers(among=players)
    now = timezone.now()
    ratings, changes = [], []
    for shift, player in zip(shifts, players, strict=True):
        rd = rater.ratings.rd(shift.player)
        before = known[player].rating if player in known else elo_of(0.0, rater.rows.constants)
        ratings.append(
            rating_row(
                player,
                rater.rows.constants,
                skill=shift.after.skill,
                rd=rd,
                results=len(shift.after.key),
                computer=player in computers,
            )
        )
        own = player in seated
        if (own or abs(shift.now - before) >= MIN_CHANGE_ELO) and player not in computers:
            changes.append(
                rating_change(
                    rater.rows,
                    player,
                    shift.before,
                    shift.after,
                    stored=before,
                    rd=rd,
                    own=own,
                    at=now,
                )
            )
    write_ratings(ratings)
    Rating.objects.filter(player_id__in=seated, seats=rater.seats).update(played_at=now)
    RatingChange.objects.bulk_create(changes)


def rating_change(
    rows: KeyMap,
    player: int,
    before: Breakdown,
    after: Breakdown,
    *,
    stored: float,
    rd: float,
    own: bool,
    at: datetime,
) -> RatingChange:
    """Build a feed row, unsaved; ``stored`` is the rating shown before."""
    was, now = (elo_of(breakdown.skill, rows.constants) for breakdown in (before, after))
    return RatingChange(
        player_id=player,
        seats=rows.constants.seats,
        at=at,
        was=stored,
        now=now,
        rd=rd,
        own=own,
        parts=stored_parts(explain(before, after), rows.games.keys, rest=was - stored),
    )


def rating_row(
    player: int, constants: Constants, *, skill: float, rd: float, results: int, computer: bool
) -> Rating:
    """Build a rating row, unsaved."""
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
    """Insert or update ratings."""
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


def stored_parts(
    parts: Sequence[Part], games: Sequence[int], *, rest: float
) -> list[dict[str, Any]]:
    """Return parts as JSON; small ones are summed up as one with cause "rest".

    New results are never summed up: `ratings.rating.feed` finds a game's change by its result.
    """
    ordered = sorted(parts, key=lambda part: part.cause != Cause.NEW)
    kept = max(MAX_STORED_PARTS, sum(part.cause == Cause.NEW for part in parts))
    lines: list[dict[str, Any]] = [
        {
            "cause": str(part.cause),
            "game": games[part.game],
            "elo": part.elo,
            "was": part.was,
            "now": part.now,
        }
        for part in ordered[:kept]
    ]
    rest += sum(part.elo for part in ordered[kept:])
    if abs(rest) > 1e-6:
        lines.append({"cause": "rest", "elo": rest})
    return lines
