"""Lighthouse audit of pages on a simulated mid-range phone: ``make lighthouse``.

It is also the last part of ``make bench-client``.

``scripts/node.sh`` installs Lighthouse on first use. It loads a page, simulates the load on its
phone, and scores each of `CATEGORIES` from 0 to 100. Another process on the machine can lower the
performance score but not raise it, so a page below the goal is loaded again, `ATTEMPTS` times in
all, and its best report counts; the scores of the other loads are printed too. Without Node.js the
audit is skipped with a message.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from playwright.sync_api import Playwright

from scripts.chromium import ensure, launch_flags
from scripts.sample import Sample
from tests.support.data_servers import free_port, listens
from tests.support.servers import ROOT

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
GOAL = 95
ATTEMPTS = 3
LIMIT_S = 180.0
"""Timeout per page in seconds; the first includes the installation of Lighthouse."""
STARTED_S = 30.0
"""Timeout for starting Chromium, seconds."""
TOLD = (
    "first-contentful-paint",
    "largest-contentful-paint",
    "total-blocking-time",
    "cumulative-layout-shift",
)
"""Metrics to print besides the scores."""

Report = dict[str, Any]


@dataclass(frozen=True)
class Audited:
    """A page to audit.

    Attributes:
        name: its name in the output.
        path: its address.
        as_margery: whether she is logged in.
        listed: whether search engines may list it; if not, it has no SEO score.
    """

    name: str
    path: str
    as_margery: bool = True
    listed: bool = False


def pages(made: Sample) -> list[Audited]:
    """Return the pages to audit. The landing page comes first: the others need a session."""
    traveller = f"/standard/{made.standard}/"
    return [
        Audited("landing", "/", as_margery=False, listed=True),
        Audited("home", "/"),
        Audited("table", f"/t/{made.running}/"),
        Audited("result", f"{traveller}result/{made.ranked}/"),
        Audited("traveller", traveller),
        Audited("review", f"/matches/{made.finished}/review/"),
        Audited("profile", f"/players/{made.player}/"),
        Audited("history", "/matches/"),
    ]


def lighthouse_report(url: str, port: int) -> Report | None:
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
    report: Report | None = json.loads(done.stdout) if done.stdout.strip() else None
    return report


def reports_of(url: str, port: int) -> list[Report]:
    """Return the reports on a page, the best one last; none if Node.js is missing."""
    reports: list[Report] = []
    for _ in range(ATTEMPTS):
        report = lighthouse_report(url, port)
        if report is None:
            return []
        reports.append(report)
        if performance(report) >= GOAL / 100:
            break
    return sorted(reports, key=performance)


def performance(report: Report) -> float:
    """Return a page's performance score, from 0 to 1."""
    return float(report["categories"]["performance"]["score"])


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
        signed_in = False
        for page in pages(made):
            if page.as_margery and not signed_in:
                sign_in(playwright, port, cookie, made.session)
                signed_in = True
            reports = reports_of(url + page.path, port)
            if not reports:
                return
            print_marks(page, reports)


def print_marks(page: Audited, reports: list[Report]) -> None:
    """Print a page's best scores, and the failed audits if any is below the goal."""
    *others, report = reports
    counted = [key for key in CATEGORIES if page.listed or key != "seo"]
    marks = {key: round(100 * report["categories"][key]["score"]) for key in counted}
    told = ", ".join(f"{key} {mark}" for key, mark in marks.items())
    times = ", ".join(
        f"{key.replace('-', ' ')} {report['audits'][key]['displayValue']}" for key in TOLD
    )
    load = f"load {os.getloadavg()[0]:.1f}"
    worse = ", ".join(str(round(100 * performance(each))) for each in others)
    note = f"; performance of the other loads {worse}" if worse else ""
    print(f"audit   {page.name:10} {told}; {times}; {load}; goal {GOAL}{note}", flush=True)
    if min(marks.values()) < GOAL:
        print(f"        {'; '.join(faults(report, counted))}")


def faults(report: Report, categories: Iterable[str]) -> list[str]:
    """Return the titles of failed audits that count in these categories."""
    counted = {
        ref["id"]
        for category in categories
        for ref in report["categories"][category]["auditRefs"]
        if ref["weight"]
    }
    audits = ((key, report["audits"][key]) for key in sorted(counted))
    return [
        f"{audit['title']} {audit.get('displayValue', '')}".strip()
        for _, audit in audits
        if audit["score"] is not None and audit["score"] < GOAL / 100
    ]
