"""Counts in words: as players say them, and the same from the server and from the browser."""

from __future__ import annotations

import json
import random
import subprocess
from itertools import combinations_with_replacement

import pytest
from django.conf import settings
from django.utils import translation

from games.engine.cards import NAMES, PACK, parse_cards
from games.engine.scoring import Breakdown, score_hand
from games.text import script_texts
from games.text.count_phrases import (
    card_words,
    count_lines,
    count_words,
    number_words,
    part_words,
)
from scripts import count_table
from tests.support.servers import ROOT

LANGUAGES = [code for code, _name in settings.LANGUAGES]


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("5H4CTSKD4D", "fifteen two, fifteen four, and a pair is six"),
        ("2H4C6S8DTD", "nothing"),
        ("7H8CQSKD2D", "fifteen two"),
        ("KHKC2S4D8D", "a pair is two"),
        ("2H3C4STDKS", "fifteen two, fifteen four, and a run of three is seven"),
        ("TH9C9SJDAC", "double run of three is eight"),
        ("7H8C8SAD9C", "fifteen two, fifteen four, and a double run of three is twelve"),
        ("JS9C9STDQH", "double run of four is ten"),
        (
            "5H3C3S4D4C",
            "fifteen two, fifteen four, and a double double run of three is twenty",
        ),
        ("TH9C9S9DJC", "triple run of three is fifteen"),
        ("JHTC9S9DQH", "double run of four is ten, and his nobs is eleven"),
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
    assert count_words(score_hand(hand, starter)) == words


def test_nineteen_is_never_said() -> None:
    for ranks in combinations_with_replacement(range(13), 5):
        if max(ranks.count(rank) for rank in ranks) <= 4:
            five = [4 * rank + ranks[:at].count(rank) for at, rank in enumerate(ranks)]
            assert "nineteen" not in count_words(score_hand(five[:4], five[4]))


def test_numbers_are_written_in_words() -> None:
    wanted = ["nothing", "seven", "sixteen", "twenty", "twenty-four", "thirty-one"]
    assert [number_words(n) for n in (0, 7, 16, 20, 24, 31)] == wanted


def test_the_browsers_words_are_those_of_the_table() -> None:
    assert count_table.TARGET.read_text() == count_table.script(), "run make counts"


def five_hundred() -> list[Breakdown]:
    """Return the counts of 500 hands and cribs: a third of close ranks, a third of one suit."""
    rng = random.Random("counts in words")
    hands = []
    for at in range(500):
        low = rng.randrange(9)
        near = [card for card in PACK if low <= card // 4 < low + 5]
        suit = [card for card in PACK if card % 4 == at % 4]
        hand = rng.sample((PACK, near, suit)[at % 3], 4)
        starter = rng.choice([card for card in (PACK, near, PACK)[at % 3] if card not in hand])
        hands.append(score_hand(hand, starter, is_crib=at % 5 == 0))
    return hands


def test_the_lines_name_every_combination_and_add_up_to_the_score() -> None:
    kinds = set()
    for count in five_hundred():
        lines = count_lines(count)
        named = [part for line in lines for part in line.parts]
        assert sorted(named, key=repr) == sorted(count.parts, key=repr)
        assert sum(line.points for line in lines) == count.total
        assert all(line.points == sum(part.points for part in line.parts) for line in lines)
        assert [line.so_far for line in lines][-1:] == ([count.total] if lines else [])
        kinds |= {line.name for line in lines}
    wanted = {"a double run of three", "a triple run of three", "a double double run of three"}
    assert wanted | {"his nobs", "a flush of four", "a pair royal", "fifteen"} <= kinds


_BROWSER = """
import { readFileSync } from "node:fs";
import { cardName } from "./static/js/text/card_names.js";
import { countLines, countSentence, playReason } from "./static/js/text/count_phrases.js";

const { catalogues, hands, cards } = JSON.parse(readFileSync(0, "utf8"));
const said = {};
for (const [language, script] of Object.entries(catalogues)) {
  delete globalThis.django;
  new Function(script).call(globalThis);
  Object.assign(globalThis, globalThis.django);
  said[language] = {
    counts: hands.map((parts) => countSentence(parts)),
    points: hands.map((parts) => countLines(parts).map((line) => line.points)),
    names: hands.map((parts) => parts.map((part) => playReason([part]))),
    cards: cards.map(cardName),
  };
}
console.log(JSON.stringify(said));
"""


def test_the_browser_says_500_hands_as_the_server_does_in_every_language() -> None:
    hands = five_hundred()
    asked = {
        "catalogues": {code: script_texts.script(code).decode() for code in LANGUAGES},
        "hands": [
            [
                {"kind": part.kind, "cards": [NAMES[card] for card in part.cards],
                 "points": part.points}
                for part in count.parts
            ]
            for count in hands
        ],
        "cards": NAMES,
    }  # fmt: skip
    done = subprocess.run(
        ["scripts/node.sh", "run", "--input-type=module", "-e", _BROWSER],
        input=json.dumps(asked),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    browser = json.loads(done.stdout)
    assert list(browser) == LANGUAGES
    for code in LANGUAGES:
        with translation.override(code):
            server = {
                "counts": [count_words(count) for count in hands],
                "points": [[line.points for line in count_lines(count)] for count in hands],
                "names": [[part_words(part) for part in count.parts] for count in hands],
                "cards": [card_words(card) for card in PACK],
            }
        assert browser[code] == server, code
