"""Pegging: what a single card scores."""

import random

import pytest

from games.engine.cards import NAMES, PACK, PIPS, parse_cards
from games.engine.pegging import playable, score_play
from tests.support import oracle

KNOWN_PILES = [
    # pile, points, kinds of score
    ("5H", 0, []),
    ("5HTC", 2, ["fifteen"]),
    ("7H8C", 2, ["fifteen"]),
    ("KHQC", 0, []),  # equal value is no pair
    ("KHKC", 2, ["pair"]),
    ("4H4C4S", 6, ["pair_royal"]),
    ("4H4C4S4D", 12, ["double_pair_royal"]),
    ("5H5C5S", 8, ["fifteen", "pair_royal"]),
    ("4H5C4S", 0, []),  # a pair must be the last cards
    ("4H5C5S", 2, ["pair"]),
    ("2H3C4S", 3, ["run"]),
    ("4H2C3S", 3, ["run"]),
    ("4H5C6S", 5, ["fifteen", "run"]),
    ("6H7C7S8D", 0, []),
    ("2H3C4S2D", 3, ["run"]),
    ("2H3C5S4D", 4, ["run"]),
    ("2H3C5S4D6C", 5, ["run"]),
    ("AH3C5S2D4C", 7, ["fifteen", "run"]),  # 15 as well
    ("AH2C3S4D5C6H", 6, ["run"]),
    ("AH2C3S4D5C6H7C", 7, ["run"]),
    ("7C6HAH3C5S2D4C", 7, ["run"]),  # the longest only
    ("8H7C9S8D", 3, ["run"]),
    ("7H8C9S7D", 5, ["thirty_one", "run"]),
    ("KHQCJS", 3, ["run"]),
    ("KHQCJSAD", 2, ["thirty_one"]),  # 31, and runs do not wrap
    ("QHKCAS", 0, []),
    ("TH5C5S", 2, ["pair"]),
    ("TH9C6S6D", 4, ["thirty_one", "pair"]),
    ("AH4CTS", 2, ["fifteen"]),
    ("3H3C3S3D", 12, ["double_pair_royal"]),
    ("3H2C3S2D3C", 0, []),
    ("4H5C6S4D5H", 3, ["run"]),
    ("4H5C6S4D5H6C", 3, ["run"]),
    ("9HTCJSAD", 0, []),
    ("9HTCJS", 3, ["run"]),
]


@pytest.mark.parametrize(("pile", "points", "kinds"), KNOWN_PILES)
def test_known_piles_score_the_known_points(pile: str, points: int, kinds: list[str]) -> None:
    parts = score_play(parse_cards(pile))
    assert sum(part.points for part in parts) == points
    assert [part.kind for part in parts] == kinds
    assert oracle.play_points([NAMES[card] for card in parse_cards(pile)]) == points


def test_the_cards_of_each_score_are_the_last_ones_of_the_pile() -> None:
    pile = parse_cards("TH9C6S6D")
    assert [part.cards for part in score_play(pile)] == [pile, pile[-2:]]


def test_random_piles_score_as_by_the_reference_scorer() -> None:
    rng = random.Random(3)
    for _ in range(5_000):
        pile, count = [], 0
        for card in rng.sample(PACK[: rng.choice((20, 28, 52))], 12):
            if count + PIPS[card] > 31:
                break
            pile.append(card)
            count += PIPS[card]
            expected = oracle.play_points([NAMES[played] for played in pile])
            assert sum(part.points for part in score_play(pile)) == expected


def test_a_card_can_be_played_if_the_count_stays_within_thirty_one() -> None:
    held = parse_cards("AH5CTSKD")
    assert playable(held, 21) == held
    assert playable(held, 22) == held[:2]
    assert playable(held, 26) == held[:2]
    assert playable(held, 30) == held[:1]
    assert playable(held, 31) == ()
