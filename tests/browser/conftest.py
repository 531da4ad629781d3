"""A real Chromium and a real server to point it at.

Tests here never touch Django's database in this process: the site runs in its own process with
its own database file, which tests reach through the site or `tests.support.servers.manage`.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from scripts.chromium import ensure, launch_flags
from tests.support.servers import Site, sites

WAIT_MS = 120_000
"""How long a page may take to show what a test expects, on a slow and busy machine: this bounds a
failure and is no claim about speed."""

SILENT = "delete globalThis.AudioContext"
"""Run before a page's scripts, which then play no sounds. After its first click a page with sounds
renders audio all the time, and so does Chromium's audio service."""

UNOPTIMISED = "--js-flags=--no-opt --no-maglev --single-threaded"
"""Turns off Chromium's optimising compilers: a page in a test closes before they pay off."""

ONE_RENDERER = "--renderer-process-limit=1"
"""Lets the pages of a context share a process. Without it, the empty page that a new page begins
with keeps one, and the site's first page, which isolates itself from its opener, starts another."""

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def _chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """Run one Chromium for a worker's browser tests; with it comes Playwright's event loop.

    To start both anew for each file would take half a second of processor time.
    """
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        flags = [*launch_flags(), UNOPTIMISED, ONE_RENDERER]
        chromium = playwright.chromium.launch(executable_path=ensure(), args=flags)
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield chromium, loop
        asyncio._set_running_loop(loop)
        chromium.close()


@pytest.fixture(scope="package")
def browser(_chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """Return the worker's Chromium; each page gets its own context.

    For this folder only: while Playwright's loop runs, no other loop can run in this thread. So
    the loop rests while the worker runs other tests.
    """
    chromium, loop = _chromium
    asyncio._set_running_loop(loop)
    yield chromium
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def live_site(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Site]:
    """Run one Daphne process of the site with its own SQLite file."""
    with sites(tmp_path_factory.mktemp("live"), empty_database=empty_database) as start:
        yield start()


def listen(page: Page, complaints: list[str]) -> None:
    """Add to ``complaints`` what a page throws, and where it breaks the site's security policy."""
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    page.on(
        "console",
        lambda message: (
            complaints.append(f"{page.url}: {message.text}")
            if message.type == "error" and "Content Security Policy" in message.text
            else None
        ),
    )


@contextlib.contextmanager
def pages_of(browser: Browser) -> Iterator[OpenPage]:
    """Give a function that opens pages, which are closed at the end; see `open_page`."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_(url: str, *, sound: bool = False, worker: bool = False, **options: object) -> Page:
        workers = "allow" if worker else "block"
        context = browser.new_context(service_workers=workers, **options)  # type: ignore[arg-type]
        if not sound:
            context.add_init_script(SILENT)
        contexts.append(context)
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        listen(page, complaints)
        if url != page.url:  # a page begins as about:blank
            page.goto(url)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Give a function that opens an address as a new visitor, with separate cookies.

    `open_page(url, **options of Browser.new_context)`; with `sound=True`, it can play sounds, and
    with `worker=True` the site's service worker is installed. A page that breaks the site's content
    security policy, or throws, fails the test.
    """
    with pages_of(browser) as open_:
        yield open_


@pytest.fixture(scope="module")
def open_file_page(browser: Browser) -> Iterator[OpenPage]:
    """Like `open_page`, for a page that tests of a file share and leave as it was."""
    with pages_of(browser) as open_:
        yield open_
