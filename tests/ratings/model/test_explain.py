"""Explanations of rating changes, by cause."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.ratings import fixtures
from benchmarks.ratings.fixtures import results_of
from benchmarks.ratings.leagues import random_league
from ratings.model.constants import TWO_SEATS, Constants
from ratings.model.explain import Cause, Part, explain
from ratings.model.incremental import IncrementalRatings
from ratings.model.results import Results


def why(
    before: Results, after: Results, player: int, constants: Constants = fixtures.CONSTANTS
) -> tuple[tuple[Part, ...], float]:
    """Return the parts of a player's change between two refits, and the change in Elo."""
    old, new = IncrementalRatings(before, constants), IncrementalRatings(after, constants)
    change = new.rating(player) - old.rating(player)
    return explain(old.breakdown(player), new.breakdown(player)), change


def by_cause(parts: tuple[Part, ...]) -> dict[Cause, float]:
    sums: dict[Cause, float] = defaultdict(float)
    for part in parts:
        sums[part.cause] += part.elo
    return dict(sums)


def test_others_playing_a_game_changes_its_effect() -> None:
    parts, change = why(fixtures.pairs(-13), fixtures.pairs(-13, -15), 0)
    effect = next(part for part in parts if part.cause is Cause.EFFECT)
    assert (effect.game, effect.key) == (0, 0)
    assert effect.was == pytest.approx(-8.05, abs=0.01)
    assert effect.now is not None and effect.now < -8.05
    assert effect.elo > 0.0
    assert sum(part.elo for part in parts) == pytest.approx(change, abs=0.001)


def test_a_games_effect_has_the_opposite_sign_for_the_other_seat() -> None:
    parts, _ = why(fixtures.pairs(-13), fixtures.pairs(-13, -15), 1)
    effect = next(part for part in parts if part.cause is Cause.EFFECT)
    assert effect.was == pytest.approx(8.05, abs=0.01)
    assert effect.elo < 0.0


def test_an_opponent_who_wins_elsewhere_counts_as_stronger() -> None:
    lost = results_of([(0, 1, 0, -20)])
    then = results_of([(0, 1, 0, -20), (1, 2, 1, 50)])
    parts, change = why(lost, then, 0)
    opponent = next(part for part in parts if part.cause is Cause.OPPONENT)
    assert opponent.was is not None and opponent.now is not None
    assert opponent.now - opponent.was > 5.0
    assert opponent.elo > 0.0
    assert sum(part.elo for part in parts) == pytest.approx(change, abs=0.001)


def test_a_new_result_is_reported_as_a_cause() -> None:
    parts, change = why(results_of([(0, 1, 0, 20)]), results_of([(0, 1, 0, 20), (0, 2, 1, -40)]), 0)
    new = next(part for part in parts if part.cause is Cause.NEW)
    assert (new.game, new.key) == (1, 1)
    assert new.elo < 0.0
    assert sum(part.elo for part in parts) == pytest.approx(change, abs=0.001)


@pytest.mark.parametrize("margin", [-30, -8, 8, 30])
def test_a_new_result_moves_the_rating_in_proportion_to_result_minus_expectation(
    margin: int,
) -> None:
    known = [(0, 1, 0, 20), (0, 3, 2, 25), (4, 5, 1, -9), (6, 7, 1, -4)]
    parts, _ = why(results_of(known), results_of([*known, (0, 2, 1, margin)]), 0)
    new = next(part for part in parts if part.cause is Cause.NEW)
    assert new.was is not None and new.now is not None
    surprise = new.now - new.was
    assert abs(surprise) > 0.5
    constants = fixtures.CONSTANTS
    per_point = constants.elo_per_point / (3 + constants.player_ratio)
    assert new.elo == pytest.approx(per_point * surprise, rel=1e-6)


def test_a_removed_result_is_reported_as_a_cause() -> None:
    both = results_of([(0, 1, 0, 20), (0, 2, 1, -40)])
    parts, change = why(both, both.without([2]), 0)
    removed = next(part for part in parts if part.cause is Cause.REMOVED)
    assert (removed.game, removed.key, removed.now) == (1, 1, None)
    assert removed.elo > 0.0
    assert sum(part.elo for part in parts) == pytest.approx(change, abs=0.001)


def test_a_corrected_margin_is_reported_as_a_cause() -> None:
    before = results_of([(0, 1, 0, 20), (0, 2, 1, -40)])
    after = results_of([(0, 1, 0, 20), (0, 2, 1, -30)])
    parts, change = why(before, after, 0)
    corrected = next(part for part in parts if part.cause is Cause.CORRECTED)
    assert (corrected.was, corrected.now) == (-42.0, -32.0)
    assert sum(part.elo for part in parts) == pytest.approx(change, abs=0.001)


def test_fading_games_are_reported_with_a_half_life() -> None:
    constants = replace(fixtures.CONSTANTS, half_life=3.0)
    before = results_of([(0, 1, 0, 20)])
    parts, change = why(before, results_of([(0, 1, 0, 20), (0, 2, 1, 2)]), 0, constants)
    faded = next(part for part in parts if part.cause is Cause.FADED)
    assert (faded.game, faded.was) == (0, 1.0)
    assert faded.now == pytest.approx(0.5 ** (1 / 3))
    assert sum(part.elo for part in parts) == pytest.approx(change, abs=0.001)


@pytest.mark.parametrize("half_life", [None, 15.0])
def test_every_change_between_two_refits_is_explained_to_the_hundredth(
    half_life: float | None,
) -> None:
    constants = replace(TWO_SEATS, half_life=half_life)
    league = random_league(TWO_SEATS, np.random.default_rng(7), players=20, rows=300, games=40)
    yesterday = IncrementalRatings(league.results.rows(np.arange(250)), constants)
    today = IncrementalRatings(league.results.without([3]), constants)
    causes = set()
    for player in range(20):
        parts = explain(yesterday.breakdown(player), today.breakdown(player))
        change = today.rating(player) - yesterday.rating(player)
        assert sum(part.elo for part in parts) == pytest.approx(change, abs=0.01)
        causes |= set(by_cause(parts))
    assert causes >= {Cause.EFFECT, Cause.OPPONENT, Cause.NEW, Cause.REMOVED}


def test_the_largest_part_comes_first() -> None:
    before = random_league(TWO_SEATS, np.random.default_rng(8), players=9, rows=60, games=9).results
    parts, _ = why(before.rows(np.arange(50)), before, 0, TWO_SEATS)
    sizes = [abs(part.elo) for part in parts]
    assert sizes == sorted(sizes, reverse=True)


def test_accounts_under_different_constants_are_not_compared() -> None:
    results = fixtures.pairs(-13)
    ours = IncrementalRatings(results, fixtures.CONSTANTS).breakdown(0)
    theirs = IncrementalRatings(results, TWO_SEATS).breakdown(0)
    with pytest.raises(ValueError, match="different constants"):
        explain(ours, theirs)
