"""Pages judged by Lighthouse, as on a middling phone on a slow line: part of ``make bench-client``.

Lighthouse is installed by ``scripts/node.sh`` at first use. It loads a page, works out how the load
would have gone on its simulated phone, and gives 0 to 100 for each of `CATEGORIES`. Without Node.js
nothing is judged, and that is said.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from playwright.sync_api import Playwright

from scripts.chromium import ensure, launch_flags
from scripts.sample import Sample
from tests.servers import ROOT, free_port, listens

CATEGORIES = ("performance", "accessibility", "best-practices")
GOAL = 95
LIMIT_S = 180.0
"""How long one page may take, the installation of Lighthouse before the first included."""
STARTED_S = 30.0
"""How long a Chromium may take to start."""
TOLD = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time")
"""What is printed of a page beside its marks."""


def pages(made: Sample) -> list[tuple[str, str, bool]]:
    """Return what is judged: its name, its address, and whether Margery or a visitor looks."""
    return [
        ("landing", "/", False),
        ("table", f"/t/{made.running}/", True),
        ("history", "/matches/", True),
        ("traveller", f"/standard/{made.standard}/", True),
    ]


def judged(url: str, port: int) -> dict[str, Any] | None:
    """Return Lighthouse's report on a page in that Chromium, or None where there is no Node.js."""
    done = subprocess.run(
        [
            "scripts/node.sh",
            "lighthouse",
            url,
            "--quiet",
            "--output=json",
            f"--only-categories={','.join(CATEGORIES)}",
            f"--port={port}",
        ],
        cwd=ROOT,
        env={**os.environ, "CI": ""},
        stdout=subprocess.PIPE,
        timeout=LIMIT_S,
        check=True,
        text=True,
    )
    report: dict[str, Any] | None = json.loads(done.stdout) if done.stdout.strip() else None
    return report


@contextlib.contextmanager
def chromium(folder: Path) -> Iterator[int]:
    """Run a Chromium that nobody else drives; give the port at which it takes orders."""
    port = free_port()
    process = subprocess.Popen(
        [
            ensure(),
            "--headless=new",
            *launch_flags(),
            f"--remote-debugging-port={port}",
            f"--user-data-dir={folder / 'profile'}",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        end = monotonic() + STARTED_S
        while not listens(port) and monotonic() < end:
            sleep(0.1)
        yield port
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def sign_in(playwright: Playwright, port: int, name: str, session: str) -> None:
    """Give that Chromium a session: a cookie, since sockets are sent no header of Lighthouse's."""
    browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
    # A cookie of this kind is set for https alone, and sent to this machine without, too.
    cookie: Any = {"name": name, "value": session, "url": "https://localhost/", "secure": True}
    browser.contexts[0].add_cookies([cookie])
    browser.close()


def print_audits(playwright: Playwright, folder: Path, url: str, made: Sample, cookie: str) -> None:
    """Judge each page of the site at ``url``; print its marks, and what costs it any.

    ``cookie`` is the name of the site's session cookie.
    """
    with chromium(folder) as port:
        for name, path, as_margery in pages(made):
            if as_margery:
                sign_in(playwright, port, cookie, made.session)
            report = judged(url + path, port)
            if report is None:
                return
            print_marks(name, report)


def print_marks(name: str, report: dict[str, Any]) -> None:
    """Print what a page got, and what it lost marks for where it is below the goal."""
    marks = {key: round(100 * report["categories"][key]["score"]) for key in CATEGORIES}
    told = ", ".join(f"{key} {mark}" for key, mark in marks.items())
    times = ", ".join(
        f"{key.replace('-', ' ')} {report['audits'][key]['displayValue']}" for key in TOLD
    )
    print(f"audit   {name:10} {told}; {times}; goal {GOAL}", flush=True)
    if min(marks.values()) < GOAL:
        print(f"        {'; '.join(faults(report))}")


def faults(report: dict[str, Any]) -> list[str]:
    """Return the titles of the audits that count and were not passed."""
    counted = {
        ref["id"]
        for category in report["categories"].values()
        for ref in category["auditRefs"]
        if ref["weight"]
    }
    audits = ((key, report["audits"][key]) for key in sorted(counted))
    return [
        f"{audit['title']} {audit.get('displayValue', '')}".strip()
        for _, audit in audits
        if audit["score"] is not None and audit["score"] < GOAL / 100
    ]
