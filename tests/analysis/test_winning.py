"""The chance of winning from a given score."""

import numpy as np
import pytest

from games.analysis import winning
from games.analysis.kernels import winning as winning_kernel
from games.analysis.winning import dealer_chances, win_probability


def test_two_player_chances_add_up_to_one_and_the_first_dealer_is_ahead() -> None:
    for dealer in (0, 1):
        chances = win_probability((0, 0), dealer)
        assert sum(chances) == pytest.approx(1)
        assert 0.55 < chances[dealer] < 0.57


def test_more_points_mean_a_better_chance() -> None:
    chances = dealer_chances()
    assert np.mean(np.diff(chances, axis=0) >= 0) > 0.97
    assert np.mean(np.diff(chances, axis=1) <= 0) > 0.97
    assert win_probability((120, 60), 0)[0] > 0.99
    assert win_probability((60, 120), 0)[0] < 0.05


def test_pone_is_favoured_at_the_very_end_because_they_count_first() -> None:
    pone, dealer = win_probability((115, 115), 1)
    assert pone > dealer


def test_a_game_to_61_is_valued_as_the_end_of_one_to_121() -> None:
    assert win_probability((40, 50), 0, target=61) == win_probability((100, 110), 0)


def test_the_chance_before_the_crib_follows_the_scores() -> None:
    before = winning.before_crib()
    assert before[100, 120] > 0.95
    assert before[120, 80] < 0.05


def test_a_tilted_distribution_has_the_requested_mean() -> None:
    pegs, _ = winning.spreads()
    out = np.zeros(winning_kernel.PEGS)
    for mean in (0.8, 2.0, 4.5):
        winning_kernel.tilt(pegs[0], mean, out)
        assert out.sum() == pytest.approx(1)
        assert (out * np.arange(winning_kernel.PEGS)).sum() == pytest.approx(mean, abs=1e-6)


def test_three_player_chances_add_up_to_one() -> None:
    for scores in ((0, 0, 0), (100, 111, 7), (119, 120, 120)):
        for dealer in range(3):
            assert sum(win_probability(scores, dealer)) == pytest.approx(1)
    assert win_probability((120, 60, 60), 0)[0] > 0.9


@pytest.mark.parametrize("scores", [(121, 0), (0, -1), (1, 2, 3, 4)])
def test_impossible_scores_are_refused(scores: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="two or three scores from 0 to 120"):
        win_probability(scores, 0)
