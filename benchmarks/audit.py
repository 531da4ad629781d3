"""Pages judged by Lighthouse, as on a middling phone on a slow line: part of ``make bench-client``.

Lighthouse is installed by ``scripts/node.sh`` at first use. It loads a page with a Chromium of its
own, works out how the load would have gone on its simulated phone, and gives 0 to 100 for each of
`CATEGORIES`. Without Node.js nothing is judged, and that is said.
"""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from scripts.chromium import ensure, launch_flags
from scripts.sample import Sample
from tests.servers import ROOT

CATEGORIES = ("performance", "accessibility", "best-practices")
GOAL = 95
LIMIT_S = 180.0
"""How long one page may take, the installation of Lighthouse before the first included."""
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


def judged(url: str, cookie: str) -> dict[str, Any] | None:
    """Return Lighthouse's report on a page, or None where there is no Node.js."""
    headers = {"Cookie": cookie} if cookie else {}
    done = subprocess.run(
        [
            "scripts/node.sh",
            "lighthouse",
            url,
            "--quiet",
            "--output=json",
            f"--only-categories={','.join(CATEGORIES)}",
            f"--extra-headers={json.dumps(headers)}",
            f"--chrome-flags={' '.join(['--headless=new', *launch_flags()])}",
        ],
        cwd=ROOT,
        env={**os.environ, "CHROME_PATH": ensure(), "CI": ""},
        stdout=subprocess.PIPE,
        timeout=LIMIT_S,
        check=True,
        text=True,
    )
    report: dict[str, Any] | None = json.loads(done.stdout) if done.stdout.strip() else None
    return report


def print_audits(url: str, made: Sample, cookie_name: str) -> None:
    """Judge each page of the site at ``url`` and print its marks, and what costs it any."""
    for name, path, as_margery in pages(made):
        cookie = f"{cookie_name}={made.session}" if as_margery else ""
        report = judged(url + path, cookie)
        if report is None:
            return
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
