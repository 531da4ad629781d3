"""Counters and histograms of one process's own work, as Prometheus metrics.

They are plain numbers without a lock. Each is written by one thread, which is the event loop's
unless its comment names another, and may be read by any. prometheus_client's own classes lock for
every value and search the buckets one by one, which takes three times as long per move. Gauges,
which are measured when they are read, are in `cribbage_site.metrics`.
"""

from __future__ import annotations

import collections
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate
from time import perf_counter

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric

MILLISECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the buckets of durations, in seconds."""

BATCH_SIZES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)
"""Upper bounds of the buckets of batch sizes, in requests."""


class Histogram:
    """The histogram of one label's values.

    Attributes:
        bounds: the inclusive upper bound of each bucket; a last bucket without a bound follows.
        counts: the number of values in each bucket.
        total: the sum of all values.
    """

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...] = MILLISECONDS) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Add a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def time(self) -> Stopwatch:
        """Return a context manager that adds the seconds its block takes, even if it raises."""
        return Stopwatch(self)


class Stopwatch:
    """A context manager that times its block, three times cheaper than a generator-based one."""

    __slots__ = ("_begun", "_histogram")

    def __init__(self, histogram: Histogram) -> None:
        self._histogram = histogram
        self._begun = 0.0

    def __enter__(self) -> None:
        self._begun = perf_counter()

    def __exit__(self, *_: object) -> None:
        self._histogram.observe(perf_counter() - self._begun)


class Counters(collections.Counter[str]):
    """A counter for each value of one label: ``MOVES["stored"] += 1``."""

    def __init__(self, name: str, meaning: str, label: str) -> None:
        super().__init__()
        self.name = name
        self.meaning = meaning
        self.label = label

    def collect(self) -> Iterator[Metric]:
        """Yield the metric in Prometheus's form."""
        family = CounterMetricFamily(self.name, self.meaning, labels=[self.label])
        for value, count in sorted(self.items()):
            family.add_metric([value], count)
        yield family


class Histograms(dict[str, Histogram]):
    """A histogram for each value of one label, created on first use.

    A metric without a label has a single histogram, under "". Those for ``values`` exist, empty,
    from the start.
    """

    def __init__(
        self,
        name: str,
        meaning: str,
        label: str = "",
        values: Iterable[str] = (),
        bounds: tuple[float, ...] = MILLISECONDS,
    ) -> None:
        super().__init__((value, Histogram(bounds)) for value in values)
        self.name = name
        self.meaning = meaning
        self.label = label
        self.bounds = bounds

    def __missing__(self, value: str) -> Histogram:
        self[value] = Histogram(self.bounds)
        return self[value]

    def collect(self) -> Iterator[Metric]:
        """Yield the metric in Prometheus's form."""
        labels = [self.label] if self.label else []
        family = HistogramMetricFamily(self.name, self.meaning, labels=labels)
        for value, histogram in tuple(self.items()):
            buckets = _running_totals(self.bounds, tuple(histogram.counts))
            family.add_metric([value] if labels else [], buckets, histogram.total)
        yield family


def _running_totals(bounds: tuple[float, ...], counts: tuple[int, ...]) -> list[tuple[str, float]]:
    ends = (*map(str, bounds), "+Inf")
    return list(zip(ends, accumulate(counts), strict=True))


MOVES = Counters(
    "cribbage_moves_total",
    "Moves of people, programs and computers, by result: stored, or the code of the refusal.",
    "result",
)
STAGES = Histograms(
    "cribbage_move_seconds",
    "Seconds that a move spent in each stage: wait for its match, judge by the rules, store "
    "durably, tell everybody in this process; whole is the total.",
    "stage",
    ("wait", "judge", "store", "tell", "whole"),
)
# The metrics of batches are written by the thread that processes the batch.
THREADS = ("writer", "reader", "lookups", "rematches")
BATCH_SIZE = Histograms(
    "cribbage_batch_size",
    "Requests in a batch of the writer, the reader, the look-ups or the rematches.",
    "thread",
    THREADS,
    BATCH_SIZES,
)
BATCH_TIME = Histograms(
    "cribbage_batch_seconds", "Seconds that a batch took, including retries.", "thread", THREADS
)
DROPPED = Counters(
    "cribbage_sockets_dropped_total", "Websockets that the server closed, by reason.", "reason"
)
PAGES_REFUSED = Counters(
    "cribbage_pages_refused_total",
    "Page requests that got no turn: late if they waited too long, crowded if too many waited.",
    "reason",
)
PAGES_REFUSED.update(late=0, crowded=0)  # Prometheus sees no increase to a series' first value
COMPUTERS = Histograms(
    "cribbage_computer_seconds",
    "Seconds until a computer's decision, including waiting for a thread.",
)
COMPUTER = COMPUTERS[""]
LAGS = Histograms(
    "cribbage_loop_lag_seconds",
    "Seconds by which the event loop was late for a timer; a move waits as long at every step.",
)
LOOP_LAG = LAGS[""]

# Each value has one writer: the event loop.
DAEMON_FAILURES = Counters(
    "cribbage_daemon_failures_total",
    "Failed rounds, or parts of rounds, of the process's regular jobs.",
    "daemon",
)

METRICS: tuple[Counters | Histograms, ...] = (
    MOVES, STAGES, BATCH_SIZE, BATCH_TIME, DROPPED, PAGES_REFUSED, COMPUTERS, LAGS, DAEMON_FAILURES,
)  # fmt: skip
"""All counters and histograms."""
