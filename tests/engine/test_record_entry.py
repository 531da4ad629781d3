"""Entering a game record: what is asked for next."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from games.engine.cards import NAMES, PACK, parse_cards
from games.engine.record import RecordError
from games.engine.record_entry import next_entry

LINES = (Path(__file__).parent.parent / "data" / "sample.jsonl").read_text().splitlines()
EMPTY = {"players": 2, "target": 121, "first_dealer": 0, "hands": []}


def game(line: int = 0, hands: int | None = None) -> dict[str, Any]:
    record = json.loads(LINES[line])
    return {**record, "hands": record["hands"][:hands], "winner": None, "final": None}


def deal(*dealt: str, **more: Any) -> dict[str, Any]:
    cards = [[NAMES[card] for card in parse_cards(text)] for text in dealt]
    return {**EMPTY, "hands": [{"dealer": 0, "dealt": cards, **more}]}


def test_the_deal_starts_at_the_dealers_left() -> None:
    asked = next_entry(EMPTY)
    assert (asked.need, asked.seat, asked.number, asked.hand) == ("dealt", 1, 6, 1)
    assert asked.cards == asked.left == PACK
    three = next_entry({**EMPTY, "players": 3, "first_dealer": 1})
    assert (three.seat, three.number, three.dealer) == (2, 5, 1)


def test_the_rest_of_a_partial_deal_is_asked_for_without_the_cards_already_dealt() -> None:
    asked = next_entry(deal("", "5H5C"))
    assert (asked.need, asked.seat, asked.number) == ("dealt", 1, 4)
    assert set(PACK) - set(asked.left) == set(parse_cards("5H5C"))
    assert next_entry(deal("", "5H5C6S7DJCKD")).seat == 0
    assert next_entry(deal("", "5H5C6S")).number == 3
    assert next_entry(deal("", "5H5C6S7DJC")).number == 1


def test_with_three_players_the_crib_card_is_asked_for() -> None:
    cards = [["5H", "5C", "6S", "7D", "JC"], ["2H", "3C", "4S", "8D", "QC"]]
    cards.append(["AH", "AC", "9S", "9D", "TC"])
    record = {**EMPTY, "players": 3, "hands": [{"dealer": 0, "dealt": cards}]}
    asked = next_entry(record)
    assert (asked.need, asked.seat, asked.number, len(asked.cards)) == ("crib_card", None, 1, 37)


def test_discards_starter_and_plays_follow_the_deal() -> None:
    hands = ("2H3C4S8DQCKS", "5H5C6S7DJCKD")
    asked = next_entry(deal(*hands))
    assert (asked.need, asked.seat, asked.number) == ("discard", 1, 2)
    assert asked.cards == parse_cards(hands[1])
    asked = next_entry(deal(*hands, discards=[[], ["JC", "KD"]]))
    assert (asked.need, asked.seat) == ("discard", 0)
    thrown = [["QC", "KS"], ["JC", "KD"]]
    asked = next_entry(deal(*hands, discards=thrown))
    assert (asked.need, asked.seat, len(asked.cards)) == ("starter", None, 40)
    asked = next_entry(deal(*hands, discards=thrown, starter="9H"))
    assert (asked.need, asked.seat) == ("play", 1)
    assert asked.cards == parse_cards("5H5C6S7D")


@pytest.mark.parametrize("players", [10**30, 10**6, 4, 1, -1])
def test_an_impossible_number_of_players_is_refused_at_once(players: int) -> None:
    tracemalloc.start()
    with pytest.raises(RecordError) as refusal:
        next_entry({**EMPTY, "players": players})
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refusal.value.key == "bad_rule"
    assert most < 2**20, "memory grows with the number"


def test_nothing_is_asked_for_in_an_empty_hand_after_the_end() -> None:
    over = game(0)
    over["hands"].append({"dealer": 0, "dealt": [[], []]})
    assert next_entry(over).need == "nothing"
    over["hands"][-1]["dealt"] = [["5H"], []]
    with pytest.raises(RecordError, match="over"):
        next_entry(over)


def test_only_cards_within_thirty_one_are_offered() -> None:
    record = deal("2H3C4STDQCKS", "5HTCTSJDJCKD", discards=[["QC", "KS"], ["JC", "KD"]])
    record["hands"][0] |= {"starter": "9H", "plays": [[1, "TC"], [0, "TD"], [1, "5H"]]}
    asked = next_entry(record)
    assert (asked.seat, asked.cards) == (0, parse_cards("2H3C4S"))


@pytest.mark.parametrize("line", [0, 12])
def test_the_next_deal_follows_a_hand_and_nothing_follows_the_last(line: int) -> None:
    asked = next_entry(game(line, hands=2))
    players = json.loads(LINES[line])["players"]
    dealer = (json.loads(LINES[line])["first_dealer"] + 2) % players
    assert (asked.need, asked.hand, asked.dealer) == ("dealt", 3, dealer)
    assert asked.seat == (dealer + 1) % players
    over = next_entry(game(line))
    assert (over.need, over.seat, over.number, over.cards) == ("nothing", None, 0, ())
    hands = game(line)["hands"]
    assert (over.hand, over.dealer) == (len(hands), hands[-1]["dealer"])


@pytest.mark.parametrize(
    ("record", "hand", "said"),
    [
        (deal("", "5H5C6S7DJCKD2D"), 1, "7 cards"),
        (deal("5H", "5H"), 1, "duplicate card: 5H"),
        (game() | {"hands": [*game()["hands"], {"dealt": [["5H"]]}]}, None, "over"),
        (game(0, 1) | {"rules": {"counting": "manual"}}, None, "card by card"),
        ({**EMPTY, "players": 4}, None, "players"),
        ({**EMPTY, "hands": 7}, None, "hands must be a list"),
        ({**EMPTY, "rules": "none"}, None, ""),
        (7, None, "an object"),
    ],
)
def test_an_impossible_record_is_refused_with_a_reason(
    record: Any, hand: int | None, said: str
) -> None:
    with pytest.raises(RecordError) as caught:
        next_entry(record)
    assert said in str(caught.value)
    assert hand is None or caught.value.hand == hand
