"""HALSCRIB's notation: games written down at the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.archive.notations.halscrib import is_halscrib, read_halscrib, write_halscrib
from games.archive.notations.written_game import NotationError, WrittenGame
from games.engine.record import RecordError, read_record
from games.engine.state import Ruleset
from games.text.fault_sentences import fault_words
from tests.support.positions import TWO
from tests.support.written_games import folded, moves, random_record, sample, won_in_play

TEXT = sample("halscrib.txt")
SAMPLE = Path(__file__).parent.parent.parent / "data" / "sample.jsonl"
DEAL = "KC  Ah  3S  2d  4H  4s  3H  Ks  5C  3D  2S  3c  4c"


def one(text: str) -> WrittenGame:
    (game,) = read_halscrib(text)
    return game


def refusal(text: str) -> tuple[int, int | None, str]:
    """Return the line, the hand and the sentence of the error that a file is refused with."""
    with pytest.raises(NotationError) as caught:
        list(read_halscrib(text))
    error = caught.value
    return error.line, error.hand, fault_words(error.key, error.params)


def test_a_filled_in_form_is_the_game_it_was_written_from() -> None:
    assert is_halscrib(TEXT)
    game = one(TEXT)
    original: dict[str, Any] = json.loads(SAMPLE.read_text().splitlines()[0])
    assert moves(game.data) == moves(original)
    assert list(folded(game).results[0].scores) == original["final"] == [121, 104]
    assert game.data["seats"] == [{"name": "Ann Lee"}, {"name": "Bob"}]
    assert (game.line, game.hand_lines) == (1, (13, 14, 15, 16, 17, 18, 19))


@pytest.mark.parametrize("dealer", [0, 1])
@pytest.mark.parametrize("target", [121, 61])
def test_random_games_are_the_same_after_writing_and_reading(dealer: int, target: int) -> None:
    ruleset = Ruleset(first_dealer=dealer, target=target)
    for seed in range(25):
        record = random_record(ruleset, seed)
        game = one(write_halscrib(record))
        assert moves({**game.data, "target": target}) == moves(record)


def test_a_game_that_is_won_in_the_play_keeps_the_cards_in_hand() -> None:
    record = won_in_play(TWO)
    text = write_halscrib(record)
    assert text.count("(") == 3, "two after the names, one after the last deal"
    assert moves(one(text).data) == moves(record)


def test_unfinished_games_are_read_as_far_as_they_go() -> None:
    record = random_record(TWO, 3)
    first, _, last, *_ = record["hands"]
    for number in range(8):
        cut = {**record, "hands": [*record["hands"][:2], {**last, "plays": last["plays"][:number]}]}
        game = one(write_halscrib(cut))
        assert moves(game.data) == moves({**cut, "winner": None, "final": None})
        assert not folded(game).results
    uncut = {**record, "hands": [*record["hands"][:2], {**last, "starter": None}]}
    assert len(one(write_halscrib(uncut)).data["hands"]) == 2
    nothing_played = {**record, "hands": [{**first, "plays": []}]}
    text = write_halscrib(nothing_played)
    assert "Deal" not in text, "nothing would say who dealt"
    assert list(read_halscrib(text)) == []


def test_a_file_may_hold_several_games() -> None:
    records = [random_record(TWO, seed) for seed in range(3)]
    games = list(read_halscrib("\n".join(map(write_halscrib, records))))
    assert [moves(game.data) for game in games] == [moves(record) for record in records]
    bare = "\n".join(line for record in records for line in write_halscrib(record).splitlines()[3:])
    assert [len(game.data["hands"]) for game in read_halscrib(bare)] == [
        len(record["hands"]) for record in records
    ]


def test_games_under_one_heading_are_of_the_same_players() -> None:
    heading, deal = "Player A: Ann\nPlayer B: Bob", f"Deal 1: {DEAL}"
    games = list(read_halscrib("\n".join([heading, deal, deal, "Player A: Cat", deal])))
    names = [[seat["name"] for seat in game.data["seats"]] for game in games]
    assert names == [["Ann", "Bob"], ["Ann", "Bob"], ["Cat", None]]


def test_tens_and_the_case_of_ranks_are_free() -> None:
    (hand,) = one("deal 1: 10C 10h 5S 6d 5D qh 5C Kh QS 9h JS KS 2h").data["hands"]
    assert hand["starter"] == "TC"
    assert hand["plays"][0] == [1, "TH"]
    assert hand["dealt"][0] == ["5S", "5D", "5C", "QS", "JS", "KS"]
    assert hand["discards"] == [["JS", "KS"], ["9H", "2H"]]


@pytest.mark.parametrize("mark", ["<2", ">4", "#1", "R2", "r1", "<"])
def test_games_with_marks_for_missed_points_and_penalties_are_refused(mark: str) -> None:
    for text in (f"Deal 1: {DEAL} {mark}", f"Deal 1: KC Ah 3S {mark} {DEAL[12:]}"):
        assert refusal(text) == (
            1,
            1,
            f"'{mark}' marks missed points or a penalty. Games with such marks can't be imported.",
        )


def test_a_mark_may_follow_its_card_without_a_space() -> None:
    assert "'<2' marks" in refusal(f"Deal 1: KC Ah 3S<2 {DEAL[12:]}")[2]


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("QC Ah AD 2H KD 3c 2d", 7),
        ("QC Ah AD 2H KD 3c 2d 121-104", 7),
        ("QC Ah AD 2H KD 3c 2d (AC AS)", 9),
        (f"{DEAL} 5D", 14),
        (f"(AC) {DEAL}", 14),
        ("QC Ah AD 2H (KD 3c 2d AC AS 4D 2s 4s 4h)", 13),
        ("QC", 1),
    ],
)
def test_a_deal_without_all_its_cards_is_refused(words: str, number: int) -> None:
    sentence = (
        f"Cards in this deal: {number}, not 13. "
        "Put unplayed ones in brackets at the end, like (5H 9c)."
    )
    assert refusal(f"\nDeal 1: {words}") == (2, 1, sentence)


def test_the_first_deal_must_show_who_led() -> None:
    assert refusal("Deal 1: QC AD AC 2s 3s (5H 6H 7H 8H 5c 6c 7c 8c)") == (
        1,
        1,
        "The first deal needs a card of the play: it shows who led.",
    )
    later = f"Deal 1: {DEAL}\nDeal 2: JC AD AH 2s 3s (5H 6H 7H 8H 5c 6c 7c 8c)"
    assert [hand["dealer"] for hand in one(later).data["hands"]] == [0, 1]


@pytest.mark.parametrize(
    ("text", "line", "hand", "found", "allowed"),
    [
        (f"Deal 1: {DEAL}\nDeal 3: {DEAL}", 2, None, "Deal 3", "Deal 2"),
        (f"Deal 2: {DEAL}", 1, None, "Deal 2", "Deal 1"),
        ("Deal 1: KC Ah 3X", 1, 1, "3X", "5H, 5h"),
        ("Deal 1: \u212aC Ah", 1, 1, "\u212aC", "5H, 5h"),  # the sign for kelvins
        ("Deal 1: 5\u017f Ah", 1, 1, "5\u017f", "5H, 5h"),  # a long s
        (f"Deal 1: {DEAL}\nwhat now", 2, None, "what now", "Player A, Player B, Deal 1"),
    ],
)
def test_what_does_not_belong_there_is_named(
    text: str, line: int, hand: int | None, found: str, allowed: str
) -> None:
    assert refusal(text) == (line, hand, f"'{found}' doesn't fit here. Allowed: {allowed}.")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (("Ah", "AH"), "hand 1, deal: hands of [7, 5] cards; expected 2 hands of 6"),
        (("4c", "4C"), "hand 1, deal: hands of [7, 5] cards; expected 2 hands of 6"),
        (("3c", "KC"), "hand 1, deal: hands of [7, 5] cards; expected 2 hands of 6"),
        (("4c", "3c"), "hand 1, deal: duplicate card: 3C"),
        (("KC", "AH"), "hand 1, starter: AH cannot be cut: it has been dealt"),
        (("3S  2d", "2d  3S"), "hand 1, play 2: seat 1 played; it is seat 0's turn"),
    ],
)
def test_the_rules_judge_the_cards(change: tuple[str, str], error: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_record(one(f"Deal 1: {DEAL.replace(*change)}").data)
    assert str(caught.value) == error


def test_the_deal_must_pass_from_player_to_player() -> None:
    with pytest.raises(RecordError) as caught:
        read_record(one(f"Deal 1: {DEAL}\nDeal 2: {DEAL}").data)
    assert str(caught.value) == "hand 2, deal: dealer is seat 0; expected seat 1"


def test_a_form_without_a_deal_holds_no_game() -> None:
    assert list(read_halscrib("Player A: Ann\nPlayer B: Bob\nDeal 1: __ __ __ _____")) == []
