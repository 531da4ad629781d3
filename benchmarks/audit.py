"""Lighthouse audit of pages on a simulated mid-range phone: part of ``make bench-client``.

``scripts/node.sh`` installs Lighthouse on first use. It loads a page, simulates the load on its
phone, and scores each of `CATEGORIES` from 0 to 100. Without Node.js the audit is skipped with a
message.
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
from tests.support.data_servers import free_port, listens
from tests.support.servers import ROOT

CATEGORIES = ("performance", "accessibility", "best-practices")
GOAL = 95
LIMIT_S = 180.0
"""Timeout per page in seconds; the first includes the installation of Lighthouse."""
STARTED_S = 30.0
"""Timeout for starting Chromium, seconds."""
TOLD = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time")
"""Metrics to print besides the scores."""


def pages(made: Sample) -> list[tuple[str, str, bool]]:
    """Return the pages to audit: name, address, and whether Margery is logged in."""
    return [
        ("landing", "/", False),
        ("table", f"/t/{made.running}/", True),
        ("history", "/matches/", True),
        ("traveller", f"/standard/{made.standard}/", True),
    ]


def lighthouse_report(url: str, port: int) -> dict[str, Any] | None:
    """Return Lighthouse's report on a page in that Chromium; None if Node.js is missing."""
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
    """Run a separate Chromium; yield its debugging port."""
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
    """Set the session cookie in that Chromium; Lighthouse's own headers would not reach sockets."""
    browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
    # Secure cookies can only be set for https, but Chromium also sends them to localhost without.
    cookie: Any = {"name": name, "value": session, "url": "https://localhost/", "secure": True}
    browser.contexts[0].add_cookies([cookie])
    browser.close()


def print_audits(playwright: Playwright, folder: Path, url: str, made: Sample, cookie: str) -> None:
    """Audit each page of the site at ``url``; print its scores and what lowers them.

    ``cookie`` is the name of the site's session cookie.
    """
    with chromium(folder) as port:
        for name, path, as_margery in pages(made):
            if as_margery:
                sign_in(playwright, port, cookie, made.session)
            report = lighthouse_report(url + path, port)
            if report is None:
                return
            print_marks(name, report)


def print_marks(name: str, report: dict[str, Any]) -> None:
    """Print a page's scores, and the failed audits if any score is below the goal."""
    marks = {key: round(100 * report["categories"][key]["score"]) for key in CATEGORIES}
    told = ", ".join(f"{key} {mark}" for key, mark in marks.items())
    times = ", ".join(
        f"{key.replace('-', ' ')} {report['audits'][key]['displayValue']}" for key in TOLD
    )
    print(f"audit   {name:10} {told}; {times}; goal {GOAL}", flush=True)
    if min(marks.values()) < GOAL:
        print(f"        {'; '.join(faults(report))}")


def faults(report: dict[str, Any]) -> list[str]:
    """Return the titles of failed audits that count."""
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
