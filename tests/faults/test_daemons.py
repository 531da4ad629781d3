"""Regular jobs of a process survive their errors, and the process says that they fail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from django.db import OperationalError

from games.ops import daemons
from tests.support.clients import Client
from tests.support.logs import query, run_script
from tests.support.probes import metric, readiness
from tests.support.seated import make_ranked
from tests.support.servers import StartSite
from tests.support.waiting import wait_for

EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}

CLOCK_S = 3
"""Seconds for each decision of matches that nobody plays."""


@pytest.mark.slow
def test_one_corrupt_log_does_not_stop_the_clock_of_other_matches(
    start_site: StartSite, postgres_url: str
) -> None:
    """Two ranked matches nobody comes to: the log of the first cannot be read."""
    broken, sound = make_ranked(postgres_url, tables=2, clock=CLOCK_S)
    run_script(
        postgres_url,
        "INSERT INTO games_move (match_id, sequence, seat, text, client_id, at) "
        f"VALUES ({broken.pk}, 0, NULL, 'nonsense', '', now())",
    )
    site = start_site(database_url=postgres_url, extra=EXTRA)
    late = "SELECT seat FROM games_seat WHERE match_id = ? AND timed_out ORDER BY seat"
    wait_for(lambda: query(postgres_url, late, sound.pk) == [(0,), (1,)], pause=0.2)
    wait_for(lambda: metric(site, failures_of("clock")) >= 1, pause=0.2)
    assert readiness(site)[1]["daemons"] == "ok"


@pytest.mark.slow
def test_the_pulse_goes_on_after_an_error_and_is_missed_meanwhile(
    start_site: StartSite, postgres_url: str
) -> None:
    """The table of pulses holds nonsense for a while, as after a failed migration."""
    text = "ALTER TABLE games_pulse ALTER at TYPE text USING 'nonsense'"
    time = "ALTER TABLE games_pulse ALTER at TYPE timestamptz USING 'yesterday'::timestamptz"
    seconds = "SELECT EXTRACT(EPOCH FROM now() - at) FROM games_pulse"
    site = start_site(database_url=postgres_url, extra=EXTRA)
    wait_for(lambda: query(postgres_url, seconds), pause=0.2)
    run_script(postgres_url, text)
    wait_for(lambda: "pulse failed" in readiness(site)[1]["daemons"], pause=0.2)
    assert metric(site, failures_of("pulse")) >= 1
    run_script(postgres_url, time)
    wait_for(lambda: query(postgres_url, seconds)[0][0] < 60, pause=0.2)
    wait_for(lambda: readiness(site)[1]["daemons"] == "ok", pause=0.2)


@pytest.mark.slow
def test_the_bot_runner_deals_after_an_error_has_gone(
    start_site: StartSite, postgres_url: str
) -> None:
    """The packs of a match are nonsense for a while: then it is dealt, though nobody acts."""
    (table,) = make_ranked(postgres_url, tables=1)
    ((packs,),) = query(postgres_url, "SELECT packs::text FROM games_decks")
    run_script(postgres_url, """UPDATE games_decks SET packs = '["nonsense"]'""")
    site = start_site(database_url=postgres_url, extra=EXTRA)

    async def session() -> None:
        async with Client(site.socket_url, table.match, table.cookies[0]) as ann:
            await ann.hear_view()
            await asyncio.to_thread(
                wait_for, lambda: "computers 1" in readiness(site)[1]["daemons"], pause=0.2
            )
            await asyncio.to_thread(
                run_script, postgres_url, f"UPDATE games_decks SET packs = '{packs}'"
            )
            await ann.see(lambda: ann.view["phase"] == "discard")
            assert metric(site, failures_of("computers")) >= 1

    asyncio.run(session())
    wait_for(lambda: readiness(site)[1]["daemons"] == "ok", pause=0.2)


def failures_of(daemon: str) -> str:
    """Return the name of the metric with its label."""
    return f'cribbage_daemon_failures_total{{daemon="{daemon}"}}'


def test_a_repeated_job_survives_any_error_and_reports_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even a cancellation inside the job does not end it; only its own does."""
    monkeypatch.setattr(daemons, "FIRST_WAIT", 0.0)
    errors: list[BaseException] = [ValueError("bad"), asyncio.CancelledError(), OSError("gone")]
    seen: list[str] = []

    async def job() -> None:
        seen.append(daemons.problems().get("test", ""))
        if errors:
            raise errors.pop(0)

    async def session() -> None:
        task = asyncio.create_task(daemons.repeat("test", job, every=0.0))
        await hear(lambda: len(seen) >= 5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(session())
    times = [f"failed {n} times in a row; it tries again" for n in (1, 2, 3)]
    assert seen[:5] == ["", *times, ""]
    assert "test" not in daemons.problems()


def test_a_job_that_misses_the_database_is_repeated_soon_however_often_it_failed() -> None:
    """It would go on up to a minute after the database is back."""
    daemon, waits = daemons.Daemon("test"), []
    for error in [*[OperationalError("the database is away")] * 9, ValueError("bad")]:
        try:
            raise error
        except (OperationalError, ValueError):
            waits.append(daemon.failed())
    daemon.stop()
    assert waits == [*[daemons.FIRST_WAIT] * 9, daemons.LONGEST_WAIT]


def test_a_job_that_hangs_is_reported() -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    async def session() -> None:
        task = asyncio.create_task(daemons.repeat("test", hang, every=1.0, within=0.0))
        await hear(lambda: daemons.problems().get("test") == "stands still")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(session())


async def hear(condition: Callable[[], bool]) -> None:
    """Let other tasks run until a condition is true."""
    while not condition():  # noqa: ASYNC110 - the condition is a daemon's own state
        await asyncio.sleep(0)
