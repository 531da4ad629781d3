"""A process's clock is put right by the database's before anything is dated."""

from __future__ import annotations

import gc
import threading
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import OperationalError
from django.utils import timezone

from cribbage_site import starting
from cribbage_site.draining import draining
from cribbage_site.embedded_worker import embedded_worker
from games.jobs.worker import Worker
from games.ops import true_time
from tests.support.waiting import DEADLINE, wait_for

SLOW = -300.0


@pytest.fixture(autouse=True)
def _clock_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(true_time, "_ahead", timedelta())


def is_put_right() -> bool:
    return true_time.now() > timezone.now() + timedelta(seconds=-SLOW / 2)


def test_the_clocks_are_compared_before_the_first_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever moved within two seconds of the start lost the seat of the next player."""
    monkeypatch.setattr(true_time, "seconds_ahead", lambda: SLOW)
    found: list[bool] = []
    monkeypatch.setattr(starting, "runtime", lambda: found.append(is_put_right()))
    monkeypatch.setattr(embedded_worker, "start", lambda: None)
    monkeypatch.setattr(draining, "watch_signals", lambda _: None)
    for name in ("collect", "freeze", "set_threshold"):
        monkeypatch.setattr(gc, name, lambda *_: None)
    starting._begin(lambda: None)
    assert found == [True]


def test_rows_are_dated_by_the_clock_with_which_they_are_compared() -> None:
    """By another, the second of two clicks would not find what the first has made."""
    fields = {
        str(field)
        for model in apps.get_models()
        if model._meta.app_label in {"games", "ratings"}
        for field in model._meta.fields
        if getattr(field, "default", None) is timezone.now
    }
    assert fields == {"games.Player.date_joined"}, "it is Django's own"


def test_the_clocks_are_compared_before_the_first_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(true_time, "seconds_ahead", lambda: SLOW)
    worker = Worker([])
    worker.stop()
    monkeypatch.setattr(worker, "_finish", lambda: None)
    worker.run()
    assert is_put_right()


def test_a_process_starts_although_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> float:
        raise OperationalError("the connection is refused")

    monkeypatch.setattr(true_time, "seconds_ahead", fails)
    true_time.compare_at_start()
    assert not is_put_right()


def test_a_process_waits_a_moment_for_the_database_and_uses_a_late_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answered = threading.Event()

    def answers_late() -> float:
        answered.wait(DEADLINE)
        return SLOW

    monkeypatch.setattr(true_time, "AT_START", 0.01)
    monkeypatch.setattr(true_time, "seconds_ahead", answers_late)
    true_time.compare_at_start()
    assert not is_put_right()
    answered.set()
    wait_for(is_put_right)


def test_a_slow_answer_does_not_put_a_right_clock_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database read its clock at the beginning of the ten seconds, not in their middle."""

    class Cursor:
        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None: ...

        def execute(self, _: str) -> None: ...

        def fetchone(self) -> tuple[float]:
            return (timezone.now().timestamp() - 10.0,)

    clock = iter((0.0, 10.0))
    theirs = SimpleNamespace(vendor="postgresql", cursor=Cursor)
    monkeypatch.setattr(true_time, "connection", theirs)
    monkeypatch.setattr(true_time, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    assert abs(true_time.seconds_ahead()) < true_time.MOST_APART
