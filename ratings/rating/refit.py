"""The full refit: all ratings recomputed from all results.

Results are read and fitted without a lock. The lock is held only to write; results that were
rated in the meantime are added incrementally.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter

import numpy as np
from django.db import transaction
from django.utils import timezone

from games.api import BATCH, job, public_id
from ratings.model.arrays import Floats
from ratings.model.constants import CONSTANTS
from ratings.model.guards import guarded_fit
from ratings.model.incremental import IncrementalRatings
from ratings.model.results import Results
from ratings.model.scale import rating as elo_of
from ratings.models import Lock, Rating, RatingChange
from ratings.rating import updates
from ratings.rating.rated_rows import (
    Columns,
    KeyMap,
    RatedRow,
    compute_missing_pars,
    number_unrated,
    rated_rows,
    read_columns,
    write_many,
)
from ratings.rating.results import collect_missed
from ratings.rating.updates import MIN_CHANGE_ELO
from ratings.standard import row_lock
from ratings.standard.catalogue import close_finished

MARGIN_TOLERANCE = 1e-6
"""Margins that differ by less than this, in points, are equal."""
MAX_TRIES = 3
"""Number of attempts before giving up, if other refits keep finishing first."""


class RefitConflictError(RuntimeError):
    """Other refits finished first in each attempt."""


@dataclass(frozen=True, slots=True)
class Report:
    """Summary of a refit: numbers of plays and players, and the largest rating change in Elo."""

    plays: int
    players: int
    largest: float


@dataclass(frozen=True, slots=True, eq=False)
class FittedResults:
    """The fit of all results that were read.

    Attributes:
        columns, rows: the results, and the numbers of their players and games.
        used: the results with winsorised margins.
        old: the ratings before the refit, with the margins used then.
        new: the ratings after the refit.
        rd: rating deviation by player number, Elo.
    """

    columns: Columns
    rows: KeyMap
    used: Results
    old: IncrementalRatings
    new: IncrementalRatings
    rd: Floats

    def add(self, row: RatedRow) -> None:
        """Add a play that was rated after the others were read."""
        result = self.rows.one(row)
        self.new.add(result)
        self.old.add(result)

    def rd_of(self, number: int) -> float:
        """Return a player's RD, Elo; for a new player, it is computed incrementally."""
        return float(self.rd[number]) if number < len(self.rd) else self.new.rd(number)


def refit(*, seats: int) -> Report:
    """Fit all plays that count, with winsorised margins, and store the ratings.

    Win-loss records do not change. Every process reloads its rows afterwards.

    Raises:
        RefitConflictError: if other refits finished first in each attempt.
    """
    started = perf_counter()
    compute_missing_pars(seats=seats)
    for _ in range(MAX_TRIES):
        with transaction.atomic():
            lock = row_lock.lock_row(row_lock.ratings(seats))
            rated = lock.number
            lock.number += number_unrated(seats=seats, after=rated)
            lock.save(update_fields=["number"])
        fitted = _fitted(seats, rated, lock.number)
        with transaction.atomic():
            now = row_lock.lock_row(row_lock.ratings(seats))
            if now.epoch == lock.epoch:
                report = _store(fitted, since=lock.number, lock=now)
                now.refit_at, now.refit_seconds = timezone.now(), perf_counter() - started
                now.save(update_fields=["refit_at", "refit_seconds"])
                return report
    raise RefitConflictError(f"{MAX_TRIES} times")


@job(queue=BATCH, tries=3, backoff=timedelta(minutes=10), limit=timedelta(hours=3))
def refit_all() -> None:
    """Collect missed results, close games that have waited, refit all ratings; every night."""
    collect_missed()
    close_finished()
    for seats in (2, 3):
        refit(seats=seats)


def _fitted(seats: int, rated: int, upto: int) -> FittedResults:
    """Read and fit all plays up to sequence ``upto``; those up to ``rated`` were rated before."""
    constants = CONSTANTS[seats]
    columns = read_columns(seats=seats, upto=upto)
    rows = KeyMap(constants, columns)
    used, found = guarded_fit(rows.all(columns.counted), constants)
    before = rows.all(columns.used).rows(columns.sequence <= rated)
    return FittedResults(
        columns,
        rows,
        used,
        IncrementalRatings(before, constants),
        IncrementalRatings(used, constants, found),
        found.rd,
    )


def _store(fitted: FittedResults, *, since: int, lock: Lock) -> Report:
    """Add the plays rated after ``since``, then write all ratings and the reasons for changes."""
    constants = fitted.rows.constants
    for row in rated_rows(seats=constants.seats, after=since, upto=lock.number):
        fitted.add(row)
    _store_pulled(fitted.columns, fitted.used)
    keys = fitted.rows.players.keys
    rows = Rating.objects.filter(seats=constants.seats)
    known = dict(rows.values_list("player_id", "rating"))
    newcomer = elo_of(0.0, constants)
    was = [known.get(key, newcomer) for key in keys]
    now = [fitted.new.rating(number) for number in range(len(keys))]
    computers = updates.house_computers()
    updates.write_ratings(
        [
            updates.rating_row(
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
    _write_changes(
        fitted,
        [
            number
            for number, key in enumerate(keys)
            if abs(now[number] - was[number]) >= MIN_CHANGE_ELO and key not in computers
        ],
        was,
    )
    lock.epoch = public_id()
    lock.save(update_fields=["epoch"])
    largest = max((abs(new - old) for new, old in zip(now, was, strict=True)), default=0.0)
    return Report(fitted.new.ledger.size, len(keys), largest)


def _store_pulled(columns: Columns, used: Results) -> None:
    """Store the winsorised margins, so that every process updates ratings from the same rows."""
    moved = np.flatnonzero(
        np.abs(used.margin - columns.used).max(axis=1, initial=0.0) > MARGIN_TOLERANCE
    )
    pulled = np.abs(used.margin - columns.counted) > MARGIN_TOLERANCE
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


def _write_changes(fitted: FittedResults, moved: Sequence[int], was: Sequence[float]) -> None:
    """Write the reasons why the ratings of these players (model numbers) changed."""
    at = timezone.now()
    RatingChange.objects.bulk_create(
        (
            updates.rating_change(
                fitted.rows,
                fitted.rows.players.keys[number],
                fitted.old.breakdown(number),
                fitted.new.breakdown(number),
                stored=was[number],
                rd=fitted.rd_of(number),
                own=False,
                at=at,
            )
            for number in moved
        ),
        batch_size=500,
    )
