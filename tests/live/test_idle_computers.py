"""Computers in correspondence matches that no one has open: a worker moves for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.bots import levels
from games.correspondence import turns
from games.engine import rules
from games.engine.moves import Decision
from games.engine.state import Ruleset, require
from games.jobs.backend import BATCH, PROMPT
from games.jobs.schedules import store_dates
from games.jobs.worker import work_off
from games.live import computers
from games.live.idle_computers import (
    AFTER_FAILURE,
    IDLE_FOR,
    move_computers,
    move_idle_computers,
)
from games.log import store
from games.models import Match, Move, Player
from games.safety.erasure import erase
from games.tables.tables import create_match, join_match, seat_stand_in, take_back
from tests.support import letters

pytestmark = pytest.mark.django_db(transaction=True)

WEAKEST = levels()[0].name


def after_a_deletion() -> Match:
    """Return a match in which the player who has to lead has deleted their account."""
    match = letters.begin(letters.make_person("ann"), letters.make_person("bob"))
    Match.objects.update(stand_in_level=WEAKEST)
    for seat in (0, 1):
        letters.discard(match, seat)
    (pone,) = rules.waiting(letters.state_of(match))
    gone = match.seats.get(seat=pone).player
    assert gone is not None
    erase(player=gone)
    return Match.objects.get()


def with_a_computer() -> Match:
    """Return a match of three in which the people have discarded and the computer has not."""
    match = create_match(
        creator=letters.make_person("ann"),
        ruleset=Ruleset(players=3),
        computers={2: WEAKEST},
        days=3,
    )
    join_match(player=letters.make_person("bob"), invite=match.invite)
    letters.settle(match)
    for seat in (0, 1):
        letters.discard(match, seat)
    return Match.objects.get()


def with_a_stand_in(*names: str) -> tuple[Match, Player]:
    """Return a match in which a computer plays for the player who has to lead, and that player."""
    match = letters.begin(*map(letters.make_person, names))
    Match.objects.filter(pk=match.pk).update(stand_in_level=WEAKEST)
    for seat in (0, 1):
        letters.discard(match, seat)
    (pone,) = rules.waiting(letters.state_of(match))
    seat_stand_in(match=match, seat=pone)
    letters.pass_time(match, 2 * IDLE_FOR)
    return Match.objects.get(pk=match.pk), require(match.seats.get(seat=pone).player)


def run_regular_jobs() -> None:
    """Run what workers do regularly at tables, and the jobs of the moves."""
    store_dates(timezone.now())
    DBTaskResult.objects.exclude(task_path__startswith="games.live.").delete()
    DBTaskResult.objects.update(run_after=timezone.now())
    work_off([BATCH])
    work_off([PROMPT])


@pytest.mark.parametrize("begin", [after_a_deletion, with_a_computer])
def test_a_match_that_nobody_has_open_goes_on_and_the_next_player_is_notified(
    begin: Callable[[], Match],
) -> None:
    match = begin()
    assert turns.turn(match) is None
    letters.pass_time(match, 2 * IDLE_FOR)
    run_regular_jobs()
    match.refresh_from_db()
    turn = turns.turn(match)
    assert turn is not None
    letters.deliver()
    waiting = {match.seats.get(seat=seat).player for seat in turn.seats}
    assert [letter.to for letter in mail.outbox] == [[each.email] for each in waiting if each]


def test_a_player_who_comes_back_while_the_computer_thinks_moves_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, player = with_a_stand_in("ann", "bob")

    def decide_late(*about: Any) -> Decision | None:
        take_back(match=match, player=player)
        connection.close()
        return decide(*about)

    decide = computers.decide
    monkeypatch.setattr(computers, "decide", decide_late)
    before = store.length(match.pk)
    run_regular_jobs()
    assert store.length(match.pk) == before
    assert turns.turn(match) is not None


def test_a_match_that_fails_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    matches = [with_a_stand_in("ann", "bob")[0], with_a_stand_in("cat", "dan")[0]]
    failed: list[object] = []

    def fail_first(*about: Any) -> Decision | None:
        if not failed:
            failed.append(about)
            raise ValueError("a fault")
        return decide(*about)

    decide = computers.decide
    monkeypatch.setattr(computers, "decide", fail_first)
    run_regular_jobs()
    assert sorted(turns.turn(match) is not None for match in matches) == [False, True]


def test_a_match_whose_log_cannot_be_read_is_given_up_for_a_day() -> None:
    match = with_a_stand_in("ann", "bob")[0]
    Move.objects.filter(match=match, sequence=1).update(text="0 deal XX")
    for _ in range(move_computers.tries):
        run_regular_jobs()
    job = DBTaskResult.objects.get(task_path__endswith=".move_computers")
    assert job.status == "FAILED"

    run_regular_jobs()
    job.refresh_from_db()
    assert (job.status, len(job.worker_ids)) == ("FAILED", move_computers.tries)
    DBTaskResult.objects.filter(pk=job.pk).update(finished_at=timezone.now() - AFTER_FAILURE)
    move_idle_computers.func()
    job.refresh_from_db()
    assert job.status == "READY"


def test_a_connected_process_has_time_to_move() -> None:
    match = with_a_computer()
    run_regular_jobs()
    assert turns.turn(match) is None


def test_nothing_is_played_for_people() -> None:
    match = letters.begin(letters.make_person("ann"), letters.make_person("bob"))
    letters.pass_time(match, 2 * IDLE_FOR)
    before = store.length(match.pk)
    run_regular_jobs()
    assert store.length(match.pk) == before
