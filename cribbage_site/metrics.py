"""The numbers of a process for Prometheus; docs/deployment.md says who may read them.

Each process speaks for itself and is asked at its own port. What is the same for all of them,
matches by state and the last refit, is read from the database now and then.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import Count
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector
from prometheus_client import generate_latest as _generate
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from cribbage_site.draining import draining
from games import meters
from games.models import Match
from games.runtime import Runtime
from games.sockets import OPEN
from ratings.models import Lock
from ratings.services import locks

logger = logging.getLogger(__name__)

CONTENT_TYPE = CONTENT_TYPE_LATEST

STORED_EVERY = 30.0
"""Seconds for which what was read from the database is shown again."""

SOCKET_KINDS = ("table", "lobby", "program")

METRICS: Mapping[str, str] = {
    "cribbage_moves_total": "Moves of people, programs and computers, by what became of them.",
    "cribbage_move_seconds": "Seconds that a move spent in each stage.",
    "cribbage_batch_size": "Requests that the writer and the reader did together.",
    "cribbage_batch_seconds": "Seconds that such a batch took.",
    "cribbage_batch_waiting": "Requests that wait for the batch before them.",
    "cribbage_sockets": "Open websockets, by what they are connected to.",
    "cribbage_sockets_dropped_total": "Websockets that the server closed, by the reason.",
    "cribbage_tables": "Matches that somebody is connected to in this process.",
    "cribbage_requests": "Pages that are being answered.",
    "cribbage_redis_connected": "Whether messages of other processes come in; 1 without Redis.",
    "cribbage_computer_queue": "Decisions that computers were asked for and have not given.",
    "cribbage_computer_seconds": "Seconds until a computer's decision, with waiting for its turn.",
    "cribbage_hint_queue": "Hints that people wait for.",
    "cribbage_matches": "Matches of the whole site, by state.",
    "cribbage_refit_seconds": "Seconds that the last full refit of the ratings took.",
    "cribbage_refit_timestamp_seconds": "When it ended, in seconds since 1970.",
}
"""All metrics of our own, and what they are."""


def exposition(parts: Runtime) -> bytes:
    """Return the numbers of a process as Prometheus reads them; not on the event loop."""
    registry = CollectorRegistry(auto_describe=False)
    ProcessCollector(registry=registry)
    registry.register(_Site(parts))
    return _generate(registry)


class _Site(Collector):
    """Turns what the process counted into Prometheus's own classes."""

    def __init__(self, parts: Runtime) -> None:
        self._parts = parts

    def collect(self) -> Iterator[Metric]:
        """Yield each metric."""
        parts = self._parts
        yield _counter("cribbage_moves_total", "result", meters.MOVES)
        yield _histogram("cribbage_move_seconds", "stage", meters.STAGES)
        yield _histogram("cribbage_batch_size", "thread", meters.BATCH_SIZE)
        yield _histogram("cribbage_batch_seconds", "thread", meters.BATCH_TIME)
        waiting = {"writer": parts.writer.waiting, "reader": parts.reader.waiting}
        yield _gauges("cribbage_batch_waiting", "thread", waiting)
        open_now = Counter(socket.kind for socket in tuple(OPEN))
        yield _gauges("cribbage_sockets", "kind", {kind: open_now[kind] for kind in SOCKET_KINDS})
        yield _counter("cribbage_sockets_dropped_total", "reason", meters.DROPPED)
        yield _gauge("cribbage_tables", len(parts.hub.matches()))
        yield _gauge("cribbage_requests", draining.requests)
        bus = parts.hub.bus
        yield _gauge("cribbage_redis_connected", float(bus is None or bus.connected))
        yield _gauge("cribbage_computer_queue", parts.driver.asked)
        yield _histogram("cribbage_computer_seconds", "", {"": meters.COMPUTER})
        yield _gauge("cribbage_hint_queue", parts.adviser.waiting)
        yield from _stored_metrics()


@dataclass(slots=True)
class _Stored:
    """What was read from the database last, and when, by a clock that only goes forward."""

    read_at: float = float("-inf")
    matches: dict[str, int] = field(default_factory=dict)
    refits: dict[str, tuple[float, float]] = field(default_factory=dict)


_stored = _Stored()


def _stored_metrics() -> Iterator[Metric]:
    """Yield what the database says; what it said last where it says nothing."""
    now = time.monotonic()
    if now - _stored.read_at > STORED_EVERY:
        try:
            _read_stored()
            _stored.read_at = now
        except DatabaseError:
            logger.warning("matches could not be counted", exc_info=True)
        finally:
            connection.close()
    if _stored.matches:
        yield _gauges("cribbage_matches", "state", _stored.matches)
    if _stored.refits:
        seconds = {seats: took for seats, (took, _) in _stored.refits.items()}
        ended = {seats: at for seats, (_, at) in _stored.refits.items()}
        yield _gauges("cribbage_refit_seconds", "seats", seconds)
        yield _gauges("cribbage_refit_timestamp_seconds", "seats", ended)


def _read_stored() -> None:
    counted = Match.objects.order_by().values_list("status").annotate(Count("pk"))
    _stored.matches = dict.fromkeys(Match.Status.values, 0) | dict(counted)
    names = {locks.ratings(seats): str(seats) for seats in (2, 3)}
    refits = Lock.objects.filter(name__in=names, refit_at__isnull=False)
    _stored.refits = {
        names[row.name]: (row.refit_seconds or 0.0, row.refit_at.timestamp())
        for row in refits
        if row.refit_at is not None
    }


def _counter(name: str, label: str, values: Mapping[str, float]) -> Metric:
    family = CounterMetricFamily(name, METRICS[name], labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family


def _gauge(name: str, value: float) -> Metric:
    return GaugeMetricFamily(name, METRICS[name], value=value)


def _gauges(name: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, METRICS[name], labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _histogram(name: str, label: str, values: Mapping[str, meters.Histogram]) -> Metric:
    family = HistogramMetricFamily(name, METRICS[name], labels=[label] if label else [])
    for key, histogram in values.items():
        buckets = list(_running_totals(histogram.bounds, tuple(histogram.counts)))
        family.add_metric([key] if label else [], buckets, histogram.total)
    return family


def _running_totals(
    bounds: Iterable[float], counts: tuple[int, ...]
) -> Iterator[tuple[str, float]]:
    total = 0
    for bound, count in zip((*map(str, bounds), "+Inf"), counts, strict=True):
        total += count
        yield bound, total
