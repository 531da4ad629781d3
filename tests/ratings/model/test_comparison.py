"""Comparing one play with others of the same cards."""

import numpy as np
import pytest

from benchmarks.ratings.leaving import leaving_bias
from ratings.model.comparison import margin_when_left, matchpoints


@pytest.mark.parametrize(
    ("margin", "others", "expected"),
    [
        pytest.param(5, [], 50.0, id="nobody else has played"),
        pytest.param(5, [-20], 200 / 3, id="one other, beaten"),
        pytest.param(5, [5], 50.0, id="one other, level"),
        pytest.param(5, [9], 100 / 3, id="one other, ahead"),
        pytest.param(5, [-9, -3, 5, 12], 100 * 3.5 / 6, id="two beaten, one tie, one ahead"),
    ],
)
def test_matchpoints_start_in_the_middle_and_follow_the_field(
    margin: float, others: list[float], expected: float
) -> None:
    assert matchpoints(margin, others) == pytest.approx(expected)


def test_beating_the_whole_field_approaches_a_hundred() -> None:
    assert 95.0 < matchpoints(30, range(30)) < 100.0


def test_a_leaver_gets_the_margin_expected_from_the_field() -> None:
    assert margin_when_left(-20, [12, 6, 9, 9]) == pytest.approx(-20 + 36 / 5)


def test_without_other_plays_the_expectation_is_used() -> None:
    assert margin_when_left(-20, []) == -20.0
    assert margin_when_left(-20, [], expected=4.0) == -16.0


def test_leaving_when_behind_is_worth_as_much_as_staying() -> None:
    assert margin_when_left(-31, [-3] * 50) == pytest.approx(-34, abs=0.1)


def test_leaving_when_behind_gains_less_than_four_elo() -> None:
    biases = [leaving_bias(np.random.default_rng(seed), players=120) for seed in range(3)]
    assert np.mean([bias.dropped for bias in biases]) > 20.0
    assert abs(np.mean([bias.ruled for bias in biases])) < 4.0
