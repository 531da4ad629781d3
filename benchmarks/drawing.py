"""Cost of drawing the table on the browser's main thread, from a Chromium trace.

The most expensive frames are those in which cards start to move: script, two measurements of all
positions, layout and paint. Costs are in CPU time of the thread, so other load hardly matters.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

CATEGORIES = [
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "toplevel",
    "cc",
]
PARTS = {
    "FireAnimationFrame": "script",
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    "PrePaint": "paint",
    "LocalFrameView::RunPaintLifecyclePhase": "paint",
    "Layerize": "paint",
}
"""Trace events and the part that their time counts as; script includes layout it forces."""
SHOWN = ("script", "style", "layout", "paint")
LONG_MS = 50.0
"""Duration above which the browser itself reports a long task."""
DRAWN_MS = 4.0
"""A frame with less script than this did not redraw."""

Event = dict[str, Any]


def main_thread(trace: Path) -> list[Event]:
    """Return the events of the page's main thread, in order of time."""
    events: list[Event] = json.loads(trace.read_text())["traceEvents"]
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("ph") == "M" and event["args"].get("name") == "CrRendererMain"
    }
    whole = [
        event
        for event in events
        if event.get("ph") == "X" and "tdur" in event and (event["pid"], event["tid"]) in threads
    ]
    drawing = Counter(
        (event["pid"], event["tid"]) for event in whole if event["name"] == "FireAnimationFrame"
    )
    ((page, _),) = drawing.most_common(1)
    own = [event for event in whole if (event["pid"], event["tid"]) == page]
    return sorted(own, key=lambda event: float(event["ts"]))


def costs_of(events: list[Event]) -> list[dict[str, float]]:
    """Return the milliseconds of each task by part, and in total as "all"."""
    tasks: list[dict[str, float]] = []
    end = 0.0
    for event in events:
        if event["name"] == "RunTask" and event["ts"] >= end:
            end = event["ts"] + event["dur"]
            tasks.append(defaultdict(float, all=event["tdur"] / 1000))
        elif event["name"] in PARTS and event["ts"] < end:
            tasks[-1][PARTS[event["name"]]] += event["tdur"] / 1000
    return tasks


def summary(trace: Path) -> str:
    """Return the mean cost of redrawing frames as one line."""
    tasks = costs_of(main_thread(trace))
    drawn = [task for task in tasks if task["script"] > DRAWN_MS]
    long = sum(1 for task in tasks if task["all"] > LONG_MS)
    mean = {part: fmean(task[part] for task in drawn) for part in ("all", *SHOWN)}
    told = ", ".join(f"{part} {mean[part]:.1f}" for part in SHOWN)
    return (
        f"{len(drawn)} drawings of {mean['all']:.1f} ms ({told}); "
        f"{long} tasks above {LONG_MS:.0f} ms"
    )
