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


def test_every_card_name_can_be_parsed_back() -> None:
    assert len(set(NAMES)) == 52
    assert [parse_card(card_name(card)) for card in PACK] == list(PACK)
    assert parse_cards(card_names(PACK)) == PACK


def test_ranks_suits_and_values_follow_the_rules() -> None:
    five, ten, king = parse_cards("5H TD KS")
    assert (rank(five), suit(five), pips(five)) == (4, 2, 5)
    assert (rank(ten), suit(ten), pips(ten)) == (9, 1, 10)
    assert (rank(king), suit(king), pips(king)) == (12, 3, 10)
    assert [pips(parse_card(name + "C")) for name in "A9JQ"] == [1, 9, 10, 10]


@pytest.mark.parametrize(
    ("text", "name"),
    [("5h", "5H"), ("5H", "5H"), ("td", "TD"), ("Td", "TD"), ("10D", "TD"), ("10d", "TD")],
)
def test_case_does_not_matter_and_ten_may_be_written_out(text: str, name: str) -> None:
    assert card_name(parse_card(text)) == name


@pytest.mark.parametrize("text", ["5H TD", "5HTD", " 5H\tTD ", "5H 10D"])
def test_cards_may_be_separated_by_spaces_or_not(text: str) -> None:
    assert card_names(parse_cards(text)) == "5HTD"


def test_a_ten_written_as_10_must_be_separated() -> None:
    with pytest.raises(CardError):
        parse_cards("5H10D")


@pytest.mark.parametrize("text", ["", "5", "H5", "1H", "5X", "11H", "5HH", "🂡", "5 H"])
def test_anything_else_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(CardError, match="no such card: "):
        parse_card(text)


def test_a_long_text_is_truncated_in_the_message() -> None:
    with pytest.raises(CardError) as caught:
        parse_card("x" * 10_000)
    assert len(str(caught.value)) < 120
