"""Benchmark of the table in a browser: ``make bench-client``; the audit alone: ``make lighthouse``.

A real Chromium, driven over the DevTools protocol, loads one process of the site with production
settings: hashed and compressed files, HTTP/1.1, no proxy.

- weight: bytes of the table page on a cold cache, headers included, as transferred;
- ready: from the arrival of the page's HTML until the own cards can be picked, on a simulated 4G
  line of 1.6 Mbit/s and 150 ms (the protocol does not throttle websockets);
- frames: the time between frames of the page's main thread while cards or pegs move, with the CPU
  slowed down 4 times; then the frames that the screen got, and the cost of a redraw on that thread
  (`benchmarks.drawing`);
- audit: Lighthouse scores of eight pages (`benchmarks.audit`).
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from time import monotonic
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, Playwright, sync_playwright

from benchmarks import drawing
from benchmarks.audit import print_audits
from scripts.chromium import ensure, launch_flags
from scripts.sample import made_in
from tests.support.servers import Site, manage, sqlite_url

PRODUCTION = {
    "SITE_MODE": "production",
    "SECRET_KEY": "a-key-of-this-benchmark-alone-that-is-long-enough-for-the-check-0123456789",
    "ALLOWED_HOSTS": "localhost,127.0.0.1",
    "SSL_REDIRECT": "0",
    "HSTS_SECONDS": "0",
    "COMPUTERS_WARM": "0",
}
LATENCY_MS = 150
BYTES_A_SECOND = 1_600_000 / 8
ROUNDS = 5
SLOWDOWN = 4
PLAYED_S, TRACED_S = 45.0, 30.0
"""Seconds of play to measure frames, and to record a trace."""
KEY_MS, LOOK_MS = 150, 150
"""Time of a fast player between two keys, and of a look at the table."""
COOKIE = "__Host-session"
WEIGHT_GOAL_KB = 350
READY_GOAL_MS = 1000
FRAME_MS = 1000 / 60
LATE_MS = 1.5 * FRAME_MS
"""A longer interval means a dropped frame."""

WATCH_READY = """
    const watch = () => {
      if (document.querySelector(".hand-card")) window.readyAt = performance.now();
      else requestAnimationFrame(watch);
    };
    watch();
"""
WATCH_FRAMES = """() => {
    window.frames_ = [];
    window.watching = true;
    let last = performance.now();
    const frame = (now) => {
      const moving = document.getAnimations().some(
        (one) => one.playState === "running" && !one.effect.target.closest(".thinking"),
      );
      const phase = document.querySelector(".table-page")?.dataset.phase;
      if (moving && window.moved) window.frames_.push([phase, now - last]);
      window.moved = moving;
      last = now;
      if (window.watching) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}"""


def sit_down(browser: Browser, site: Site) -> Page:
    """Return a page at a new table against the computer."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(f"http://localhost:{site.port}/")
    page.get_by_role("button", name="Play the computer").first.click()
    page.locator(".hand-card").first.wait_for()
    return page


def on_4g(cdp: CDPSession) -> None:
    """Throttle the line, and disable the cache."""
    cdp.send("Network.enable")
    cdp.send("Network.setCacheDisabled", {"cacheDisabled": True})
    cdp.send("Network.setBypassServiceWorker", {"bypass": True})
    conditions = {"offline": False, "latency": LATENCY_MS}
    speed = {"downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND}
    cdp.send("Network.emulateNetworkConditions", {**conditions, **speed})


def measure_load(page: Page) -> None:
    """Print the weight of the table page and the time until it is ready."""
    cdp = page.context.new_cdp_session(page)
    on_4g(cdp)
    page.add_init_script(WATCH_READY)
    kinds: dict[str, str] = {}
    sizes: dict[str, float] = {}
    cdp.on("Network.responseReceived", lambda heard: kinds.update(kind_of(heard)))
    cdp.on("Network.loadingFinished", lambda heard: sizes.update(size_of(heard)))
    times = []
    for _ in range(ROUNDS):
        kinds.clear()
        sizes.clear()
        page.reload()
        page.locator(".hand-card").first.wait_for()
        page.wait_for_load_state("networkidle")
        times.append(page.evaluate(
            "readyAt - performance.getEntriesByType('navigation')[0].responseEnd"
        ))  # fmt: skip
    by_kind: dict[str, float] = defaultdict(float)
    for request, size in sizes.items():
        by_kind[kinds.get(request, "other")] += size
    total = sum(by_kind.values()) / 1000
    parts = ", ".join(f"{kind} {size / 1000:.0f}" for kind, size in sorted(by_kind.items()))
    print(f"weight  {total:6.0f} kB in {len(sizes)} files ({parts}); goal {WEIGHT_GOAL_KB}")
    print(
        f"ready   {statistics.median(times):6.0f} ms after the HTML, the median of {ROUNDS} "
        f"({min(times):.0f} to {max(times):.0f}); goal {READY_GOAL_MS}"
    )


def kind_of(heard: dict[str, Any]) -> dict[str, str]:
    """Return the type of a response, by request id."""
    return {heard["requestId"]: heard["type"].lower()}


def size_of(heard: dict[str, Any]) -> dict[str, float]:
    """Return the transferred bytes of a response, by request id."""
    return {heard["requestId"]: heard["encodedDataLength"]}


def play_on(page: Page, until: float) -> None:
    """Play at a person's pace until ``until``."""
    table = page.locator(".table-page")
    while monotonic() < until:
        data = table.evaluate("node => ({...node.dataset})")
        free = data["own"] == "true" and data["sending"] == "false"
        if free and data["ask"] == "discard":
            for key in ("1", "2", "Enter"):
                page.keyboard.press(key)
                page.wait_for_timeout(KEY_MS)
        elif free and data["ask"] == "play":
            page.locator(".hand-card:not([aria-disabled])").first.click()
            page.wait_for_timeout(KEY_MS)
            page.keyboard.press("Enter")
        page.wait_for_timeout(LOOK_MS)


def measure_frames(page: Page) -> None:
    """Print the frame times during movement, for each phase of a hand."""
    cdp = page.context.new_cdp_session(page)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.evaluate(WATCH_FRAMES)
    play_on(page, monotonic() + PLAYED_S)
    by_phase: dict[str, list[float]] = defaultdict(list)
    for phase, took in page.evaluate("window.frames_"):
        by_phase[phase].append(took)
    for phase, times in sorted(by_phase.items()):
        late = sum(1 for took in times if took > LATE_MS) / len(times)
        worst = sorted(times)[int(0.95 * len(times))]
        print(
            f"frames  {phase:8} {1000 / statistics.fmean(times):5.1f} a second, "
            f"median {statistics.median(times):.1f} ms, 95% below {worst:.1f} ms, "
            f"{100 * late:.0f}% late, of {len(times)}; goal 60 a second"
        )


def measure_drawing(browser: Browser, page: Page, folder: Path) -> None:
    """Print the frames shown and the cost of redraws; the CPU is already slowed down."""
    page.evaluate("window.watching = false")
    trace = folder / "trace.json"
    browser.start_tracing(page=page, path=trace, categories=drawing.CATEGORIES)
    play_on(page, monotonic() + TRACED_S)
    browser.stop_tracing()
    events = drawing.events_of(trace)
    print(f"shown   {drawing.shown(events)}")
    print(f"drawing {drawing.summary(events)}")


def measure_table(playwright: Playwright, site: Site, folder: Path) -> None:
    """Print the weight of the table, the time until it is ready, its frames and its drawings."""
    browser = playwright.chromium.launch(executable_path=ensure(), args=launch_flags())
    measure_load(sit_down(browser, site))
    page = sit_down(browser, site)
    measure_frames(page)
    measure_drawing(browser, page, folder)
    browser.close()


def main() -> int:
    """Run all measurements, or with --audit the last one alone.

    Return 1 if the audit alone misses its goal.
    """
    whole = "--audit" not in sys.argv[1:]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        extra = {**PRODUCTION, "STATIC_ROOT": str(folder / "static")}
        url = sqlite_url(folder)
        print("Making a public site with sample data (a minute or two) ...", flush=True)
        manage(url, "migrate", "-v", "0")
        manage(url, "collectstatic", "--noinput", "-v", "0", extra=extra)
        made = made_in(url, extra)
        with Site(folder, database_url=url, extra=extra) as site, sync_playwright() as playwright:
            if whole:
                measure_table(playwright, site, folder)
            met = print_audits(playwright, folder, f"http://localhost:{site.port}", made, COOKIE)
    return 0 if whole or met else 1


if __name__ == "__main__":
    sys.exit(main())
