"""The full refit: every rating anew from all rows, and from nothing else.

What is stored is read and fitted while the site goes on; only to write does it take the lock, and
results that came in meanwhile are pushed on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from django.db import transaction
from django.utils import timezone

from games.api import public_id
from ratings.model.arrays import Floats
from ratings.model.guards import guarded_fit
from ratings.model.push import Push
from ratings.model.results import Results
from ratings.model.scale import rating as elo_of
from ratings.models import Lock, Rating, RatingChange
from ratings.services import locks, rating
from ratings.services.rating import TOLD_ELO
from ratings.services.rows import (
    CONSTANTS,
    Columns,
    Row,
    Rows,
    number_fresh,
    prepare_pars,
    read_all,
    rows_of,
    write_many,
)

SAME = 1e-6
"""Points; margins that differ by less are the same."""
TRIES = 3
"""Times that the work is done over when another refit was quicker."""


class OvertakenError(RuntimeError):
    """Other refits have been quicker, again and again."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a refit did: plays and players, and the largest change of a rating in Elo."""

    plays: int
    players: int
    largest: float


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """All results as they were read, and what was found.

    Attributes:
        columns, rows: what was read, and its numbers.
        used: the margins with odd residuals pulled in.
        old: the rows that were rated before, as they were used then.
        new: all rows, fitted.
        rd: Elo, by the model's numbers.
    """

    columns: Columns
    rows: Rows
    used: Results
    old: Push
    new: Push
    rd: Floats

    def take(self, row: Row) -> None:
        """Take in a play that was pushed since the others were read."""
        result = self.rows.one(row)
        self.new.add(result)
        self.old.add(result)

    def rd_of(self, number: int) -> float:
        """Elo; of a player who came in since the others were read as the push has it."""
        return float(self.rd[number]) if number < len(self.rd) else self.new.rd(number)


def refit(*, seats: int) -> Report:
    """Fit all plays that count, with odd residuals pulled in, and store the ratings.

    Records of wins and losses are not touched. Every process loads its rows anew afterwards.

    Raises:
        OvertakenError: where other refits keep getting in between.
    """
    begun = perf_counter()
    prepare_pars(seats=seats)
    for _ in range(TRIES):
        with transaction.atomic():
            lock = locks.hold(locks.ratings(seats))
            rated = lock.number
            lock.number += number_fresh(seats=seats, after=rated)
            lock.save(update_fields=["number"])
        fitted = _fitted(seats, rated, lock.number)
        with transaction.atomic():
            now = locks.hold(locks.ratings(seats))
            if now.epoch == lock.epoch:
                report = _store(fitted, since=lock.number, lock=now)
                now.refit_at, now.refit_seconds = timezone.now(), perf_counter() - begun
                now.save(update_fields=["refit_at", "refit_seconds"])
                return report
    raise OvertakenError(f"{TRIES} times")


def _fitted(seats: int, rated: int, upto: int) -> Fitted:
    """Read all plays up to that number and fit them; those up to ``rated`` had been rated."""
    constants = CONSTANTS[seats]
    columns = read_all(seats=seats, upto=upto)
    rows = Rows(constants, columns)
    used, found = guarded_fit(rows.all(columns.counted), constants)
    before = rows.all(columns.used).rows(columns.sequence <= rated)
    return Fitted(
        columns, rows, used, Push(before, constants), Push(used, constants, found), found.rd
    )


def _store(fitted: Fitted, *, since: int, lock: Lock) -> Report:
    """Write all ratings and why they moved; the plays after ``since`` are pushed first."""
    constants = fitted.rows.constants
    for row in rows_of(seats=constants.seats, after=since, upto=lock.number):
        fitted.take(row)
    _store_pulled(fitted.columns, fitted.used)
    keys = fitted.rows.players.keys
    rows = Rating.objects.filter(seats=constants.seats)
    known = dict(rows.values_list("player_id", "rating"))
    newcomer = elo_of(0.0, constants)
    was = [known.get(key, newcomer) for key in keys]
    now = [fitted.new.rating(number) for number in range(len(keys))]
    computers = rating.house_computers()
    rating.write_ratings(
        [
            rating.rating_row(
                key,
                constants,
                skill=fitted.new.skill(number),
                rd=fitted.rd_of(number),
                results=len(fitted.new.ledger.places(number)),
                computer=key in computers,
            )
            for number, key in enumerate(keys)
        ]
    )
    gone = known.keys() - set(keys)
    if gone:
        rows.filter(player_id__in=gone).delete()
    _tell(
        fitted,
        [
            number
            for number, key in enumerate(keys)
            if abs(now[number] - was[number]) >= TOLD_ELO and key not in computers
        ],
        was,
    )
    lock.epoch = public_id()
    lock.save(update_fields=["epoch"])
    largest = max((abs(new - old) for new, old in zip(now, was, strict=True)), default=0.0)
    return Report(fitted.new.ledger.size, len(keys), largest)


def _store_pulled(columns: Columns, used: Results) -> None:
    """Note the margins that were pulled in, so that every process pushes on the same rows."""
    moved = np.flatnonzero(np.abs(used.margin - columns.used).max(axis=1, initial=0.0) > SAME)
    pulled = np.abs(used.margin - columns.counted) > SAME
    write_many(
        "UPDATE ratings_attempt SET pulled = %s WHERE play_id = %s AND seat = %s",
        [
            (
                float(used.margin[row, seat]) if pulled[row, seat] else None,
                int(columns.play[row]),
                seat,
            )
            for row in moved
            for seat in range(columns.players.shape[1])
        ],
    )


def _tell(fitted: Fitted, moved: Sequence[int], was: Sequence[float]) -> None:
    """Write why the ratings of these players (by the model's numbers) moved."""
    at = timezone.now()
    RatingChange.objects.bulk_create(
        (
            rating.change(
                fitted.rows,
                fitted.rows.players.keys[number],
                fitted.old.account(number),
                fitted.new.account(number),
                stored=was[number],
                rd=fitted.rd_of(number),
                own=False,
                at=at,
            )
            for number in moved
        ),
        batch_size=500,
    )
