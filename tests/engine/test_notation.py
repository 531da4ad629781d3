"""Whole matches as text: writing and reading."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.notation import NotationError, read_match, write_match
from games.engine.rules import fold
from games.engine.state import Phase, Ruleset
from tests.support.positions import random_moves

RULESETS = [
    Ruleset(),
    Ruleset(players=3, target=61, games=2, first_dealer=2, skunks=False, double_skunk=4),
    Ruleset(counting="manual", muggins=True),
]


@pytest.mark.parametrize("ruleset", RULESETS, ids=["two", "three", "muggins"])
def test_a_match_round_trips_through_its_text(ruleset: Ruleset) -> None:
    moves = random_moves(ruleset, 31)
    read = read_match(write_match(ruleset, moves))
    assert (read.ruleset, list(read.moves), read.error) == (ruleset, moves, None)
    assert read.state == fold(ruleset, moves)
    assert read.state.phase is Phase.OVER


def test_the_header_lists_every_rule() -> None:
    assert write_match(Ruleset(), []).split("\n") == [
        "players 2",
        "target 121",
        "counting auto",
        "muggins no",
        "games 1",
        "skunks yes",
        "double_skunk 3",
        "first_dealer -",
        "",
        "",
    ]


def test_a_short_header_comments_and_empty_lines_are_accepted() -> None:
    text = "# a game\n\nplayers 2  # two\n# and\ntarget 61\n\n- cut 5H 6H # low\n\n# the end\n"
    read = read_match(text)
    assert read.error is None
    assert read.ruleset == Ruleset(target=61)
    assert (len(read.moves), read.state.dealer) == (1, 0)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("0 fly 5H", "not a move: '0 fly 5H'"),
        ("0 play 5X", "no such card: '5X'"),
        ("- cut 5H 5H", "duplicate card"),
        ("0 play 5H", "the phase is cut"),
    ],
)
def test_the_first_illegal_line_is_reported_and_earlier_lines_are_kept(
    line: str, reason: str
) -> None:
    read = read_match(f"players 2\n\n- cut 5H 5D\n\n{line}\n- cut 5H 6H\n")
    assert read.error is not None
    assert read.error.line == 5
    assert reason in read.error.detail
    assert str(read.error).startswith("line 5: ")
    assert len(read.moves) == 1
    assert read.state.sequence == 1


@pytest.mark.parametrize(
    ("head", "line", "reason"),
    [
        ("players 4\n\n", 2, "players is 4; allowed: 2, 3"),
        ("players two\n\n", 2, "players is 'two'"),
        ("jokers 2\n\n", 1, "'jokers' in the head; expected: counting"),
        ("players 2\nplayers 2\n\n", 2, "'players' in the head"),
        ("- cut 5H 6H\n", 1, "'-' in the head"),
        ("players 2\n- cut 5H 6H\n", 2, "'-' in the head"),
        ("muggins yes\n\n", 2, "muggins needs manual counting"),
    ],
)
def test_an_invalid_header_is_refused_with_its_line_number(
    head: str, line: int, reason: str
) -> None:
    with pytest.raises(NotationError, match=reason) as caught:
        read_match(head)
    assert caught.value.line == line


@settings(max_examples=200)
@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, f"players 3\n\n{text}"):
        try:
            read = read_match(whole)
        except NotationError:
            continue
        assert read.state.sequence == len(read.moves)
