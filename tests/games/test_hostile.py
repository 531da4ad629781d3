"""Some thousands of the hostile messages of `benchmarks.fuzz`, and what it would notice."""

from __future__ import annotations

from collections import Counter
from typing import NoReturn

import pytest

from benchmarks import fuzz
from benchmarks.fuzz import Escaped, Fuzz
from benchmarks.hostile import KINDS
from games.engine.rules import apply
from games.engine.state import Phase


def test_nothing_but_a_command_or_a_refusal_comes_of_hostile_messages() -> None:
    """They meet the parser, the rules and every phase, whole matches long."""
    report = Fuzz(seed=7).run(6_000)
    kinds = Counter[str]()
    answers = Counter[str]()
    for (kind, answer), number in report.outcomes.items():
        kinds[kind] += number
        answers[answer] += number
    assert kinds.keys() == set(KINDS)
    assert report.phases.keys() == {phase.value for phase in Phase}
    assert answers.keys() >= {
        *("made", "malformed", "unknown_type", "too_long", "no_line"),
        *("not_your_card", "bad_seat", "wrong_phase", "not_your_turn", "match_over", "bad_claim"),
    }


def test_an_error_that_is_no_refusal_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> NoReturn:
        raise RecursionError("too deep")

    monkeypatch.setattr("games.protocol.parse", fail)
    with pytest.raises(Escaped, match="too deep"):
        Fuzz(seed=7).run(100)


def test_a_state_that_a_refused_move_changed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(state: object, move: object) -> object:
        try:
            return apply(state, move)  # type: ignore[arg-type]
        finally:
            state.__dict__["count"] += 1

    monkeypatch.setattr(fuzz, "apply", judge)
    with pytest.raises(Escaped, match="changed the state"):
        Fuzz(seed=7).run(500)


def test_the_same_seed_brings_the_same_messages() -> None:
    assert Fuzz(seed=3).run(500).lines() == Fuzz(seed=3).run(500).lines()
