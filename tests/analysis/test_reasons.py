"""Reasons of mistakes: 267 positions whose reason is known from how they were built."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from games.analysis.reasons import KINDS, Reason, habit_of
from games.analysis.review import Item, judge, throw_view
from games.analysis.review_verdicts import SOUND
from games.engine import rules
from games.engine.cards import Card, parse_cards
from games.engine.view import View, view_for
from tests.support.hands import played

POSITIONS = Path(__file__).with_name("reason_positions.txt").read_text().splitlines()
"""One position a line, drawn at random until it has one dominant difference by construction.

Discards: ``kind: role own-other cards thrown``. The hands kept differ in one combination without
the starter, or the averages of crib or play differ at least twice as much as the rest. Plays:
``kind: play pone-dealer pone dealer crib starter plays played``. The best card scores one kind of
combination and the one played nothing, or the replies to it score at least four times as much in
one kind as in the others. The code of the reasons was not used.
"""

KNOWN = [line for line in POSITIONS if line and not line.startswith("#")]


def position(line: str) -> tuple[str, View, tuple[Card, ...]]:
    kind, rest = line.split(": ")
    what, scores, *cards = rest.split()
    one, other = map(int, scores.split("-"))
    if what != "play":
        held, thrown = cards
        view = throw_view(parse_cards(held), dealer=what == "dealer", scores=(one, other))
        return kind, view, tuple(sorted(parse_cards(thrown)))
    pone, dealer, crib, starter, line_of_play, chosen = cards
    state = played(pone, dealer, crib, starter, line_of_play.strip("-"), (one, other))
    return kind, view_for(state, rules.waiting(state)[0]), parse_cards(chosen)


def judged(line: str) -> tuple[str, Item]:
    kind, view, chosen = position(line)
    return kind, judge(view, chosen)


def test_known_reasons_are_named() -> None:
    wrong = []
    for line in KNOWN:
        kind, item = judged(line)
        found = item.reason.kind if item.reason else item.verdict
        if found != kind:
            wrong.append(f"{line} -> {found}")
    assert len(KNOWN) >= 200
    assert len(wrong) <= 0.05 * len(KNOWN), "\n".join(wrong)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        # A five from a pair of fives; a five led; the third nine; and the fifteen that wins the
        # game before the pone, who needs 4, can count.
        ("pone 0-0 5C5DTHJS2C8D 5CJS", "throws_five"),
        ("play 0-0 5H2C3DTS 7C8D9HKC 6C4DJSQH AD - 5H", "leads_five"),
        ("play 0-0 9C9DJHKC 9H2CTSKS 3C4DJCQS 8S 9C9H KC", "misses_royal"),
        ("play 117-119 7CKC2HQD 8D4CTSKH 3C3DJHJS 6S 7C TS", "score_now"),
    ],
)
def test_textbook_mistakes_have_the_textbooks_reason(line: str, kind: str) -> None:
    _kind, item = judged(f"{kind}: {line}")
    assert item.verdict not in SOUND
    assert item.reason is not None
    assert item.reason.kind == kind


def test_a_choice_that_was_not_wrong_has_no_reason() -> None:
    for line in KNOWN[::20]:
        _kind, view, chosen = position(line)
        best = judge(view, chosen).best
        assert best is not None
        assert judge(view, best.cards).reason is None


def test_every_kind_of_reason_belongs_to_one_habit() -> None:
    kinds = Counter(kind for found in KINDS.values() for kind in found)
    assert set(kinds.values()) == {1}
    assert all(kind in KINDS[habit_of(kind) or "pairs"] for kind in kinds)
    assert habit_of("nonsense") is None


def test_a_reason_survives_serialization() -> None:
    for line in KNOWN[::15]:
        _kind, item = judged(line)
        stored = json.loads(json.dumps(item.to_dict()))
        assert Item.from_dict(stored).reason == item.reason
    plain = Reason("breaks_run", parse_cards("6H7D8S"), None, 3)
    assert Reason.from_dict(plain.to_dict()) == plain
