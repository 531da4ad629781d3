"""Moves as text: writing and parsing."""

import pytest

from games.engine.cards import parse_cards
from games.engine.moves import (
    Claim,
    Cut,
    Deal,
    Discard,
    Move,
    MoveError,
    Muggins,
    Pass,
    Play,
    Resign,
    Starter,
    parse_move,
    to_text,
)

SEVEN, KING = parse_cards("7D KC")

TEXTS: list[tuple[str, Move]] = [
    ("- cut 7D KC", Cut((SEVEN, KING))),
    ("- cut 7D -- KC", Cut((SEVEN, None, KING))),
    ("- deal AH2H AC2C", Deal((parse_cards("AH2H"), parse_cards("AC2C")))),
    ("- deal AH2H AC2C AD2D KC", Deal(tuple(map(parse_cards, ("AH2H", "AC2C", "AD2D"))), KING)),
    ("- starter KC", Starter(KING)),
    ("0 discard 7DKC", Discard(0, (SEVEN, KING))),
    ("2 discard 7D", Discard(2, (SEVEN,))),
    ("1 play KC", Play(1, KING)),
    ("1 play KC 0", Play(1, KING, 0)),
    ("1 play KC 12", Play(1, KING, 12)),
    ("0 claim 29", Claim(0, 29)),
    ("1 muggins 2", Muggins(1, 2)),
    ("1 pass", Pass(1)),
    ("0 resign", Resign(0)),
]


@pytest.mark.parametrize(("text", "move"), TEXTS)
def test_a_move_round_trips_through_its_text(text: str, move: Move) -> None:
    assert to_text(move) == text
    assert parse_move(text) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "-",
        "play 5H",
        "0 fly 5H",
        "- play 5H",
        "0 deal 5H",
        "- deal",
        "- starter",
        "- starter 5H 6H",
        "0 play",
        "0 play 5X",
        "0 play 5H x",
        "0 play 5H 1 2",
        "0 play 5H -1",
        "x play 5H",
        "-1 play 5H",
        "٣ play 5H",
        "0 claim",
        "0 claim 1000",
        "0 claim two",
        "0 pass 5H",
        "0 resign now",
        "0 discard",
        "0 discard 5H 6H",
        "- cut 5H xx",
        "\x00",
    ],
)
def test_an_invalid_move_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(MoveError, match="not a move: ") as caught:
        parse_move(text)
    assert repr(text)[1:-1] in str(caught.value)


def test_a_long_text_is_truncated_in_the_message() -> None:
    longest = "0 swap " + "x" * 53
    with pytest.raises(MoveError) as caught:
        parse_move(longest)
    assert repr(longest) in str(caught.value)
    with pytest.raises(MoveError) as caught:
        parse_move(longest + "y")
    assert repr(longest + "...") in str(caught.value)
