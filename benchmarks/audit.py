"""Lighthouse audit of pages on a simulated mid-range phone: ``make lighthouse``.

It is also the last part of ``make bench-client``.

``scripts/node.sh`` installs Lighthouse on first use. It loads a page, simulates the load on its
phone, and scores each of `CATEGORIES` from 0 to 100. Another process on the machine can lower the
performance score but not raise it, so a page below the goal is loaded again, `ATTEMPTS` times in
all, and its best report counts; the scores of the other loads are printed too. A page below the
goal is printed with what such a process hardly changes: its bytes, requests, layout shift, and the
work of its main thread. No page may take longer than `PAGE_S`.
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
INSTALL_S = 300.0
"""Timeout for the installation of Lighthouse, seconds."""
LOAD_S, PAGE_S = 90.0, 180.0
"""Timeouts for one load of a page and for all loads of it, seconds."""
STARTED_S, ENDED_S = 30.0, 10.0
"""Timeouts for starting and for ending Chromium, seconds."""
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


def lighthouse(*arguments: str, limit: float) -> str:
    """Run Lighthouse and return what it prints; "" if Node.js is missing.

    Raises:
        OSError: if it fails or takes longer than ``limit`` seconds.
    """
    process = subprocess.Popen(
        ["scripts/node.sh", "lighthouse", *arguments],
        cwd=ROOT,
        env={**os.environ, "CI": ""},
        stdout=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    try:
        said, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise OSError(f"not finished after {limit:.0f} s") from None
    if process.returncode:
        raise OSError(f"Lighthouse ended with status {process.returncode}")
    return said


def lighthouse_report(url: str, port: int, limit: float) -> Report:
    """Return Lighthouse's report on a page in that Chromium; raise OSError without one."""
    categories = f"--only-categories={','.join(CATEGORIES)}"
    options = ("--quiet", "--output=json", "--disable-full-page-screenshot", categories)
    said = lighthouse(url, *options, f"--port={port}", limit=limit)
    report: Report = json.loads(said)
    if report.get("runtimeError"):
        raise OSError(report["runtimeError"]["message"])
    return report


def reports_of(url: str, port: int) -> list[Report]:
    """Return the reports on a page, the best one last; raise OSError if no load gives one."""
    reports: list[Report] = []
    end = monotonic() + PAGE_S
    problem: OSError | None = None
    for _ in range(ATTEMPTS):
        left = end - monotonic()
        if left < LOAD_S / 3:
            break
        try:
            reports.append(lighthouse_report(url, port, min(left, LOAD_S)))
        except (OSError, json.JSONDecodeError) as error:
            problem = OSError(str(error))
            continue
        if performance(reports[-1]) >= GOAL / 100:
            break
    if not reports:
        raise problem or OSError("no load of this page was finished")
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
        try:
            process.wait(ENDED_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def sign_in(playwright: Playwright, port: int, name: str, session: str) -> None:
    """Set the session cookie in that Chromium; Lighthouse's own headers would not reach sockets."""
    browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
    # Secure cookies can only be set for https, but Chromium also sends them to localhost without.
    cookie: Any = {"name": name, "value": session, "url": "https://localhost/", "secure": True}
    browser.contexts[0].add_cookies([cookie])
    browser.close()


def print_audits(playwright: Playwright, folder: Path, url: str, made: Sample, cookie: str) -> bool:
    """Audit each page of the site at ``url``; print its scores and what lowers them.

    Return whether every page was audited and reaches the goal. ``cookie`` is the name of the site's
    session cookie.
    """
    try:
        lighthouse("--version", limit=INSTALL_S)
    except OSError as error:
        print(f"audit   Lighthouse cannot run: {error}", flush=True)
        return False
    below: list[str] = []
    with chromium(folder) as port:
        signed_in = False
        for page in pages(made):
            if page.as_margery and not signed_in:
                sign_in(playwright, port, cookie, made.session)
                signed_in = True
            try:
                met = print_marks(page, reports_of(url + page.path, port))
            except OSError as error:
                met = False
                print(f"audit   {page.name:10} NOT AUDITED: {error}", flush=True)
            if not met:
                below.append(page.name)
    print(f"audit   below the goal of {GOAL}: {', '.join(below) or 'none'}", flush=True)
    return not below


def print_marks(page: Audited, reports: list[Report]) -> bool:
    """Print a page's best scores; below the goal also the reasons. Return whether it is reached."""
    *others, report = reports
    counted = [key for key in CATEGORIES if page.listed or key != "seo"]
    marks: dict[str, int] = {
        key: round(100 * report["categories"][key]["score"]) for key in counted
    }
    told = ", ".join(f"{key} {mark}" for key, mark in marks.items())
    times = ", ".join(
        f"{key.replace('-', ' ')} {report['audits'][key]['displayValue']}" for key in TOLD
    )
    load = f"load {os.getloadavg()[0]:.1f}"
    worse = ", ".join(str(round(100 * performance(each))) for each in others)
    note = f"; performance of the other loads {worse}" if worse else ""
    print(f"audit   {page.name:10} {told}; {times}; {load}; goal {GOAL}{note}", flush=True)
    met = min(marks.values()) >= GOAL
    if not met:
        print(f"        {'; '.join(faults(report, counted))}")
        print(f"        {weight(report)}", flush=True)
    return met


def weight(report: Report) -> str:
    """Return what a page loads, and the work of its main thread on the slow phone, by kind."""
    requests = report["audits"]["network-requests"]["details"]["items"]
    size = sum(each.get("transferSize", 0) for each in requests) / 1000
    groups = report["audits"]["mainthread-work-breakdown"]["details"]["items"]
    work = ", ".join(f"{each['groupLabel'].lower()} {each['duration']:.0f}" for each in groups)
    return f"{len(requests)} requests, {size:.0f} kB; main thread, ms: {work}"


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
