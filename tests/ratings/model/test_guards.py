"""Guards against outliers and against pairs of players feeding each other results."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.ratings.leagues import even_league, random_league
from ratings.model.constants import THREE_SEATS, TWO_SEATS, Constants
from ratings.model.fit import fit, mean_of_others
from ratings.model.guards import (
    GUEST_CAP,
    PAIR_CAP,
    WINSOR_SD,
    winsorised,
    within_guest_cap,
    within_pair_cap,
)
from ratings.model.results import Results


def test_five_results_per_month_count_for_the_same_players() -> None:
    counted: list[int] = []
    for _ in range(8):
        counted += [7] if within_pair_cap(7, counted) else []
    assert len(counted) == PAIR_CAP == 5


def test_months_are_counted_separately() -> None:
    assert within_pair_cap(8, [7] * 6)
    assert within_pair_cap(8, [7] * 6 + [8] * 4)
    assert not within_pair_cap(8, [7] * 6 + [8] * 5)


def test_results_against_guests_are_counted_by_month() -> None:
    earlier = [6] * GUEST_CAP + [8] * GUEST_CAP
    assert within_guest_cap(7, earlier + [7] * (GUEST_CAP - 1))
    assert not within_guest_cap(7, earlier + [7] * GUEST_CAP)


@pytest.mark.parametrize("constants", [TWO_SEATS, THREE_SEATS])
def test_residuals_are_limited_to_two_deviations(constants: Constants) -> None:
    rng = np.random.default_rng(10)
    results = even_league(constants, rng, players=30, rounds=20, plays=10).results
    found = fit(results, constants)

    def residual(of: Results) -> float:
        held = found.skill[of.players]
        left = of.adjusted_margins(constants) - found.effect[of.game]
        return float(np.abs(left - held + mean_of_others(held)).max())

    limit = WINSOR_SD * constants.noise**0.5
    assert residual(results) > limit
    pulled = winsorised(results, found)
    assert residual(pulled) == pytest.approx(limit)
    assert pulled.margin.sum(axis=1) == pytest.approx(np.zeros(len(results)), abs=1e-9)


def test_results_near_their_expectation_are_unchanged() -> None:
    results = random_league(
        TWO_SEATS, np.random.default_rng(1), players=9, rows=60, games=9
    ).results
    calm = replace(results, margin=results.margin / 10.0)
    assert np.array_equal(winsorised(calm, fit(calm, TWO_SEATS)).margin, calm.margin)


def test_a_thrown_game_costs_less_with_the_guard() -> None:
    league = random_league(TWO_SEATS, np.random.default_rng(2), players=10, rows=200, games=20)
    margin = league.results.margin[:, 0].copy()
    margin[7] = -60.0
    thrown = Results.from_margins(*league.results.players.T, league.results.game, margin)
    loser = int(thrown.players[7, 0])
    plain = fit(thrown, TWO_SEATS)
    guarded = fit(winsorised(thrown, plain), TWO_SEATS)
    assert guarded.rating[loser] > plain.rating[loser] + 1.0
