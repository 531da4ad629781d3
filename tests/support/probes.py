"""Probes of a running process: `/readyz` and `/metrics`."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

from tests.support.servers import Site
from tests.support.waiting import DEADLINE


def readiness(site: Site) -> tuple[int, dict[str, str]]:
    """Return the status and the checks of a process's `/readyz` page."""
    try:
        with urllib.request.urlopen(f"{site.url}/readyz", timeout=DEADLINE) as answer:
            return answer.status, json.load(answer)["checks"]
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.load(refusal)["checks"]


def metric(site: Site, name: str) -> float:
    """Return the value of a process's metric, 0 if it has none; labels are part of the name."""
    with urllib.request.urlopen(f"{site.url}/metrics", timeout=DEADLINE) as answer:
        lines = answer.read().decode().splitlines()
    found = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return next((float(value) for label, _, value in found if label == name), 0.0)
