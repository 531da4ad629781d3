"""The PGN of cribbage-zero."""

from __future__ import annotations

from typing import Any

import pytest

from games.archive.notations.cribbage_zero import is_cribbage_zero, read_cribbage_zero
from games.archive.notations.written_game import NotationError, WrittenGame
from games.engine.record import RecordError, read_record
from games.engine.scoring import count_hand
from games.engine.state import Phase, State
from games.text.fault_sentences import fault_words
from tests.support.positions import TWO
from tests.support.written_games import folded, moves, random_record, sample, won_in_play

FIRST = sample("cribbage_zero_1.pgn")
SECOND = sample("cribbage_zero_2.pgn")
ITS_EXAMPLE = """\
[Event "Example Event"]
[FirstDealer "Player1"]
[FirstPone "Player2"]
[Result "1-0"]

1.
   H1 4H 3H 7D 7H 8C 8S D1 4H 3H
   H2 2D 3D 9H 3C TD QC D2 TD QD
   S3 6
   C 5S
   P 2D 7D 3C 8C 9H | 7H 3D 8S
"""
"""The first round of the example in the program's source, with its slips."""


def one(text: str) -> WrittenGame:
    (game,) = read_cribbage_zero(text)
    return game


def refusal(text: str) -> tuple[int, int | None, str]:
    with pytest.raises(NotationError) as caught:
        list(read_cribbage_zero(text))
    error = caught.value
    return error.line, error.hand, fault_words(error.key, error.params)


def written(record: dict[str, Any]) -> str:
    """Return a game in this notation, with all points, as the program writes it."""
    state = read_record(record).state
    result = "1-0" if record["winner"] == 0 else "0-1"
    lines = ['[FirstDealer "Ann"]', '[FirstPone "Bob"]', f'[Result "{result}"]', ""]
    for number, hand in enumerate(record["hands"], start=1):
        lines += [f"{number}.", *_round(hand, state, number), ""]
    return "\n".join(lines)


def _round(hand: dict[str, Any], state: State, number: int) -> list[str]:
    folded_hand = state.hands[number - 1]
    assert folded_hand.starter is not None
    lines = []
    for seat in (0, 1):
        points = count_hand(folded_hand.kept(seat), folded_hand.starter)
        cards, thrown = " ".join(hand["dealt"][seat]), " ".join(hand["discards"][seat])
        lines.append(f"  H{seat + 1} {cards}  D{seat + 1} {thrown}  S{seat + 1} {points}")
    crib = count_hand(folded_hand.crib, folded_hand.starter, True)
    played = ""
    for _seat, card, count, *_ in hand["plays"]:
        value = "A23456789".find(card[0]) + 1 or 10
        played += f"{'| ' if played and count == value else ''}{card} "
    lines += [f"  SC {crib}", f"  C {hand['starter']}  SH {hand['heels']}", f"  P {played}"]
    return [*lines, "  SP " + " ".join(str(play[3] + play[4]) for play in hand["plays"])]


@pytest.mark.parametrize(
    ("text", "scores", "hands"), [(FIRST, (98, 112), 7), (SECOND, (98, 79), 6)]
)
def test_the_games_in_its_repository_are_read_and_their_points_agree(
    text: str, scores: tuple[int, int], hands: int
) -> None:
    assert is_cribbage_zero(text)
    game = one(text)
    state = folded(game)
    assert (state.phase, state.scores, len(state.hands)) == (Phase.DEAL, scores, hands)
    assert game.data["seats"] == [{"name": "Staples"}, {"name": "Stanley"}]
    assert (game.line, game.hand_lines[:2]) == (1, (7, 15))


@pytest.mark.parametrize("points", ["S1 15", "S2 8", "SC 5", "SP 0 0 2 0 1 0 0 1"])
def test_points_that_are_not_those_of_the_cards_are_refused(points: str) -> None:
    part, *numbers = points.split()
    text = FIRST.replace(points, " ".join([part, *numbers[:-1], str(int(numbers[-1]) + 1)]), 1)
    line, hand, sentence = refusal(text)
    assert FIRST.splitlines()[line - 1].find(points) > 0
    assert hand == 1
    name = "SP 8" if part == "SP" else part
    assert sentence == f"{name} is {int(numbers[-1]) + 1}; the cards make it {numbers[-1]}."


def test_random_games_are_read_with_all_their_points() -> None:
    for seed in range(40):
        record = random_record(TWO, seed)
        game = one(written(record))
        assert moves(game.data) == moves(record)
        state = folded(game)
        assert list(state.results[0].scores) == record["final"]
        assert game.data["winner"] == record["winner"]


def test_the_result_is_compared_if_the_game_is_finished() -> None:
    record = random_record(TWO, 1)
    text = written(record)
    wrong = text.replace('"1-0"', '"0-1"') if record["winner"] == 0 else text.replace("0-1", "1-0")
    found = read_record(one(wrong).data).difference
    assert found is not None
    assert (found.field, found.expected, found.found) == (
        "winner",
        record["winner"],
        1 - record["winner"],
    )


def test_the_point_for_the_last_card_may_be_missing_and_so_may_bars() -> None:
    text = FIRST.replace("SP 0 0 2 0 1 0 0 1", "SP 0 0 2 0 1 0 0 0").replace("AS | JH", "AS JH")
    assert moves(one(text).data) == moves(one(FIRST).data)


def test_a_last_card_that_makes_31_may_have_1_point() -> None:
    """The program gives a point for 31 and one for the go, of which the second may be missing."""
    text, pegged = written(random_record(TWO, 39)), "SP 0 0 0 1 0 2 0 2"
    assert moves(one(text.replace(pegged, f"{pegged[:-1]}1")).data) == moves(one(text).data)
    _, hand, sentence = refusal(text.replace(pegged, f"{pegged[:-1]}0"))
    assert (hand, sentence) == (2, "SP 8 is 0; the cards make it 2.")


def test_points_of_hands_and_cribs_need_a_starter() -> None:
    dealt = "1.\nH1 3D 9S TC TH TD JH D1 3D TD\nH2 AD AS 4C 8C 9H QS D2 8C 9H"
    assert one(dealt)
    for part in ("S1", "S2", "SC"):
        sentence = f"{part} is 5, but no cards lead to it. Add the missing cards or remove it."
        assert refusal(f"{dealt} {part} 5") == (3, 1, sentence)


def test_the_program_leaves_out_points_and_cards_freely() -> None:
    bare = "\n".join(
        line.partition("  S")[0] for line in FIRST.splitlines() if not line.startswith("  S")
    )
    assert bare != FIRST
    assert moves(one(bare).data) == moves(one(FIRST).data)
    dense = FIRST.replace("3D 9S TC TH TD JH", "3d9stcthtdjh")
    assert moves(one(dense).data) == moves(one(FIRST).data)


def test_a_game_that_is_won_in_the_play_is_read_to_its_end() -> None:
    record = won_in_play(TWO)
    assert moves(one(written(record)).data) == moves(record)


def test_a_date_is_read() -> None:
    for date in ("2023.05.17", "2023-05-17"):
        assert one(f'[Date "{date}"]\n{FIRST}').data["started_at"] == "2023-05-17"
    assert "started_at" not in one(f'[Date "????.??.??"]\n{FIRST}').data


def test_a_file_may_hold_several_games() -> None:
    assert [len(game.hand_lines) for game in read_cribbage_zero(FIRST + SECOND)] == [7, 6]
    assert list(read_cribbage_zero('[FirstDealer "Ann"]')) == []


PARTS = "H1, H2, D1, D2, C, P, S1, S2, SC, SP, SH"


def misfit(found: str, allowed: str = PARTS) -> str:
    return f"'{found}' doesn't fit here. Allowed: {allowed}."


def test_the_example_in_its_source_has_slips_that_are_named() -> None:
    assert refusal(ITS_EXAMPLE) == (9, None, misfit("S3"))
    with pytest.raises(RecordError) as caught:
        read_record(one(ITS_EXAMPLE.replace("   S3 6\n", "")).data)
    assert str(caught.value) == (
        "hand 1, discard of seat 1: QD is not held; the hand is 2D 3D 9H 3C TD QC"
    )


LATE_BAR = "There's a | before card 2 of the play, but the count goes on from 4."
SURPLUS = "SP 9 is 2, but no cards lead to it. Add the missing cards or remove it."
SECOND_HAND = "  H2 AD AS 4C 8C 9H QS  D2 8C 9H  S2 8\n"
PEGGED = "SP 0 0 2 0 1 0 0 1"


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        ("2.\n", "3.\n", (15, None, misfit("3.", "2"))),
        ("\n1.\n", "\n\n", (8, None, misfit("H1", "[FirstDealer], 1"))),
        ("  H1 3D", "  3D", (8, None, misfit("3D"))),
        ("SC 5\n", "SC 5 S1 15\n", (10, None, misfit("S1", "C, P, SP, SH"))),
        ("C 5H\n", "C 5H 6H\n", (11, 1, misfit("6H"))),
        ("C 5H\n", "C 5H6H\n", (11, 1, misfit("5H6H"))),
        ("C 5H\n", "C 5X\n", (11, 1, "'5X' isn't a card. Write cards like 5H.")),
        ("P 4C TH", "P 4C TS", (12, 1, "TS wasn't dealt in this hand.")),
        ("P 4C TH", "P 4C | TH", (12, 1, LATE_BAR)),
        ("SC 5\n", "SC five\n", (10, 1, misfit("five", "0–29"))),
        (PEGGED, f"{PEGGED} 2", (13, 1, SURPLUS)),
        (SECOND_HAND, "", (7, 1, "The hand of seat 2 is missing.")),
    ],
)
def test_what_does_not_belong_there_is_named(
    old: str, new: str, answer: tuple[int, int, str]
) -> None:
    assert old in FIRST
    assert refusal(FIRST.replace(old, new, 1)) == answer
