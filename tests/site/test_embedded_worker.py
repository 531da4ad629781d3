"""A site on SQLite starts a worker of its own: a process beside it, which ends with it."""

from __future__ import annotations

import io
import os
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings

from cribbage_site import embedded_worker
from cribbage_site.embedded_worker import EmbeddedWorker
from games.cluster import announce
from games.management.commands.worker import LOW_PRIORITY
from tests.support.children import is_alive
from tests.support.launcher import Script
from tests.support.logs import query
from tests.support.servers import Site, StartSite, site_environment
from tests.support.waiting import DEADLINE, wait_for

LOWEST_PRIORITY = 19
"""Where a whole run of tests may be already."""

JOBS = 12
ENQUEUE = f"""
import django
django.setup()
from tests.support import sample_jobs
sample_jobs.enqueue({JOBS})
"""
AGAIN = """
import django
django.setup()
from tests.support.sample_jobs import prompt_work
prompt_work.enqueue(1000)
"""
WORKERS = "SELECT name FROM games_worker WHERE 1 = ? ORDER BY started_at"
DONE = "SELECT COUNT(*) FROM sample_done WHERE 1 = ?"


def workers(site: Site) -> list[int]:
    """Return the process ids of all workers so far."""
    return [int(name.split("-")[-2]) for (name,) in query(site.database_url, WORKERS, 1)]


def test_the_process_finds_the_modules_that_the_site_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An operator may add packages, such as Sentry's, by PYTHONPATH."""
    (tmp_path / "sitecustomize.py").write_text('import os\nos.write(1, b"found")\nos._exit(0)\n')
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    process = embedded_worker._launch()
    found, _ = process.communicate(timeout=DEADLINE)
    assert found == "found"


@pytest.mark.slow
def test_the_process_beside_a_site_works_is_restarted_and_ends_with_it(
    start_site: StartSite,
) -> None:
    site = start_site(extra={"EMBEDDED_WORKER": "process", "JOB_LEASE_SECONDS": "3"})
    environment = site_environment(site.database_url)
    Script(["-c", ENQUEUE], environment).finish()
    wait_for(lambda: query(site.database_url, DONE, 1) == [(JOBS,)], message=site.read_log)
    (first,) = workers(site)
    assert first != site.pid
    nicer = os.getpriority(os.PRIO_PROCESS, site.pid) + LOW_PRIORITY
    assert os.getpriority(os.PRIO_PROCESS, first) == min(nicer, LOWEST_PRIORITY)

    os.kill(first, signal.SIGKILL)
    Script(["-c", AGAIN], environment).finish()
    wait_for(lambda: query(site.database_url, DONE, 1) == [(JOBS + 1,)], message=site.read_log)
    second = workers(site)[-1]
    assert second != first

    site.kill()
    wait_for(lambda: not is_alive(second))


def test_what_a_worker_announces_is_heard_in_its_site() -> None:
    heard: list[tuple[str, str]] = []
    stop = announce.listen(lambda channel, message: heard.append((channel, message)))
    lines = io.StringIO("cribbage:lobby table\ncribbage:match:7 chat\n\n")
    try:
        assert EmbeddedWorker._listen(SimpleNamespace(stdout=lines))  # type: ignore[arg-type]
    finally:
        stop()
    assert heard == [("cribbage:lobby", "table"), ("cribbage:match:7", "chat")]


def test_a_site_without_a_worker_starts_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "EMBEDDED_WORKER", "none")
    worker = EmbeddedWorker()
    worker.start()
    assert worker._thread is None
    worker.stop()
