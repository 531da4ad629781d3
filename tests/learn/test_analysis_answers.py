"""Answers of the analysis board: computed one after the other, beside the pages."""

from __future__ import annotations

from threading import Event

import pytest
from django.test import override_settings

from games.learn.analysis_answers import Answer, Answers
from games.learn.analysis_board import Position
from games.people import limits
from games.people.accounts import create_guest
from tests.learn.test_analysis_board import SIX, read


def _positions() -> list[Position]:
    return [read(cards=SIX, own=str(score)) for score in range(6)]


def test_a_slow_answer_is_fetched_later() -> None:
    release = Event()

    def slow(position: Position) -> Answer:
        release.wait(60)
        return Answer(position, (), by_chance=True)

    answers = Answers(slow)
    position = _positions()[0]
    assert answers.ask(position, who="a", patience=0.01) is None
    release.set()
    found = answers.ask(position, who="a", patience=60)
    assert found is not None and found.position == position


def test_only_the_newest_position_of_a_reader_waits() -> None:
    begun, release, computed = Event(), Event(), []

    def slow(position: Position) -> Answer:
        begun.set()
        release.wait(60)
        computed.append(position.scores[0])
        return Answer(position, (), by_chance=True)

    answers = Answers(slow)
    positions = _positions()
    for position in positions[:4]:
        assert answers.ask(position, who="a", patience=0.01) is None
        assert begun.wait(60), "the first is computed, the others wait"
    assert answers.ask(positions[4], who="b", patience=0.01) is None
    release.set()
    assert answers.ask(positions[4], who="b", patience=60) is not None
    assert computed == [0, 3, 4]


def test_the_engine_is_prepared_before_it_computes() -> None:
    order = []
    answers = Answers(lambda position: order.append("computed") or Answer(position, (), True))
    answers.ask(_positions()[0], who="a", prepare=lambda: order.append("ready"), patience=60)
    assert order == ["ready", "computed"]


@pytest.mark.django_db
@override_settings(LIMITS={"analyses": (2, 60)})
def test_a_reader_may_ask_for_so_many_new_positions(limit_clock: object) -> None:
    answers = Answers(lambda position: Answer(position, (), by_chance=True))
    first, second, third = _positions()[:3]
    who = f"player:{create_guest().pk}"
    for position in (first, second, first, second):
        assert answers.ask(position, who=who, patience=60) is not None
    with pytest.raises(limits.TooOften):
        answers.ask(third, who=who, patience=60)
    assert answers.ask(third, who="someone", patience=60) is not None


def test_a_failed_answer_is_computed_again() -> None:
    outcomes = iter([ValueError("no"), None])

    def compute(position: Position) -> Answer:
        problem = next(outcomes)
        if problem:
            raise problem
        return Answer(position, (), by_chance=True)

    answers = Answers(compute)
    position = _positions()[0]
    with pytest.raises(ValueError, match="no"):
        answers.ask(position, who="a", patience=60)
    assert answers.ask(position, who="a", patience=60) is not None
