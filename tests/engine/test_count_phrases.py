"""Counts in words, as players say them."""

from itertools import combinations_with_replacement

import pytest

from games.engine.cards import parse_cards
from games.engine.count_phrases import number_in_words, spoken
from games.engine.scoring import score_hand


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("5H4CTSKD4D", "fifteen two, fifteen four, and a pair is six"),
        ("2H4C6S8DTD", "nothing"),
        ("7H8CQSKD2D", "fifteen two"),
        ("7H8C7SKD2D", "fifteen two, fifteen four, and a pair is six"),
        ("KHKC2S4D8D", "a pair is two"),
        ("2H3C4STDKS", "fifteen two, fifteen four, and a run of three is seven"),
        (
            "7H8C8SAD9C",
            (
                "fifteen two, fifteen four, a pair is six, a run of three is nine, "
                "and a run of three is twelve"
            ),
        ),
        ("2H4H6H8HKH", "a flush of five is five"),
        ("2H4CJS8D6S", "his nobs is one"),
        ("6H6C6S2D2H", "a pair is two, and a pair royal is eight"),
        (
            "5H5C5SJD5D",
            (
                "fifteen two, fifteen four, fifteen six, fifteen eight, fifteen ten, "
                "fifteen twelve, fifteen fourteen, fifteen sixteen, "
                "a double pair royal is twenty-eight, and his nobs is twenty-nine"
            ),
        ),
    ],
)
def test_a_hand_is_counted_in_the_usual_words(cards: str, words: str) -> None:
    *hand, starter = parse_cards(cards)
    assert spoken(score_hand(hand, starter)) == words


def test_nineteen_is_never_said() -> None:
    for ranks in combinations_with_replacement(range(13), 5):
        if max(ranks.count(rank) for rank in ranks) <= 4:
            five = [4 * rank + ranks[:at].count(rank) for at, rank in enumerate(ranks)]
            assert "nineteen" not in spoken(score_hand(five[:4], five[4]))


def test_numbers_are_written_in_words() -> None:
    assert [number_in_words(n) for n in (0, 7, 16, 20, 24, 31)] == [
        "nothing",
        "seven",
        "sixteen",
        "twenty",
        "twenty-four",
        "thirty-one",
    ]
