"""The strongest computer decides in a process of its own, which may be lost at any moment."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from itertools import count, islice

import pytest

from games.bots import get
from games.engine import rules
from games.engine.cards import Card
from games.engine.moves import Discard
from games.engine.state import Phase, Ruleset
from games.engine.view import View, view_for
from games.live import computers, search_process, searching
from games.live.search_process import SearchProcess
from games.ops import daemons, metrics
from tests.support.children import is_alive, search_processes
from tests.support.clients import Client
from tests.support.logs import check_log
from tests.support.positions import MUGGINS, THREE, TWO, random_match
from tests.support.probes import metric, readiness
from tests.support.servers import ROOT, Site, StartSite
from tests.support.tables import make_tables, wish
from tests.support.waiting import DEADLINE, wait_for, wait_until

ADA = computers.SEARCHING
EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000", "COMPUTER_PROCESS": "1"}
FAILURES = 'cribbage_daemon_failures_total{daemon="search"}'

VIEWS = 60
"""Views of each ruleset for which the answers are compared."""

LOADED_WITHIN = 600.0
"""Seconds for loading the kernels, or compiling them, on a busy machine."""

HANGING = """
import threading, time
from games.live import searching

def load():
    print("started", flush=True)
    threading.Event().wait()

searching.load_players = load
searching.main()
"""
"""A search process that never gets ready, and prints a line."""


def searched(ruleset: Ruleset) -> Iterator[View]:
    """Yield the views of random matches, in which one seat's computer would have to search."""
    for seed in count():
        for moment in random_match(ruleset, seed):
            for seat in rules.waiting(moment.state):
                view = view_for(moment.state, seat)
                if computers.searches(ADA, view):
                    yield view


def run_with(session: Callable[[SearchProcess], Awaitable[None]]) -> None:
    """Run something with a search process that takes decisions."""

    async def whole() -> None:
        process = SearchProcess()
        task = asyncio.create_task(process.run())
        await ready(process)
        try:
            await session(process)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        assert process.process is None

    asyncio.run(whole())


async def ready(process: SearchProcess) -> None:
    """Wait until a search process takes decisions."""
    await wait_until(lambda: process.process is not None, within=LOADED_WITHIN)


def pid_of(process: SearchProcess) -> int:
    """Return the process id."""
    assert process.process is not None
    return process.process.pid


@pytest.mark.slow
def test_the_process_chooses_the_same_cards_as_a_thread() -> None:
    views = [view for ruleset in (TWO, THREE, MUGGINS) for view in islice(searched(ruleset), VIEWS)]
    assert {view.legal.action for view in views} == {"discard", "play"}
    assert any(view.history for view in views if view.ruleset.players == 3)

    async def session(process: SearchProcess) -> None:
        found = await asyncio.gather(*(process.choose(ADA, view) for view in views))
        assert found == [computers.choose(ADA, view) for view in views]

    run_with(session)


@pytest.mark.slow
def test_a_killed_process_answers_nothing_is_counted_and_replaced(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = next(searched(TWO))
    poll, polled = subprocess.Popen.poll, []
    monkeypatch.setattr(subprocess.Popen, "poll", lambda it: polled.append(it.pid) or poll(it))

    async def session(process: SearchProcess) -> None:
        first, failures = pid_of(process), metrics.DAEMON_FAILURES["search"]
        asked = [asyncio.create_task(process.choose(ADA, view)) for _ in range(5)]
        os.kill(first, signal.SIGSTOP)  # it has answered none when it is killed
        await asyncio.sleep(0)
        os.kill(first, signal.SIGKILL)
        assert () in await asyncio.gather(*asked)
        await wait_until(lambda: metrics.DAEMON_FAILURES["search"] == failures + 1)
        assert daemons.problems()["search"] == "failed 1 times in a row; it tries again"
        await ready(process)
        assert pid_of(process) != first
        assert "search" not in daemons.problems()
        assert await process.choose(ADA, view) == computers.choose(ADA, view)
        assert first not in polled, "who polls may take the exit status before asyncio"

    run_with(session)
    assert [record.levelname for record in caplog.records] == ["ERROR"]


@pytest.mark.slow
def test_a_process_that_hangs_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_process, "HANGS_AFTER", 0.5)
    view = next(searched(TWO))

    async def session(process: SearchProcess) -> None:
        first = pid_of(process)
        os.kill(first, signal.SIGSTOP)
        assert await process.choose(ADA, view) == ()
        await wait_until(lambda: not is_alive(first))
        await ready(process)

    run_with(session)


def test_a_player_whose_table_closes_does_not_shift_the_answers() -> None:
    """The answer to a cancelled request is not taken for the next one's."""
    views = list(islice(searched(TWO), 4))

    async def session(process: SearchProcess) -> None:
        asked = [asyncio.create_task(process.choose(ADA, view)) for view in views]
        await asyncio.sleep(0)
        asked[0].cancel()
        found = await asyncio.gather(*asked, return_exceptions=True)
        assert isinstance(found[0], asyncio.CancelledError)
        assert found[1:] == [computers.choose(ADA, view) for view in views[1:]]

    run_with(session)


def test_a_view_that_cannot_be_sent_does_not_shift_the_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = next(searched(TWO))

    async def session() -> None:
        process = SearchProcess()
        process.process = await asyncio.create_subprocess_exec("cat", stdin=-1, stdout=-1)
        monkeypatch.setattr(search_process, "_needed", lambda _view: lambda: None)
        with pytest.raises((pickle.PicklingError, AttributeError)):
            await process.choose(ADA, view)
        process.process.kill()
        await process.process.wait()
        assert not process._asked

    asyncio.run(session())


@pytest.mark.slow
def test_a_game_goes_on_while_its_process_is_killed_again_and_again(
    start_site: StartSite,
) -> None:
    site = start_site(extra=EXTRA)
    (table,) = make_tables(site.database_url, wish(computers=(1,), target=61))
    wait_for(lambda: searches(site), within=LOADED_WITHIN)
    (first,) = search_processes(site)

    async def session() -> None:
        async with Client(site.socket_url, table.match, table.cookies[0]) as ann:
            await ann.play(until=lambda: ann.view.get("hand") == 1 and len(ann.acknowledged) > 1)
            os.kill(first, signal.SIGKILL)
            await ann.play(until=lambda: ann.view.get("hand") == 2)
            await asyncio.to_thread(kill_search, site)
            await ann.play()

    asyncio.run(session())
    check_log(site.database_url, table.pk)
    assert metric(site, FAILURES) >= 2
    wait_for(lambda: searches(site) and readiness(site)[1]["daemons"] == "ok")
    assert "[card]" not in site.read_log()


def searches(site: Site) -> bool:
    """Return whether a site's search process takes decisions."""
    return metric(site, "cribbage_search_process") == 1


def kill_search(site: Site) -> None:
    """Wait for a site's next search process, and kill it."""
    wait_for(lambda: search_processes(site))
    os.kill(search_processes(site)[0], signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_the_process_ends_with_the_site(
    start_site: StartSite, server: str, how: signal.Signals
) -> None:
    site = start_site(server=server, extra=EXTRA)
    wait_for(lambda: search_processes(site))
    (found,) = search_processes(site)
    os.kill(site.pid, how)
    wait_for(lambda: not is_alive(found))


def test_the_process_ends_with_its_input_whatever_it_is_doing() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HANGING, "0"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        assert process.stderr.readline() == b"started\n"
        process.send_signal(signal.SIGTERM)  # systemd sends it to all processes of a unit
        process.stdin.write(pickle.dumps((ADA, next(searched(TWO)))))
        process.stdin.close()
        assert process.wait(DEADLINE) == 0, "not by the signal"


def test_the_process_loads_no_django() -> None:
    code = "import sys, games.live.searching; print('django' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    assert done.stdout == b"False\n"


def test_a_failing_search_tells_nobody_the_cards(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fail(_level: str, _view: View) -> tuple[Card, ...]:
        raise ValueError("cannot play 5H")

    view = next(searched(TWO))
    right = searching.answer(ADA, view)
    assert right[1:] == bytes(computers.choose(ADA, view))
    monkeypatch.setattr(computers, "choose", fail)
    assert searching.answer(ADA, view) == b"\0"
    assert (caplog.text, capfd.readouterr().err) == ("", "")


def test_only_the_strongest_searches_and_only_if_it_has_a_choice() -> None:
    view = next(searched(TWO))
    assert computers.searches(ADA, view)
    assert computers.searches("a level of the past", view), "the strongest stands in for it"
    assert not computers.searches("grace", view)
    counted = [
        view_for(moment.state, rules.waiting(moment.state)[0])
        for moment in random_match(MUGGINS, 1)
        if moment.state.phase is Phase.SHOW and rules.waiting(moment.state)
    ]
    assert counted and not any(computers.searches(ADA, each) for each in counted)


def test_what_the_process_chose_is_checked(caplog: pytest.LogCaptureFixture) -> None:
    view = next(view for view in searched(TWO) if view.legal.action == "discard")
    good = get(ADA).discard(view)
    assert computers.decide(ADA, view, good) == Discard(view.seat or 0, good)
    assert not caplog.records
    first = view.legal.cards[:2]
    assert computers.decide(ADA, view, good[:1]) == Discard(view.seat or 0, first)
    assert caplog.messages == [f"ada made an illegal discard at sequence {view.sequence}"]
