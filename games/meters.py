"""What a process counts and times of its own work, for whoever watches over the site.

Plain numbers without a lock: each meter is written by one thread, the event loop's where its
docstring names no other, and read by any. `cribbage_site.metrics` shows them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from time import perf_counter

MILLISECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 5.0)
"""Upper ends of the classes of times, in seconds."""

BATCH_SIZES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)
"""Upper ends of the classes of batches, in requests."""


class Histogram:
    """How often values fell into each class.

    Attributes:
        bounds: the upper end of each class, included in it; a last class without one follows.
        counts: how many values each class got.
        total: the sum of all values.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...] = MILLISECONDS) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def time(self) -> Stopwatch:
        """Count how many seconds a `with` block takes, also where it fails."""
        return Stopwatch(self)


class Stopwatch:
    """A `with` block that is timed; a generator's would cost three times as much."""

    __slots__ = ("_begun", "_histogram")

    def __init__(self, histogram: Histogram) -> None:
        self._histogram = histogram
        self._begun = 0.0

    def __enter__(self) -> None:
        self._begun = perf_counter()

    def __exit__(self, *_: object) -> None:
        self._histogram.observe(perf_counter() - self._begun)


STAGES = {name: Histogram() for name in ("wait", "judge", "store", "tell", "whole")}
"""Seconds of a move: until its match is free, for the rules, until it is durable, until everybody
here was told; and from the first to the last."""

MOVES: Counter[str] = Counter()
"""Moves by what became of them: "stored", or the code of the refusal."""

DROPPED: Counter[str] = Counter()
"""Sockets that were given up, by the reason."""

COMPUTER = Histogram()
"""Seconds from asking a computer for a decision until it is there, with waiting for its turn."""

BATCH_SIZE = {name: Histogram(BATCH_SIZES) for name in ("writer", "reader")}
"""Requests done together, by thread; written by that thread."""

BATCH_TIME = {name: Histogram() for name in ("writer", "reader")}
"""Seconds that a batch took, attempts over a lost connection included; written by its thread."""


def of_batches(name: str) -> tuple[Histogram, Histogram]:
    """Return the meters of one thread's batches: their size, and the seconds that they took."""
    size = BATCH_SIZE.setdefault(name, Histogram(BATCH_SIZES))
    return size, BATCH_TIME.setdefault(name, Histogram())
