"""Jobs are stored once with their data, run once, repeated with a backoff, and never lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries

from games.jobs import queue, rows, schedules, worker
from games.jobs.backend import QUEUES, enqueue_first, key_of
from games.jobs.queue import Claim
from games.models import JobCount, Worker
from games.ops import true_time
from tests.support import sample_jobs
from tests.support.sample_jobs import fail, note
from tests.support.wrong_clocks import wrong_clock

pytestmark = pytest.mark.django_db

READY, RUNNING, FAILED, SUCCESSFUL = "READY", "RUNNING", "FAILED", "SUCCESSFUL"
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def calls() -> Iterator[list[int]]:
    sample_jobs.calls.clear()
    yield sample_jobs.calls
    sample_jobs.calls.clear()


def row() -> Any:
    return DBTaskResult.objects.get()


def claim(by: str = "one", queue_name: str = "prompt") -> Claim:
    found = queue.claim(worker=by, queue=queue_name)
    assert found is not None
    return found


def make_due() -> None:
    DBTaskResult.objects.update(run_after=timezone.now())


def test_a_job_is_stored_in_the_transaction_of_its_data() -> None:
    with transaction.atomic():
        note.enqueue(1)
        transaction.set_rollback(True)
    assert not DBTaskResult.objects.exists()


def test_a_job_runs_once_and_is_counted(calls: list[int]) -> None:
    note.enqueue(1)
    note.enqueue(2)
    assert worker.work_off() == 2
    assert worker.work_off() == 0
    assert sorted(calls) == [1, 2]
    assert set(DBTaskResult.objects.values_list("status", flat=True)) == {SUCCESSFUL}
    assert JobCount.objects.get().done == 2


def test_a_waiting_job_is_stored_once_and_may_come_earlier() -> None:
    now = timezone.now()
    note.using(run_after=now + 2 * HOUR).enqueue(1)
    note.using(run_after=now + HOUR).enqueue(1)
    note.using(run_after=now + 3 * HOUR).enqueue(1)
    assert row().run_after == now + HOUR
    assert worker.work_off() == 0


def test_one_query_finds_all_queues_with_due_jobs(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    note.enqueue(1)
    note.enqueue(2)
    fail.using(run_after=timezone.now() + HOUR).enqueue(1)
    with django_assert_num_queries(1):
        assert queue.with_due_jobs(QUEUES) == {"prompt"}
    assert named_by_due(QUEUES) == {"prompt"}
    make_due()
    assert queue.with_due_jobs(QUEUES) == named_by_due(QUEUES) == {"prompt", "batch"}
    assert queue.with_due_jobs(["batch", "mail"]) == {"batch"}
    for _ in range(2):
        assert queue.claim(worker="w", queue="prompt")
    assert queue.with_due_jobs(QUEUES) == named_by_due(QUEUES) == {"batch"}, "two are running"
    assert queue.with_due_jobs([]) == set()


def named_by_due(names: Sequence[str]) -> set[str]:
    return set(queue.due(names).values_list("queue_name", flat=True))


def test_the_job_that_is_locked_is_the_first_of_those_that_are_due() -> None:
    now = timezone.now()
    for number, (priority, minutes) in enumerate([(0, 1), (0, 3), (5, 2), (0, 3), (5, -1)]):
        run_after = now - timedelta(minutes=minutes)
        note.using(priority=priority, run_after=run_after).enqueue(number)
    found = []
    while (first := rows.lock_first_due("prompt")) is not None:
        expected = queue.due(["prompt"]).first()
        assert expected is not None
        assert contents(first) == contents(expected) == contents(rows.locked(first.pk))
        found.append(first.args_kwargs["args"][0])
        queue.done(claim())
    assert found == [2, 1, 3, 0], "the last one is not due"
    assert rows.locked(key_of(note.module_path, (9,))) is None


def contents(job: Any) -> dict[str, Any]:
    return {each.attname: getattr(job, each.attname) for each in DBTaskResult._meta.fields}


def test_a_job_takes_few_statements_and_postgresql_locks_it() -> None:
    """A transaction that enqueues a waiting job locks it: a run would not see its data yet."""
    locks = connection.vendor == "postgresql"
    for state in ("new", "waiting", "finished"):
        with CaptureQueriesContext(connection) as sent:
            note.enqueue(1)
        assert len(sent) == (1 if state == "waiting" else 2)
        assert ("FOR UPDATE" in sent[0]["sql"]) == locks
        if state == "waiting":
            with CaptureQueriesContext(connection) as sent:
                claimed = claim()
            assert len(sent) == (5 if locks else 6), "one to look, and a savepoint in tests"
            assert ("FOR UPDATE SKIP LOCKED" in sent[2]["sql"]) == locks
            with CaptureQueriesContext(connection) as sent:
                assert queue.done(claimed)
            assert len(sent) == (4 if locks else 5)
            assert ("FOR UPDATE" in sent[1]["sql"]) == locks


def test_two_transactions_that_store_the_same_job_store_it_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = timezone.now()
    note.using(run_after=now + HOUR).enqueue(1)
    read, answers = rows.locked, iter([None])
    monkeypatch.setattr(rows, "locked", lambda key: next(answers, read(key)))
    note.using(run_after=now).enqueue(1)
    assert row().run_after == now


def test_a_job_that_was_enqueued_during_its_run_runs_again(calls: list[int]) -> None:
    note.enqueue(1)
    first = claim()
    note.using(run_after=timezone.now() + 2 * HOUR).enqueue(1)
    note.enqueue(1)
    assert queue.done(first)
    assert row().status == READY
    assert worker.work_off() == 1
    assert row().status == SUCCESSFUL


def test_a_finished_job_can_be_enqueued_again(calls: list[int]) -> None:
    for _ in range(2):
        note.enqueue(1)
        assert worker.work_off() == 1
    assert calls == [1, 1]


def test_arguments_are_whole_numbers() -> None:
    for wrong in ("5H", 1.5, True, None, [1]):
        with pytest.raises(TypeError, match="whole numbers"):
            note.enqueue(wrong)  # type: ignore[arg-type]
    assert not DBTaskResult.objects.exists()


def test_a_failing_job_is_repeated_with_a_doubling_pause_and_then_given_up() -> None:
    fail.enqueue(1)
    pauses = []
    for _ in range(3):
        assert worker.work_off() == 1
        pauses.append(row().run_after - timezone.now())
        assert worker.work_off() == 0
        make_due()
    assert [round(pause.total_seconds() / 60) for pause in pauses[:2]] == [1, 2]
    assert row().status == FAILED
    counted = JobCount.objects.get()
    assert (counted.retried, counted.failed, counted.done) == (2, 1, 0)


def test_the_worker_takes_the_queues_that_are_named_and_refuses_others(calls: list[int]) -> None:
    note.enqueue(1)
    said = StringIO()
    call_command("worker", "--once", "--queues", "mail, prompt", stdout=said)
    assert (calls, said.getvalue()) == ([1], "1 jobs run\n")
    for queues in ("prompt,mails", "", ","):
        with pytest.raises(CommandError, match="there are prompt, mail, review, batch"):
            call_command("worker", "--once", "--queues", queues)


def test_no_card_of_an_error_is_stored() -> None:
    fail.enqueue(1)
    worker.work_off()
    assert row().exception_class_path == "builtins.ValueError"
    assert "in fail" in row().traceback
    assert "5H was" not in row().traceback + row().exception_class_path


def test_a_failed_job_can_be_tried_again() -> None:
    fail.enqueue(1)
    for _ in range(3):
        worker.work_off()
        make_due()
    assert queue.retry(DBTaskResult.objects.all()) == 1
    assert row().status == READY
    assert row().worker_ids == []


def test_enqueuing_does_not_shorten_the_pause_before_the_next_try() -> None:
    fail.enqueue(1)
    worker.work_off()
    fail.enqueue(1)
    assert row().run_after > timezone.now() + timedelta(seconds=30)


def test_a_worker_whose_clock_is_slow_keeps_its_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one would run them too, and send their mails twice."""
    note.enqueue(1)
    slow = worker.Worker(QUEUES)
    claim(by=slow.name)
    monkeypatch.setattr(true_time, "_ahead", timedelta())
    real = timezone.now
    with monkeypatch.context() as there:
        there.setattr(timezone, "now", lambda: real() - HOUR)
        there.setattr(true_time, "seconds_ahead", lambda: -HOUR.total_seconds())
        slow._beat()
    monkeypatch.setattr(true_time, "_ahead", timedelta())
    assert queue.recover_lost() == 0


@pytest.mark.parametrize("ahead", [-HOUR, HOUR])
def test_a_job_is_due_at_once_whatever_the_clock_of_its_process(ahead: timedelta) -> None:
    """A fast one delayed a job by that much; a slow one ran others before their time."""
    with wrong_clock(ahead):
        note.enqueue(1)
        note.using(run_after=true_time.now() + HOUR / 2).enqueue(2)
    assert queue.with_due_jobs(QUEUES) == {"prompt"}
    with wrong_clock(ahead):
        assert claim().row.args_kwargs["args"] == [1]
        assert queue.claim(worker="one", queue="prompt") is None, "it's not due yet"


def test_the_job_of_a_dead_worker_goes_to_another() -> None:
    note.enqueue(1)
    lost = claim(by="dead")
    assert queue.recover_lost() == 0, "its worker was seen just now"
    Worker.objects.filter(name="dead").update(seen_at=timezone.now() - HOUR)
    assert queue.recover_lost() == 1
    make_due()
    again = claim(by="other")
    assert not queue.done(lost), "what it says now is ignored"
    assert queue.done(again)
    counted = JobCount.objects.get()
    assert (counted.lost, counted.done) == (1, 1)


def test_a_job_whose_end_could_not_be_recorded_runs_again(
    calls: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> bool:
        raise OperationalError("the connection is lost")

    note.enqueue(1)
    lane = worker.Worker(["prompt"]).lanes[0]
    with monkeypatch.context() as broken:
        broken.setattr(queue, "done", fails)
        broken.setattr(queue, "failed", fails)
        with pytest.raises(OperationalError):
            lane.work()
    assert row().status == RUNNING
    assert lane.work()
    assert (row().status, calls) == (SUCCESSFUL, [1, 1])


def test_a_job_that_kills_its_workers_is_given_up() -> None:
    fail.enqueue(1)
    for number in range(3):
        claim(by=f"dead {number}", queue_name="batch")
        Worker.objects.update(seen_at=timezone.now() - HOUR)
        queue.recover_lost()
        make_due()
    assert row().status == FAILED
    assert row().exception_class_path == "WorkerLost"


def test_a_job_that_a_stopping_worker_returns_has_lost_no_try() -> None:
    note.enqueue(1)
    assert queue.release(claim())
    assert row().status == READY
    assert row().worker_ids == []


def test_a_scheduled_job_waits_for_its_next_date_after_each_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(schedules, "_scheduled", {})
    schedules.scheduled(note.module_path, 7, after=schedules.every(HOUR))
    schedules.scheduled(fail.module_path, 8, after=schedules.every(HOUR))
    schedules.store_dates(timezone.now())
    schedules.store_dates(timezone.now() + HOUR)
    assert DBTaskResult.objects.count() == 2
    assert worker.work_off() == 0
    for _ in range(3):
        make_due()
        assert worker.work_off() == 2
    assert set(DBTaskResult.objects.values_list("status", flat=True)) == {READY}
    assert JobCount.objects.get(job=fail.module_path).failed == 1
    nearest = min(DBTaskResult.objects.values_list("run_after", flat=True))
    assert nearest > timezone.now() + HOUR / 2


def test_a_daily_schedule_is_at_a_time_of_day() -> None:
    after = schedules.daily(time(4, 10))
    early, late = (datetime(2026, 5, 1, hour, tzinfo=UTC) for hour in (3, 5))
    assert after(early) == datetime(2026, 5, 1, 4, 10, tzinfo=UTC)
    assert after(late) == after(after(early)) == datetime(2026, 5, 2, 4, 10, tzinfo=UTC)


def test_old_jobs_are_deleted_and_failed_ones_are_kept_longer() -> None:
    note.enqueue(1)
    fail.enqueue(2)
    worker.work_off()
    DBTaskResult.objects.filter(status=READY).update(status=FAILED)
    DBTaskResult.objects.update(finished_at=timezone.now() - 2 * queue.KEPT_DONE)
    assert queue.delete_old() == 1
    assert row().status == FAILED


def test_every_queue_is_configured() -> None:
    for name in QUEUES:
        note.using(queue_name=name).enqueue(QUEUES.index(name))
    assert worker.work_off() == len(QUEUES)


def test_jobs_that_are_new_are_stored_in_one_statement(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """One that was done before is enqueued again, like any other."""
    note.enqueue(2)
    queue.done(claim())
    with django_assert_num_queries(1):
        enqueue_first(note, [3, 4, 5])
    enqueue_first(note, [2, 6])
    rows = DBTaskResult.objects.filter(status=READY).order_by("task_path")
    assert sorted(found.args_kwargs["args"] for found in rows) == [[2], [3], [4], [5], [6]]
    assert {found.task_path for found in rows} == {note.module_path}
    for _ in range(5):
        assert worker.run(claim()) is None
    assert sorted(sample_jobs.calls) == [2, 3, 4, 5, 6]
