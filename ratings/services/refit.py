"""The full refit: every rating anew from all rows, and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from django.db import transaction
from django.utils import timezone

from games.api import public_id
from ratings.model.fit import Fit
from ratings.model.guards import guarded_fit
from ratings.model.push import Push
from ratings.model.results import Results
from ratings.model.scale import rating as elo_of
from ratings.models import Attempt, Rating, RatingChange
from ratings.services import locks, rating
from ratings.services.rating import CONSTANTS, TOLD_ELO, Rows

SAME = 1e-6
"""Points; margins that differ by less are the same."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a refit did: plays and players, and the largest change of a rating in Elo."""

    plays: int
    players: int
    largest: float


def refit(*, seats: int) -> Report:
    """Fit all plays that count, with odd residuals pulled in, and store the ratings.

    Records of wins and losses are not touched. Every process loads its rows anew afterwards.
    """
    constants = CONSTANTS[seats]
    begun = perf_counter()
    with transaction.atomic():
        lock = locks.hold(locks.ratings(seats))
        columns = Rows(seats)
        known = rating.rows_of(seats=seats)
        lock.number += rating.number_fresh(seats=seats, after=lock.number)
        results = columns.results(rating.rows_of(seats=seats, raw=True))
        before = columns.results(known)
        used, found = guarded_fit(results, constants)
        _store_pulled(results, columns.results(rating.rows_of(seats=seats)), used)
        before = replace(before, player_count=results.player_count, game_count=results.game_count)
        largest = _store(columns, before, used, found)
        lock.epoch = public_id()
        lock.refit_at, lock.refit_seconds = timezone.now(), perf_counter() - begun
        lock.save(update_fields=["epoch", "number", "refit_at", "refit_seconds"])
    return Report(len(results), len(columns.players.keys), largest)


def _store_pulled(results: Results, before: Results, used: Results) -> None:
    """Note the margins that were pulled in, so that every process pushes on the same rows."""
    moved = np.flatnonzero(np.abs(used.margin - before.margin).max(axis=1, initial=0.0) > SAME)
    for start in range(0, len(moved), 500):
        rows = {int(results.key[row]): row for row in moved[start : start + 500]}
        attempts = list(Attempt.objects.filter(play_id__in=rows))
        for attempt in attempts:
            row = rows[attempt.play_id]
            margin, counted = used.margin[row, attempt.seat], results.margin[row, attempt.seat]
            attempt.pulled = None if abs(margin - counted) <= SAME else float(margin)
        Attempt.objects.bulk_update(attempts, ["pulled"])


def _store(columns: Rows, before: Results, used: Results, found: Fit) -> float:
    """Write all ratings and why they moved; return the largest change."""
    constants, keys = found.constants, columns.players.keys
    known = {
        row.player_id: row
        for row in Rating.objects.filter(seats=constants.seats).only(
            "player_id", "rating", "computer"
        )
    }
    computers = set(
        Attempt.objects.filter(computer=True).values_list("player_id", flat=True).distinct()
    )
    results = np.bincount(used.players.ravel(), minlength=len(keys))
    newcomer = elo_of(0.0, constants)
    was = {key: known[key].rating if key in known else newcomer for key in keys}
    rating.write_ratings(
        [
            rating.rating_row(
                key,
                constants,
                skill=float(found.skill[number]),
                rd=float(found.rd[number]),
                results=int(results[number]),
                computer=key in computers,
            )
            for number, key in enumerate(keys)
        ]
    )
    Rating.objects.filter(seats=constants.seats).exclude(player_id__in=keys).delete()
    moved = [
        number
        for number, key in enumerate(keys)
        if abs(found.rating[number] - was[key]) >= TOLD_ELO and key not in computers
    ]
    _tell(columns, before, used, found, moved, was)
    return max((abs(found.rating[n] - was[key]) for n, key in enumerate(keys)), default=0.0)


def _tell(
    columns: Rows,
    before: Results,
    used: Results,
    found: Fit,
    moved: list[int],
    was: dict[int, float],
) -> None:
    """Write why the ratings of these players (by the model's numbers) moved."""
    if not moved:
        return
    constants, keys = found.constants, columns.players.keys
    old, new = Push(before, constants), Push(used, constants, found)
    now = timezone.now()
    RatingChange.objects.bulk_create(
        (
            rating.change(
                columns,
                keys[number],
                old.account(number),
                new.account(number),
                stored=was[keys[number]],
                rd=float(found.rd[number]),
                own=False,
                at=now,
            )
            for number in moved
        ),
        batch_size=500,
    )
