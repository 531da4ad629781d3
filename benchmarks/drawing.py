"""Frames shown, and the cost of drawing on the page's main thread, from a Chromium trace.

The most expensive frames are those in which cards start to move: script, two measurements of all
positions, layout and paint. Costs are in CPU time of the thread, so other load hardly matters.
Chromium moves the cards in a thread of its own, so a long redraw need not cost a frame on the
screen; its own record of each frame (`PipelineReporter`) tells which were shown.
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

PRESENTED = {"STATE_PRESENTED_ALL": True, "STATE_PRESENTED_PARTIAL": False}
"""States of a frame that was shown; whether it has the newest drawing of the page's main thread."""
DROPPED = "STATE_DROPPED"

Event = dict[str, Any]


def events_of(trace: Path) -> list[Event]:
    """Return all events of a trace."""
    events: list[Event] = json.loads(trace.read_text())["traceEvents"]
    return events


def main_thread(events: list[Event]) -> list[Event]:
    """Return the events of the page's main thread, in order of time."""
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


def shown(events: list[Event]) -> str:
    """Return how many frames a second the screen got while cards or pegs moved, as one line."""
    page = main_thread(events)[0]["pid"]
    states: Counter[str] = Counter()
    for event in events:
        frame = event.get("args", {}).get("frame_reporter", {})
        moving = frame.get("has_compositor_animation") or frame.get("has_main_animation")
        if event["name"] == "PipelineReporter" and event["pid"] == page and moving:
            states[frame["state"]] += 1
    seen = sum(states[state] for state in PRESENTED)
    wanted = seen + states[DROPPED]
    late = sum(states[state] for state, newest in PRESENTED.items() if not newest)
    return (
        f"{60 * seen / wanted:5.1f} a second on the screen while something moves: {seen} of "
        f"{wanted} frames; {100 * late / seen:.0f}% of them before the page had drawn anew"
    )


def summary(events: list[Event]) -> str:
    """Return the mean cost of redrawing frames as one line."""
    tasks = costs_of(main_thread(events))
    drawn = [task for task in tasks if task["script"] > DRAWN_MS]
    long = sum(1 for task in tasks if task["all"] > LONG_MS)
    mean = {part: fmean(task[part] for task in drawn) for part in ("all", *SHOWN)}
    told = ", ".join(f"{part} {mean[part]:.1f}" for part in SHOWN)
    return (
        f"{len(drawn)} drawings of {mean['all']:.1f} ms ({told}); "
        f"{long} tasks above {LONG_MS:.0f} ms"
    )
