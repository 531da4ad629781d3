"""What a process keeps and reads of the ratings, with many plays."""

from __future__ import annotations

import gc
import itertools
import tracemalloc
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from games.models import Player
from ratings.models import RatingChange
from ratings.rating import standings, updates
from ratings.rating.rated_rows import Columns

PLAYS = 40_000
BYTES_A_PLAY = 150
"""Of which 72 are the columns of two seats, 12 the indices, the rest the players and games."""


def many_plays(*, seats: int, upto: int) -> Columns:
    rng = np.random.default_rng(3)
    first = rng.integers(0, PLAYS // 20, PLAYS)
    players = np.stack([first, first + 1 + rng.integers(0, 50, PLAYS)], axis=1)
    margin = rng.normal(0.0, 20.0, PLAYS)
    both = np.stack([margin, -margin], axis=1)
    return Columns(
        play=np.arange(PLAYS),
        sequence=np.arange(PLAYS),
        game=rng.integers(0, PLAYS // 20, PLAYS),
        players=players,
        counted=both,
        used=both.copy(),
        par=np.zeros((PLAYS, seats)),
    )


def test_a_process_keeps_little_of_each_rated_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "read_columns", many_plays)
    gc.collect()
    tracemalloc.start()
    try:
        rater = updates.Rater(2, "", PLAYS)
        gc.collect()
        kept, _peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert rater.ratings.ledger.size == PLAYS
    assert kept / PLAYS < BYTES_A_PLAY


@pytest.mark.django_db
@pytest.mark.parametrize("number", [1, 2, 119, 120, 121, 240, 1000])
def test_a_profile_reads_few_of_many_changes(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player.objects.create_user("Bea", password="x")
    at = timezone.now() - timedelta(days=1)
    RatingChange.objects.bulk_create(
        RatingChange(
            player=player, seats=2, at=at + timedelta(seconds=step), was=1500.0 + step,
            now=1501.0 + step, rd=40.0, own=True, parts=[],
        )
        for step in range(number)
    )  # fmt: skip
    made: list[Any] = []

    class Counted(standings.RatingPoint):
        def __init__(self, *values: Any) -> None:
            made.append(values)
            super().__init__(*values)

    monkeypatch.setattr(standings, "RatingPoint", Counted)
    first, *points = standings.profile(player=player, seats=2).history
    assert (first.at, first.rating) == (at, 1500.0), "the rating before the first change"
    assert points[-1].rating == 1500.0 + number, "the newest is always there"
    steps = {round(b.rating - a.rating) for a, b in itertools.pairwise(points)}
    assert len(steps) <= 1, "evenly thinned out"
    assert min(number, 60) <= len(points) <= standings.MAX_POINTS
    assert len(made) <= standings.MAX_POINTS + 1, "the others are not even read"
