"""The kernels count hands as the engine does."""

import numpy as np

from games.analysis.kernels import discard, show
from games.engine.scoring import count_hand
from tests.support.hands import some_cards


def test_hands_and_cribs_count_as_in_the_engine() -> None:
    five = show.five_table()
    for cards in some_cards(5, 1500):
        for is_crib in (False, True):
            counted = show.count_cards(five, np.array(cards[:4]), cards[4], is_crib)
            assert counted == count_hand(cards[:4], cards[4], is_crib)


def test_a_flush_and_nobs_count_in_the_kernel_too() -> None:
    five = show.five_table()
    flush = np.array([0, 8, 24, 32])
    assert show.count_cards(five, flush, 44, False) == count_hand((0, 8, 24, 32), 44)
    assert show.suit_points(flush, 44, False) == 5
    assert show.suit_points(flush, 45, False) == 4
    assert show.suit_points(flush, 45, True) == 0
    assert show.suit_points(np.array([42, 1, 2, 3]), 50, False) == 1


def test_the_average_hand_is_exact_over_every_starter() -> None:
    five = show.five_table()
    for cards in some_cards(6, 40, seed=2):
        kept = tuple(sorted(cards[:4]))
        rest = [card for card in range(52) if card not in cards]
        hidden = np.zeros(52, dtype=np.int64)
        hidden[rest] = 1
        spread = np.zeros(30, dtype=np.int64)
        average = discard.hand_spread(five, np.array(kept), hidden, spread)
        counts = [count_hand(kept, starter) for starter in rest]
        assert average == sum(counts) / 46
        assert spread.tolist() == [counts.count(points) for points in range(30)]
