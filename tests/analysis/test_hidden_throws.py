"""Throws that fit the opponent's hidden cards: nothing on average for all who do not see them."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from random import Random

import pytest

from games.analysis.hidden_throws import hidden_fit, hidden_fits
from games.engine.cards import parse_cards

OWN = parse_cards("5H 5D 6S 7C QH KD")
THEIRS = parse_cards("TS JC QD KS 2H 3H")


def test_whatever_is_thrown_from_a_hand_gains_nothing_over_all_hidden_cards() -> None:
    rng = Random(3)
    hidden = [card for card in range(52) if card not in OWN]
    deals = [hidden_fits(OWN, rng.sample(hidden, 6), dealer=True) for _ in range(1500)]
    for fits in zip(*deals, strict=True):
        mean = sum(fit.points for fit in fits) / len(fits)
        # The redeals are the same for all deals of this hand, so their error is added once.
        error = sqrt(fits[0].variance * (1 / len(fits) + 1 / 100))
        assert abs(mean) < 3.5 * error
        spread = sum(fit.points**2 for fit in fits) / len(fits)
        assert spread == pytest.approx(fits[0].variance, rel=0.6)


@pytest.mark.parametrize(("dealer", "sign"), [(True, 1), (False, -1)])
def test_eights_fit_an_opponent_who_throws_sevens_but_not_one_who_throws_tens(
    dealer: bool, sign: int
) -> None:
    own, eights = parse_cards("2H 3D 8S 8C JH KD"), parse_cards("8S 8C")
    fits, misses = (
        sign * hidden_fit(own, eights, parse_cards(theirs), dealer=dealer).points
        for theirs in ("7S 7D 4H 4C 5S 6S", "2S 2C TH QS KC TD")
    )
    assert fits > 0.3
    assert misses < 0.0


def test_it_depends_neither_on_the_order_of_the_cards_nor_on_chance() -> None:
    for thrown in combinations(OWN, 2):
        one = hidden_fit(OWN, thrown, THEIRS, dealer=False)
        other = hidden_fit(OWN[::-1], thrown[::-1], THEIRS[::-1], dealer=False)
        assert one.points == pytest.approx(other.points)
        assert one.variance == pytest.approx(other.variance)


def test_only_cards_of_the_hand_can_be_thrown() -> None:
    with pytest.raises(ValueError, match="not in list"):
        hidden_fit(OWN, THEIRS[:2], THEIRS, dealer=True)
