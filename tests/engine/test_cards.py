"""Cards and their names."""

import pytest

from games.engine.cards import (
    NAMES,
    PACK,
    CardError,
    card_name,
    card_names,
    parse_card,
    parse_cards,
    pips,
    rank,
    suit,
)


def test_every_card_is_named_and_read_back() -> None:
    assert len(set(NAMES)) == 52
    assert [parse_card(card_name(card)) for card in PACK] == list(PACK)
    assert parse_cards(card_names(PACK)) == PACK


def test_ranks_suits_and_values_are_those_of_the_rules() -> None:
    five, ten, king = parse_cards("5H TD KS")
    assert (rank(five), suit(five), pips(five)) == (4, 2, 5)
    assert (rank(ten), suit(ten), pips(ten)) == (9, 1, 10)
    assert (rank(king), suit(king), pips(king)) == (12, 3, 10)
    assert [pips(parse_card(name + "C")) for name in "A9JQ"] == [1, 9, 10, 10]


@pytest.mark.parametrize("text", ["5h", "5H", "td", "10D", "10d"])
def test_case_does_not_matter_and_ten_may_be_written_out(text: str) -> None:
    assert card_name(parse_card(text)) in {"5H", "TD"}


@pytest.mark.parametrize("text", ["5H TD", "5HTD", " 5H\tTD ", "5H 10D"])
def test_cards_may_stand_apart_or_not(text: str) -> None:
    assert card_names(parse_cards(text)) == "5HTD"


def test_a_ten_written_out_stands_apart() -> None:
    with pytest.raises(CardError):
        parse_cards("5H10D")


@pytest.mark.parametrize("text", ["", "5", "H5", "1H", "5X", "11H", "5HH", "🂡", "5 H"])
def test_anything_else_is_no_card_and_the_message_quotes_it(text: str) -> None:
    with pytest.raises(CardError, match="no such card: "):
        parse_card(text)


def test_a_long_text_is_quoted_in_part() -> None:
    with pytest.raises(CardError) as caught:
        parse_card("x" * 10_000)
    assert len(str(caught.value)) < 120
