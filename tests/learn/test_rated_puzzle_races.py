"""Answers to rated puzzles that arrive at the same moment, over connections of their own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from games.engine.scoring import Breakdown
from games.learn import glicko, puzzle_positions, rated_puzzles, storm
from games.models import Player, PuzzleAttempt, PuzzleRating, RatedPuzzle, Storm
from games.people.accounts import create_guest, merge_guest
from tests.support.at_once import at_once
from tests.support.people import as_
from tests.support.wrong_clocks import wrong_clock

pytestmark = pytest.mark.django_db(transaction=True)

COUNT = "hand 5D5H5SJC 5C"


@pytest.fixture
def puzzle() -> RatedPuzzle:
    return RatedPuzzle.objects.create(
        kind="count",
        theme="counting",
        position=COUNT,
        rating=1500,
        deviation=glicko.PUZZLE_DEVIATION,
        volatility=glicko.VOLATILITY,
    )


def person(name: str) -> Player:
    return Player.objects.create_user(name, kind=Player.Kind.PERSON, name=name)


def opened(player: Player) -> PuzzleAttempt:
    found = rated_puzzles.next_attempt(player=player, only="count")
    assert found is not None
    return found


def test_two_answers_to_one_attempt_are_rated_once(puzzle: RatedPuzzle) -> None:
    player = person("Ann")
    attempt = opened(player)
    at_once(
        *[
            lambda points=points: rated_puzzles.answer(attempt=attempt, words=[points])
            for points in ("29", "28")
        ]
    )
    own, row = PuzzleRating.objects.get(player=player), PuzzleAttempt.objects.get()
    assert own.attempts == 1
    assert row.change == pytest.approx(own.rating - 1500)
    assert row.solved is (row.answer == "29")


def test_no_attempt_is_lost_if_two_people_answer_one_puzzle(puzzle: RatedPuzzle) -> None:
    attempts = [opened(person(name)) for name in ("Ann", "Bob", "Cleo")]
    at_once(
        *[
            lambda attempt=attempt: rated_puzzles.answer(attempt=attempt, words=["29"])
            for attempt in attempts
        ]
    )
    one_by_one = glicko.Glicko(1500, glicko.PUZZLE_DEVIATION)
    for _ in attempts:
        one_by_one = glicko.after(one_by_one, glicko.Glicko(), 0.0)
    puzzle.refresh_from_db()
    assert puzzle.rating == pytest.approx(one_by_one.rating)
    assert PuzzleAttempt.objects.filter(solved=True).count() == 3


def test_no_transaction_waits_for_the_analysis(
    puzzle: RatedPuzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = []
    breakdown = puzzle_positions.breakdown

    def judged(position: str) -> Breakdown:
        held.append(connection.in_atomic_block)
        return breakdown(position)

    monkeypatch.setattr(puzzle_positions, "breakdown", judged)
    ann = person("Ann")
    attempt = rated_puzzles.show(player=ann, near=1500, storm=storm.start(player=ann))
    assert attempt is not None
    storm.answer(attempt=attempt, words=["29"])
    rated_puzzles.answer(attempt=opened(person("Bob")), words=["29"])
    assert held == [False, False]


def test_two_pages_of_one_player_show_one_puzzle(puzzle: RatedPuzzle) -> None:
    player = person("Ann")
    at_once(*[lambda: opened(player)] * 2)
    assert PuzzleAttempt.objects.count() == 1


def test_a_page_that_finds_the_last_puzzle_taken_by_another_page_shows_it(
    puzzle: RatedPuzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = person("Ann")
    rating_of = rated_puzzles.rating_of
    others: list[PuzzleAttempt | None] = []

    def meanwhile(*, player: Player) -> PuzzleRating | None:
        """The other page opens the puzzle after this one has looked for an open attempt."""
        if not others:
            others.append(None)
            others[0] = opened(player)
        return rating_of(player=player)

    monkeypatch.setattr(rated_puzzles, "rating_of", meanwhile)
    assert [opened(player)] == others


def test_a_storm_ends_at_one_time_for_all_processes(puzzle: RatedPuzzle) -> None:
    ann = person("Ann")
    with wrong_clock(timedelta(hours=-1)):
        running = storm.start(player=ann)
    assert storm.running(player=ann) == running
    attempt = rated_puzzles.show(player=ann, near=1500, storm=running)
    assert attempt is not None
    with wrong_clock(timedelta(hours=1)):
        storm.answer(attempt=attempt, words=["29"])
    attempt.refresh_from_db()
    assert attempt.answered_at is not None


def test_two_clicks_start_one_storm() -> None:
    player = person("Ann")
    at_once(*[lambda: storm.start(player=player)] * 8)
    assert Storm.objects.count() == 1


def test_two_pages_of_one_storm_show_one_puzzle(puzzle: RatedPuzzle) -> None:
    for number in range(3):
        RatedPuzzle.objects.create(
            kind="count",
            theme="counting",
            position=f"hand 5D5H5SJ{'DHS'[number]} 5C",
            rating=1250,
            deviation=glicko.PUZZLE_DEVIATION,
            volatility=glicko.VOLATILITY,
        )
    running = storm.start(player=person("Ann"))
    at_once(*[lambda: storm.current(storm=running)] * 8)
    assert PuzzleAttempt.objects.count() == 1


def test_a_double_click_shows_one_puzzle(
    puzzle: RatedPuzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock of a second one would run out unseen, and cost rating."""
    other = RatedPuzzle.objects.get(pk=puzzle.pk)
    other.pk, other.position = None, "hand 5D5H5SJC 6C"
    other.save()
    player, pks = person("Ann"), iter((puzzle.pk, other.pk))
    # Chance would often choose the same puzzle twice, which is refused.
    monkeypatch.setattr("games.learn.rated_puzzles.secrets.choice", lambda _: next(pks))
    at_once(*[lambda: opened(player)] * 2)
    assert PuzzleAttempt.objects.filter(player=player).count() == 1


@pytest.mark.parametrize("in_storm", [False, True])
def test_an_answer_that_a_login_overtakes_is_refused(
    puzzle: RatedPuzzle, monkeypatch: pytest.MonkeyPatch, *, in_storm: bool
) -> None:
    """The account had tried the puzzle, so the guest's attempt is gone by the time it is judged."""
    guest, ann, judge = create_guest(), person("Ann"), rated_puzzles.judge
    opened(ann)
    if in_storm:
        attempt = storm.current(storm=storm.start(player=guest))
        assert attempt is not None
        address = f"/puzzles/storm/?attempt={attempt.pk}"
    else:
        address = f"/puzzles/{opened(guest).pk}/"

    def judge_late(**answer: Any) -> Any:
        merge_guest(guest=guest, account=ann)
        return judge(**answer)

    monkeypatch.setattr(rated_puzzles, "judge", judge_late)
    answer = as_(guest).post(address, {"cards": "29"})
    assert answer.status_code == 403
    assert PuzzleAttempt.objects.get().player == ann
