"""Workers are killed twenty times under load: each job is done once or has failed, none is lost."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from tests.support import launcher
from tests.support.data_servers import Server
from tests.support.logs import asking
from tests.support.servers import site_environment
from tests.support.waiting import DEADLINE, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.servers]

JOBS = 240
WORKERS = 2
KILLS = 20
LEASE = 3
"""Seconds after which the jobs of a killed worker go to another."""

LONGEST = 5 * DEADLINE


class RealWorker(Server):
    """A process that runs `manage.py worker`."""

    def __init__(self, folder: Path, database_url: str) -> None:
        super().__init__(folder)
        self.database_url = database_url

    def launch(self, log: IO[bytes]) -> launcher.Process:
        environment = {
            **site_environment(self.database_url),
            "JOB_LEASE_SECONDS": str(LEASE),
            "LOG_LEVEL": "INFO",
        }
        return launcher.launch(
            ["manage.py", "worker"],
            environment,
            stdout=log,
            stderr=log,
        )

    def ready(self) -> bool:
        return self.is_running()


@pytest.fixture
def workers(database_url: str, tmp_path: Path) -> Iterator[list[RealWorker]]:
    found = []
    for number in range(WORKERS):
        folder = tmp_path / f"worker-{number}"
        folder.mkdir()
        found.append(RealWorker(folder, database_url))
    yield found
    for worker in found:
        worker.kill()


def enqueue(database_url: str) -> int:
    """Enqueue the jobs; return how many of them always fail."""
    script = (
        "import django; django.setup();"
        f"from tests.support import sample_jobs; print(sample_jobs.enqueue({JOBS}))"
    )
    return int(launcher.Script(["-c", script], site_environment(database_url)).finish())


Ask = Callable[..., list[tuple[Any, ...]]]


def number(ask: Ask, table: str, condition: str = "1 = ?") -> int:
    ((found,),) = ask(f"SELECT COUNT(*) FROM {table} WHERE {condition}", 1)
    return int(found)


JOB_TABLE = "django_tasks_database_dbtaskresult"
OURS = "substr(task_path, 1, 6) = 'tests.'"
OPEN = f"{OURS} AND status IN ('READY', 'RUNNING') AND 1 = ?"


def kill_again_and_again(workers: list[RealWorker], ask: Ask) -> None:
    """Kill the workers in turn, each while jobs are being done, and start them again."""
    rng = random.Random(7)
    for kill in range(KILLS):
        began = number(ask, "sample_started")
        if number(ask, JOB_TABLE, OPEN):
            wait_for(lambda: number(ask, "sample_started") > began, within=LONGEST)  # noqa: B023
        time.sleep(rng.uniform(0.0, 0.15))
        workers[kill % WORKERS].kill()
        workers[kill % WORKERS].start()


def test_workers_that_are_killed_lose_no_job(database_url: str, workers: list[RealWorker]) -> None:
    bad = enqueue(database_url)
    for worker in workers:
        worker.start()
    with asking(database_url) as ask:
        kill_again_and_again(workers, ask)
        wait_for(
            lambda: not number(ask, JOB_TABLE, OPEN),
            within=LONGEST,
            message=lambda: ask(
                f"SELECT status, COUNT(*) FROM {JOB_TABLE} WHERE 1 = ? GROUP BY 1", 1
            ),
        )
        ended = dict(
            ask(
                f"SELECT status, COUNT(*) FROM {JOB_TABLE} WHERE {OURS} AND 1 = ? "
                "GROUP BY status", 1,
            )
        )  # fmt: skip
        done = number(ask, "sample_done")
        runs = number(ask, "sample_started")
        ((counted, lost, given_up),) = ask(
            "SELECT SUM(done), SUM(lost), SUM(failed) FROM games_jobcount "
            "WHERE substr(job, 1, 6) = 'tests.' AND 1 = ?", 1,
        )  # fmt: skip

    assert sum(ended.values()) == JOBS
    assert ended["FAILED"] >= bad, "those that always fail are told as failed"
    assert ended["SUCCESSFUL"] <= done <= JOBS - bad
    assert counted == ended["SUCCESSFUL"], "each was recorded as done once"
    assert given_up == ended["FAILED"]
    assert lost > 0, "some were killed in the middle"
    assert runs > JOBS
