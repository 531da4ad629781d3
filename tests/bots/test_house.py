"""The house computer never changes, and neither do the tables it uses."""

from hashlib import sha256

import pytest

from games.analysis import tables
from games.analysis.arena import pack, play_game
from games.bots import UnknownPlayer, get, house
from games.engine.cards import card_names

TABLES_OF_VERSION_1 = (
    "throws_2",
    "pegs_2",
    "keeps_2",
    "play_2",
    "wins_2",
    "spreads_2",
    "crib_3",
    "pegs_3",
    "deals_3",
    "spreads_3",
    "wins_3",
)
DIGEST_OF_VERSION_1 = "14515f15a33e0b993df25066056f0686ae420908e1f9e506098c1af27b92c054"
PLAYS_OF_VERSION_1 = (
    "TH2H6S9HTS7C9D6H",
    "5CQCQH4SAC5DKC5S",
    "JD5CAC6D4D5HTDJC",
    "3H7DJC7HTD7S9H6D",
)
PLAYS_OF_VERSION_1_OF_THREE = (
    "TH6HKD2D2H6S9H8C7C7S9DTS",
    "4C4STS5CAC5DQHQC5SKCKHJS",
    "TD5C5HQCAS4DJC9SAC2D6DJD",
    "9H3HKH7DJHJC7H6DQH7S5HTD",
)
THROWS_OF_VERSION_1_OF_THREE = ("9SQC4DTC", "7H6H6S2D", "4C8H8C2H", "8S2C7C2H")
THROWS_OF_VERSION_1 = ("TCKD2D4D", "2D4C6H6S", "2D8C8HQC", "7CQH2HJH")


def first_hands(fast: bool, seats: int = 2) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the throws and the plays of four hands of version 1 against itself."""
    record = play_game([house(1, fast=fast)] * seats, lambda number: pack(2026, number))
    throws = tuple(card_names(hand.crib) for hand in record.hands[:4])
    plays = tuple(card_names(card for _, card in hand.plays) for hand in record.hands[:4])
    return throws, plays


def test_the_tables_of_version_1_have_not_changed() -> None:
    digest = sha256(b"".join(tables.load(name).tobytes() for name in TABLES_OF_VERSION_1))
    assert digest.hexdigest() == DIGEST_OF_VERSION_1


def test_version_1_still_discards_and_plays_the_same_cards() -> None:
    assert first_hands(fast=False) == (THROWS_OF_VERSION_1, PLAYS_OF_VERSION_1)


def test_version_1_still_discards_and_plays_the_same_cards_with_three_seats() -> None:
    assert first_hands(fast=False, seats=3) == (
        THROWS_OF_VERSION_1_OF_THREE,
        PLAYS_OF_VERSION_1_OF_THREE,
    )


def test_the_fast_variant_plays_by_the_rules() -> None:
    throws, plays = first_hands(fast=True)
    assert all(len(crib) == 8 for crib in throws)
    assert all(len(cards) == 16 for cards in plays)


def test_house_computers_are_found_by_version_and_by_name() -> None:
    assert get("house") is house()
    assert get("house-fast") is house(fast=True)
    assert house().version == 1
    with pytest.raises(UnknownPlayer, match="version 99"):
        house(99)
