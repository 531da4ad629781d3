"""A whole game and many pages in Firefox and in WebKit, Safari's engine: ``make other-browsers``.

The tests drive Chromium alone. This starts a site with sample data, and in each of the two browsers
plays a game against a computer by clicks, then opens pages at 360 and 1280 px. It prints what went
wrong: a game that does not end, a page that scrolls sideways and, in Firefox alone, errors in
scripts and failed requests. On Debian as root the browsers are installed as packages. They are
driven from ``benchmarks/browsers``, whose packages ``scripts/node.sh`` installs on first use.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scripts.sample import Sample, made_in
from tests.support.data_servers import free_port, listens
from tests.support.servers import ROOT, Site, manage, sqlite_url
from tests.support.waiting import wait_for

PACKAGES = ("firefox-esr", "webkit2gtk-driver", "xvfb", "xauth")
FIREFOX = ("firefox-esr", "firefox")
MINIBROWSER = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
LIMIT_S = 900.0
"""Timeout for one browser, seconds."""


def main() -> int:
    """Print what each browser did; return 1 if anything went wrong."""
    if not (firefox() and webkit()):
        install()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        url = sqlite_url(folder)
        print("Making a site with sample data (a minute or two) ...", flush=True)
        manage(url, "migrate", "-v", "0")
        made = made_in(url)
        with Site(folder, database_url=url) as site:
            facts = {
                "url": f"http://localhost:{site.port}",
                "session": made.session,
                "paths": paths(made),
            }
            problems = print_played("firefox", facts | {"program": firefox()})
            with webkit_driver() as port:
                problems += print_played("webkit", facts | {"program": webkit(), "port": port})
    return 1 if problems else 0


def paths(made: Sample) -> list[str]:
    """Return the pages to open: of every kind of the site, as a player of the sample data."""
    match, game = made.finished, made.standard
    return [
        "/", f"/t/{made.running}/", f"/t/{made.three}/", f"/t/{made.show}/", "/lobby/", "/matches/",
        f"/matches/{match}/", f"/matches/{match}/review/", f"/matches/{match}/1.3/",
        f"/players/{made.player}/", "/ratings/", "/ratings/me/", f"/standard/{game}/", "/daily/",
        "/ranked/", "/puzzles/", "/insights/", "/drills/", "/learn/", "/rules/", "/count/",
        "/analysis/", "/explorer/", "/friends/", "/clubs/", "/tournaments/", "/tournaments/new/",
        "/account/", "/notices/", "/shown/", "/programs/", "/data/",
    ]  # fmt: skip


def print_played(kind: str, facts: dict[str, Any]) -> list[str]:
    """Play and look in one browser, print what came of it, and return the problems."""
    done = subprocess.run(
        ["scripts/node.sh", "browsers", kind, json.dumps(facts)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        timeout=LIMIT_S,
        check=True,
    )
    found = json.loads(done.stdout)
    problems: list[str] = found["problems"]
    print(
        f"{found['version']}: a game of {found['length']} moves, {found['actions']} of them by "
        f"clicks; {len(facts['paths'])} pages at two widths; {len(problems)} problems",
        flush=True,
    )
    for problem in problems:
        print(f"  {problem}")
    return problems


@contextlib.contextmanager
def webkit_driver() -> Iterator[int]:
    """Run WebKit's driver on a display of its own; give its port."""
    port = free_port()
    process = subprocess.Popen(
        ["xvfb-run", "-a", "WebKitWebDriver", f"--port={port}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for(lambda: listens(port))
        yield port
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 15)
        process.wait()


def firefox() -> str | None:
    """Return the path of Firefox, or None."""
    return next((path for name in FIREFOX if (path := shutil.which(name))), None)


def webkit() -> str | None:
    """Return the path of WebKit's small browser, if its driver and a display are here too."""
    browsers = sorted(Path("/").glob(MINIBROWSER[1:]))
    here = browsers and shutil.which("WebKitWebDriver") and shutil.which("xvfb-run")
    return str(browsers[-1]) if here else None


def install() -> None:
    """Install both browsers as packages of Debian, as root; otherwise exit and say so."""
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        sys.exit(f"cribbage: install Firefox and WebKit first: apt install {' '.join(PACKAGES)}")
    print("Installing Firefox and WebKit (once) ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        subprocess.run([apt, "-qq", *arguments], env=environment, check=True, capture_output=True)


if __name__ == "__main__":
    sys.exit(main())
