"""Each error of the engine and of the imports has a sentence in every language."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import override

from games.engine.cards import CardError, parse_card
from games.engine.faults import DETAILS
from games.engine.illegal import IllegalMove
from games.engine.record_check import RecordEvent
from games.engine.record_shape import ShapeError
from games.text.fault_sentences import (
    EVENTS,
    PHASES,
    SENTENCES,
    event_words,
    fault_place,
    fault_words,
)
from games.text.record_places import PLACES, place_words

GAMES = Path(__file__).parent.parent.parent / "games"
ERRORS = re.compile(r"IllegalMove|ImportProblem|\w*(Card|Move|Notation|Shape|Ruleset)Error")
RECORD_MODULES = ("record.py", "record_entry.py", "record_check.py")
PLACE = re.compile(r"%\((\w+)\)s")
MUGGINS = "('muggins', True)"  # the same word in French and Spanish
OTHERS = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def raised() -> set[str]:
    """Return every key that a call in `games` raises an error with."""
    keys = set()
    for path in GAMES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if ERRORS.fullmatch(node.func.id) or node.func.id in {"RecordError", "EngineError"}:
                keys |= {
                    each.value
                    for each in node.args[:2]
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
    return keys


def test_every_key_that_is_raised_has_a_sentence() -> None:
    keys = raised()
    assert {"over_31", "not_list", "bad_json", "two_seats", "no_leader"} <= keys
    assert keys <= set(SENTENCES)


def test_every_detail_of_the_engine_has_a_sentence_with_its_parameters() -> None:
    assert set(DETAILS) <= set(SENTENCES)
    for key, detail in DETAILS.items():
        allowed = set(PLACE.findall(detail))
        assert set(PLACE.findall(str(SENTENCES[key]))) <= allowed, key


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_and_position_is_translated(language: str) -> None:
    words = {**SENTENCES, **PHASES, **{str(key): text for key, text in EVENTS.items()}}
    words |= {f"place {key}": text for key, text in PLACES.items()}
    with override(settings.LANGUAGE_CODE):
        english = {key: str(text) for key, text in words.items()}
    with override(language):
        left = [key for key, text in words.items() if str(text) == english[key]]
    assert left in ([], [MUGGINS])


def test_seats_count_from_one_and_phases_are_in_words() -> None:
    turn = IllegalMove("not_your_turn", seat=0, expected_seat=1)
    assert fault_words(turn.key, turn.params) == "Seat 1 can't play. It's seat 2's turn."
    early = IllegalMove("wrong_phase.starter", phase="discard")
    assert (
        fault_words(early.key, early.params) == "A starter doesn't fit here. Expected: a discard."
    )
    assert early.code == "wrong_phase"


def test_the_input_is_quoted() -> None:
    with pytest.raises(CardError) as caught:
        parse_card("7X")
    assert fault_words(caught.value.key, caught.value.params).startswith(
        "'7X' isn't a card. Write cards like 5H."
    )


def test_positions_are_in_words() -> None:
    event = RecordEvent("play", 4)
    assert fault_place(line=3, hand=2, event=event) == "line 3, hand 2, card 4 of the play"
    assert event_words(RecordEvent("discard", 0)) == "discard of seat 1"
    assert fault_place() == ""


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("plays[3]", "Card 4 of the play"),
        ("plays[3][0]", "The seat that plays card 4"),
        ("plays[3][1]", "Card 4 of the play"),
        ("dealt[0]", "The hand of seat 1"),
        ("dealt[1][2]", "Card 3 of seat 2"),
        ("discards[1]", "The discard of seat 2"),
        ("log[0]", "Line 1 of the log"),
        ("winner", "The winner"),
        ("elsewhere[7]", "elsewhere[7]"),
    ],
)
def test_a_place_in_a_record_is_told_in_words_that_count_from_one(place: str, words: str) -> None:
    assert place_words(place) == words


def test_every_place_that_is_read_has_words() -> None:
    source = "".join((GAMES / "engine" / name).read_text() for name in RECORD_MODULES)
    read = re.findall(r'shape\.\w+\(.*, f?"([a-z_]+)(?:\[\{\w+\}\])?"[,)]', source)
    assert {"record", "hands", "dealer", "dealt", "starter", "log"} <= set(read) <= set(PLACES)


def test_a_seat_of_a_record_counts_from_one() -> None:
    other = ShapeError("differs", place="winner", found="0", expected="1")
    assert fault_words(other.key, other.params) == "The winner is seat 1; the cards make it seat 2."
    assert (
        fault_words("bad_seat", {"found": "2", "last": 1}) == "There's no seat 3. Seats are 1 to 2."
    )
    assert (
        fault_words("bad_rule.dealer", {"found": "2", "last": 1})
        == "The first dealer can't be seat 3. Seats are 1 to 2."
    )
