"""Processes that a site has started, seen from outside."""

from __future__ import annotations

from pathlib import Path

from tests.support.servers import Site

SEARCHING = b"games.live.searching"


def is_alive(pid: int) -> bool:
    """Return whether a process exists, other than as a zombie."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def search_processes(site: Site) -> list[int]:
    """Return the ids of a site's search processes that are alive."""
    lists = Path(f"/proc/{site.pid}/task").glob("*/children")
    children = [int(pid) for each in lists for pid in each.read_text().split()]
    return [
        pid
        for pid in children
        if is_alive(pid) and SEARCHING in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
