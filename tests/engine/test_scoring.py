"""Counting hands: tables of known hands, and agreement with an independent scorer."""

import random
from itertools import combinations_with_replacement

import pytest

from games.engine.cards import NAMES, PACK, parse_cards
from games.engine.scoring import MAX_HAND, count_hand, score_hand
from tests.support import oracle

KNOWN_HANDS = [
    # hand, starter, in a hand, in the crib
    ("5H5C5SJD", "5D", 29, 29),
    ("5H5C5S5D", "JD", 28, 28),
    ("5H5C5SJC", "5D", 28, 28),
    ("5H5C5SKD", "5D", 28, 28),
    ("2H4C6S8D", "TD", 0, 0),
    ("AH3C5S7D", "9D", 4, 4),
    ("AH2C3S7D", "KD", 5, 5),  # run of three, 2+3+K
    ("AH2C3S4D", "KD", 8, 8),  # run of four, A+4+K, 2+3+K
    ("AH2C3S4D", "5D", 7, 7),  # run of five, 1+2+3+4+5
    ("9HTCJSQD", "KC", 5, 5),
    ("QHKCAS2D", "3C", 7, 7),  # runs do not wrap: A-2-3, 2+3+Q, 2+3+K
    ("JHQCKSAD", "2C", 3, 3),  # the ace is low only
    ("AHAC2S3D", "9C", 12, 12),  # two runs of three, a pair, A+2+3+9 with either ace
    ("AHAC2S3D", "KC", 12, 12),  # the same, 2+3+K, A+A+3+K
    ("4H5C5S6D", "7C", 14, 14),  # two runs of four
    ("4H4C5S5D", "6C", 24, 24),  # four runs of three
    ("6H6C7S7D", "8C", 20, 20),
    ("6H6C7S8D", "8C", 20, 20),
    ("7H7C8S9D", "9C", 20, 20),
    ("7H7C7S8D", "9C", 21, 21),  # three runs of three
    ("AHACASQD", "KC", 6, 6),
    ("TH2C2S2D", "2H", 12, 12),
    ("3H6C6S6D", "6H", 24, 24),
    ("7H7C7SAD", "AH", 20, 20),
    ("3H3C3S9D", "9H", 20, 20),
    ("2H4H6H8H", "TH", 5, 5),  # flush of five
    ("2H4H6H8H", "TD", 4, 0),  # flush of four: not in the crib
    ("2H4H6H8D", "TH", 0, 0),  # three in the hand and the starter: nothing
    ("AHKHQHTH", "JC", 8, 4),  # flush of four beside a run of four
    ("2H4CJS8D", "TS", 1, 1),  # his nobs
    ("2H4C6S8D", "JD", 0, 0),  # a jack as starter is not nobs
    ("2H4C6SJD", "JC", 2, 2),  # not with a jack of another suit
    ("JH5CJSJD", "JC", 20, 20),
    ("JHJDJSJC", "5C", 21, 21),
    ("JHQHKHTH", "5H", 18, 18),
    ("2H3C8S8D", "2C", 8, 8),  # two pairs, 2+2+3+8 with either eight
    ("AH2C7S7D", "7C", 12, 12),
    ("8H7C7S6D", "2C", 16, 16),
]


@pytest.mark.parametrize(("hand", "starter", "points", "in_crib"), KNOWN_HANDS)
def test_known_hands_score_the_known_points(
    hand: str, starter: str, points: int, in_crib: int
) -> None:
    cards, up = parse_cards(hand), parse_cards(starter)[0]
    names = [NAMES[card] for card in cards]
    assert score_hand(cards, up).total == count_hand(cards, up) == points
    assert score_hand(cards, up, is_crib=True).total == count_hand(cards, up, True) == in_crib
    assert oracle.count(names, starter) == points
    assert oracle.count(names, starter, crib=True) == in_crib


RUNS = [
    ("2H3C4S9D", "KC", [3]),
    ("2H3C4S5D", "KC", [4]),
    ("2H3C4S5D", "6C", [5]),
    ("2H2C3S4D", "KC", [3, 3]),
    ("2H2C3S4D", "5C", [4, 4]),
    ("2H2C2S3D", "4C", [3, 3, 3]),
    ("2H2C3S3D", "4C", [3, 3, 3, 3]),
    ("2H2C4S4D", "5C", []),
    ("QHKCAS5D", "9C", []),
    ("2H3C5S6D", "8C", []),
]


@pytest.mark.parametrize(("hand", "starter", "lengths"), RUNS)
def test_only_the_longest_runs_score_once_per_set_of_cards(
    hand: str, starter: str, lengths: list[int]
) -> None:
    parts = score_hand(parse_cards(hand), parse_cards(starter)[0]).parts
    runs = [part for part in parts if part.kind == "run"]
    assert [len(run.cards) for run in runs] == lengths
    assert [run.points for run in runs] == lengths
    assert len({frozenset(run.cards) for run in runs}) == len(lengths)


def test_each_combination_is_listed_with_its_cards() -> None:
    hand, starter = parse_cards("7H8C8SAD"), parse_cards("9C")[0]
    parts = [
        (part.kind, " ".join(NAMES[card] for card in part.cards), part.points)
        for part in score_hand(hand, starter).parts
    ]
    assert parts == [
        ("fifteen", "7H 8C", 2),
        ("fifteen", "7H 8S", 2),
        ("pair", "8C 8S", 2),
        ("run", "7H 8C 9C", 3),
        ("run", "7H 8S 9C", 3),
    ]


@pytest.mark.parametrize(
    ("hand", "starter", "kind", "points"),
    [
        ("4H4CTSQD", "8C", "pair", 2),
        ("4H4C4SQD", "9C", "pair_royal", 6),
        ("4H4C4S4D", "9C", "double_pair_royal", 12),
        ("2H4H6H8H", "TC", "flush", 4),
        ("2H4H6H8H", "TH", "flush", 5),
        ("2H4C6SJD", "TD", "nobs", 1),
    ],
)
def test_combinations_have_their_standard_names(
    hand: str, starter: str, kind: str, points: int
) -> None:
    parts = score_hand(parse_cards(hand), parse_cards(starter)[0]).parts
    assert (kind, points) in [(part.kind, part.points) for part in parts]


@pytest.mark.parametrize("cards", ["5H5C5S5D5H", "5H5H5S5DJD", "5H5C5SJD", "5H5C5S5DJDJC"])
def test_anything_but_five_different_cards_is_refused(cards: str) -> None:
    *hand, starter = parse_cards(cards)
    with pytest.raises(ValueError, match="all different"):
        score_hand(hand, starter)


def test_three_scorers_agree_on_ten_thousand_random_hands() -> None:
    rng = random.Random(1)
    for number in range(10_000):
        *hand, starter = rng.sample(PACK, 5)
        crib = number % 2 == 0
        expected = oracle.count([NAMES[card] for card in hand], NAMES[starter], crib)
        counted = score_hand(hand, starter, crib)
        assert counted.total == sum(part.points for part in counted.parts) == expected
        assert count_hand(hand, starter, crib) == expected


def test_every_set_of_five_ranks_scores_as_by_the_reference_scorer() -> None:
    """All 6,175 sets of ranks; flushes and nobs from the suits are subtracted."""
    seen = 0
    for ranks in combinations_with_replacement(range(13), 5):
        if max(ranks.count(rank) for rank in ranks) > 4:
            continue
        seen += 1
        five = [4 * rank + ranks[:at].count(rank) for at, rank in enumerate(ranks)]
        names = [NAMES[card] for card in five]
        plain = oracle.count(names[:4], names[4])
        nobs = sum(1 for name in names[:4] if name == "J" + names[4][1])
        flush = 4 if len({name[1] for name in names[:4]}) == 1 else 0
        flush += 1 if flush and names[4][1] == names[0][1] else 0
        parts = score_hand(five[:4], five[4]).parts
        by_rank = sum(part.points for part in parts if part.kind not in {"flush", "nobs"})
        assert by_rank == plain - nobs - flush
        assert count_hand(five[:4], five[4]) == plain
    assert seen == 6175


def test_no_random_hand_has_an_impossible_count() -> None:
    rng = random.Random(2)
    seen = set()
    for _ in range(30_000):
        *hand, starter = rng.sample(PACK, 5)
        seen.add(count_hand(hand, starter))
    assert not seen & {19, 25, 26, 27}
    assert max(seen) <= MAX_HAND
    assert {0, 2, 4, 6, 8, 12, 16} <= seen
