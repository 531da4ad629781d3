"""Discard values, and that the parts documented as exact are exact."""

from itertools import combinations

import numpy as np
import pytest

from games.analysis.discard_value import Role
from games.analysis.discards import average_points, evaluate_discards
from games.analysis.kernels import discard, show
from games.engine.cards import parse_cards
from games.engine.scoring import count_hand
from tests.support.hands import some_cards

KNOWN = parse_cards("5H5C6S7DJDKH")


def brute_crib(cards: tuple[int, ...], thrown: tuple[int, ...]) -> float:
    """Return the average crib over every random discard of the opponent and every starter."""
    rest = [card for card in range(52) if card not in cards]
    total = number = 0
    for pair in combinations(rest, 2):
        for starter in rest:
            if starter not in pair:
                total += count_hand((*thrown, *pair), starter, is_crib=True)
                number += 1
    return total / number


@pytest.mark.parametrize("thrown", ["5HJD", "5C6S", "JDKH", "5HKH"])
def test_the_crib_value_against_random_discards_is_exact_with_flushes_and_nobs(thrown: str) -> None:
    hidden = np.ones(52, dtype=np.int64)
    hidden[list(KNOWN)] = 0
    found = discard.crib_spread(
        show.five_table(),
        np.array(parse_cards(thrown)),
        hidden,
        np.ones((13, 13)),
        np.zeros(30),
    )
    assert found == pytest.approx(brute_crib(KNOWN, parse_cards(thrown)), abs=1e-9)


def test_every_throw_is_valued_and_its_hand_part_is_exact() -> None:
    for cards in (KNOWN, *some_cards(6, 5, seed=4)):
        rest = [card for card in range(52) if card not in cards]
        values = evaluate_discards(cards, "dealer")
        assert len({value.thrown for value in values}) == 15
        for value in values:
            counts = [count_hand(value.kept, starter) for starter in rest]
            assert value.hand == sum(counts) / 46
            assert list(value.spread) == [counts.count(points) for points in range(30)]


def test_throws_are_ordered_by_points_or_with_scores_by_winning_chance() -> None:
    totals = [value.total for value in evaluate_discards(KNOWN, "pone")]
    assert totals == sorted(totals, reverse=True)
    chances = [value.chance for value in evaluate_discards(KNOWN, "pone", (100, 118))]
    assert chances == sorted(chances, reverse=True)


def test_the_crib_is_added_for_the_dealer_and_subtracted_for_pone() -> None:
    for role, sign in (("dealer", 1), ("pone", -1)):
        for value in evaluate_discards(KNOWN, role):  # type: ignore[arg-type]
            assert value.total == pytest.approx(value.hand + sign * value.crib + value.pegging)


def test_pone_close_to_winning_keeps_a_hand_that_gets_there() -> None:
    best = evaluate_discards(KNOWN, "pone", (111, 119))[0]
    assert min(points for points, number in enumerate(best.spread) if number) >= 10


def test_a_game_to_61_is_valued_as_the_end_of_a_game_to_121() -> None:
    short = evaluate_discards(KNOWN, "dealer", (40, 30), target=61)
    long = evaluate_discards(KNOWN, "dealer", (100, 90))
    assert [value.chance for value in short] == [value.chance for value in long]


def test_the_three_handed_hand_part_is_exact_over_47_starters() -> None:
    cards = parse_cards("5H5C6S7DJD")
    rest = [card for card in range(52) if card not in cards]
    for value in evaluate_discards(cards, "dealer", (100, 90, 110), seats=3):
        counts = [count_hand(value.kept, starter) for starter in rest]
        assert value.hand == sum(counts) / 47
        assert 0 < value.chance < 1


@pytest.mark.parametrize(
    ("cards", "scores"), [("5H5C6S7DJD", None), ("5H5C6S7DJDJD", None), ("5H5C6S7DJDKH", (121, 0))]
)
def test_invalid_cards_and_scores_are_refused(cards: str, scores: tuple[int, int] | None) -> None:
    with pytest.raises(ValueError, match=r"six different cards|scores must be from 0 to 120"):
        evaluate_discards(parse_cards(cards), "dealer", scores)


@pytest.mark.parametrize("cards", ["5H 5D 6S JC QH 2D", "KS AC 7D 7H 3C"])
@pytest.mark.parametrize("role", ["dealer", "pone"])
def test_average_points_are_the_totals_of_the_whole_evaluation(cards: str, role: Role) -> None:
    held = parse_cards(cards)
    seats = 2 if len(held) == 6 else 3
    whole = {value.thrown: value.total for value in evaluate_discards(held, role, None, seats)}
    assert average_points(held, role, seats) == pytest.approx(whole)
