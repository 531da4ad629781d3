"""What drawing the table costs the browser's main thread, from a trace of Chromium.

A frame in which cards begin to move is the dearest there is: script, two looks at all places,
layout and paint. Its cost is counted in the thread's own processor time, so that what else the
machine does changes little of it.
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
"""Events of the trace, and under what their time is counted; script includes what it forces."""
SHOWN = ("script", "style", "layout", "paint")
LONG_MS = 50.0
"""A task that takes longer is one that the browser itself calls long."""
DRAWN_MS = 4.0
"""Script of less in a frame has drawn nothing."""

Event = dict[str, Any]


def main_thread(trace: Path) -> list[Event]:
    """Return what the page's main thread did, in order of time."""
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
    """Return for each task of the thread its milliseconds by part, and as "all"."""
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
    """Return in one line what the frames that drew something cost, on the mean."""
    tasks = costs_of(main_thread(trace))
    drawn = [task for task in tasks if task["script"] > DRAWN_MS]
    long = sum(1 for task in tasks if task["all"] > LONG_MS)
    mean = {part: fmean(task[part] for task in drawn) for part in ("all", *SHOWN)}
    told = ", ".join(f"{part} {mean[part]:.1f}" for part in SHOWN)
    return (
        f"{len(drawn)} drawings of {mean['all']:.1f} ms ({told}); "
        f"{long} tasks above {LONG_MS:.0f} ms"
    )
