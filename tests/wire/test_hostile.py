"""Some thousands of hostile messages from `benchmarks.fuzz`, and checks of the fuzzer itself."""

from __future__ import annotations

from collections import Counter
from typing import NoReturn

import pytest

from benchmarks import fuzz
from benchmarks.fuzz import Fuzz, UnexpectedResult
from benchmarks.hostile import KINDS
from games.engine.rules import apply
from games.engine.state import Phase

MOST = 100_000
"""Messages after which a phase that was not reached is a fault."""


def test_hostile_messages_yield_only_commands_or_refusals() -> None:
    """They reach the parser, the rules and every phase, over whole matches."""
    every = {phase.value for phase in Phase}
    fuzzer = Fuzz(seed=7)
    report = fuzzer.run(6_000)
    # The messages follow from the seed and the contract: how many it takes until a match is over
    # changes with every field that a command gains.
    while report.phases.keys() != every and report.messages < MOST:
        fuzzer.run(500)
    kinds = Counter[str]()
    answers = Counter[str]()
    for (kind, answer), number in report.outcomes.items():
        kinds[kind] += number
        answers[answer] += number
    assert kinds.keys() == set(KINDS)
    assert report.phases.keys() == every
    assert answers.keys() >= {
        *("made", "malformed", "unknown_type", "too_long", "no_line"),
        *("not_your_card", "bad_seat", "wrong_phase", "not_your_turn", "match_over", "bad_claim"),
    }


def test_the_fuzzer_notices_an_error_that_is_not_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> NoReturn:
        raise RecursionError("too deep")

    monkeypatch.setattr("games.wire.protocol.parse", fail)
    with pytest.raises(UnexpectedResult, match="too deep"):
        Fuzz(seed=7).run(100)


def test_the_fuzzer_notices_a_refused_move_that_changes_the_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def judge(state: object, move: object) -> object:
        try:
            return apply(state, move)  # type: ignore[arg-type]
        finally:
            state.__dict__["count"] += 1

    monkeypatch.setattr(fuzz, "apply", judge)
    with pytest.raises(UnexpectedResult, match="changed the state"):
        Fuzz(seed=7).run(500)


def test_the_same_seed_gives_the_same_messages() -> None:
    assert Fuzz(seed=3).run(500).lines() == Fuzz(seed=3).run(500).lines()
