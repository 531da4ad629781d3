"""Displayed scales of skill: rating, RD, win expectation, standard score."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.model.constants import THREE_SEATS, TWO_SEATS, Constants
from ratings.model.scale import (
    deviation,
    is_provisional,
    list_order,
    rating,
    standard_score,
    win_expectation,
)


def test_a_point_of_skill_is_13_7_elo() -> None:
    assert rating(2.0, TWO_SEATS) == pytest.approx(1527.4)


def test_a_newcomer_has_an_rd_of_49_and_is_provisional() -> None:
    rd = deviation(TWO_SEATS.tau2, TWO_SEATS)
    assert rd == pytest.approx(49.4, abs=0.01)
    assert is_provisional(rd)
    assert not is_provisional(35.0)


def test_lists_are_ordered_by_a_lower_bound_of_the_rating() -> None:
    assert list_order(1560.0, 45.0) < list_order(1540.0, 20.0)


def test_the_first_deal_is_worth_37_elo() -> None:
    first = win_expectation(1500.0, 1500.0, first_dealer=True)
    assert first == pytest.approx(0.5530, abs=0.0001)
    assert first + win_expectation(1500.0, 1500.0, first_dealer=False) == pytest.approx(1.0)
    assert win_expectation(1463.0, 1500.0, first_dealer=True) == pytest.approx(0.5)


def test_the_mean_player_beats_half_of_the_plays() -> None:
    assert standard_score(0.0, TWO_SEATS) == 50.0


FAR_APART = [replace(each, tau2=each.sigma2) for each in (TWO_SEATS, THREE_SEATS)]
"""Players who differ so much that their skills count as much as their luck."""


@pytest.mark.parametrize("constants", [TWO_SEATS, THREE_SEATS, *FAR_APART])
def test_the_standard_score_is_the_share_of_plays_beaten(constants: Constants) -> None:
    rng = np.random.default_rng(9)
    seats, tau = constants.seats, constants.tau2**0.5
    half = 2.0 if seats == 2 else 1.0
    size = (2, 200_000, seats)
    skill = rng.normal(0.0, tau, size)
    skill[0, :, 0] = 3.0
    score = skill + rng.normal(0.0, (constants.sigma2 / half) ** 0.5, size)
    margin = score[:, :, 0] - score[:, :, 1:].mean(axis=2)
    beaten = 100.0 * np.mean(margin[0] > margin[1])
    assert standard_score(3.0, constants) == pytest.approx(beaten, abs=0.5)
