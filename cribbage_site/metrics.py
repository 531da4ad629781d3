"""The metrics of a process for Prometheus; docs/deployment.md says who may read them.

Each process reports its own metrics at its own port. Metrics of the whole site (matches by state,
the last refit) are read from the database occasionally.
"""

from __future__ import annotations

import collections
import logging
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import Count
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector
from prometheus_client import generate_latest as _generate
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from cribbage_site.admission import admission
from cribbage_site.arrivals import arrivals
from cribbage_site.draining import draining
from cribbage_site.page_turns import page_turns
from games.jobs.overview import Overview, overview
from games.live.connections import OPEN
from games.live.runtime import Runtime
from games.models import Match
from games.ops import metrics
from ratings.models import Lock
from ratings.standard import row_lock

logger = logging.getLogger(__name__)

CONTENT_TYPE = CONTENT_TYPE_LATEST

STORED_EVERY = 30.0
"""Seconds for which values read from the database are reused."""

SOCKET_KINDS = ("table", "lobby", "program")

GAUGES: Mapping[str, str] = {
    "cribbage_batch_waiting": "Requests waiting for the current batch to finish.",
    "cribbage_sockets": "Open websockets, by what they are connected to.",
    "cribbage_tables": "Matches with at least one connection in this process.",
    "cribbage_requests": "HTTP requests being answered.",
    "cribbage_waiting": "Page requests and new sockets that wait for their turn.",
    "cribbage_redis_connected": "Whether other processes' messages are received; 1 without Redis.",
    "cribbage_others_deaf": "Whether another process has just said that it cannot hear the others.",
    "cribbage_computer_queue": "Decisions that computers are working on or have yet to start.",
    "cribbage_search_process": "Whether computers that search decide in a process of their own.",
    "cribbage_hint_queue": "Hints that people are waiting for.",
    "cribbage_matches": "Matches of the whole site, by state.",
    "cribbage_jobs": "Jobs of the whole site, by queue and state.",
    "cribbage_job_oldest_seconds": "For how long the first due job of each queue has been waiting.",
    "cribbage_workers": "Workers that were seen within JOB_LEASE_SECONDS.",
    "cribbage_refit_seconds": "Duration of the last full refit of the ratings, in seconds.",
    "cribbage_refit_timestamp_seconds": "When the last full refit ended, in seconds since 1970.",
}
"""The gauges, which are measured when they are read."""

COUNTERS: Mapping[str, str] = {
    "cribbage_job_runs_total": "Runs of each job by their end: done, retried, failed, lost.",
}
"""The counters that are read from the database."""

METRICS: Mapping[str, str] = {
    **{each.name: each.meaning for each in metrics.METRICS},
    **GAUGES,
    **COUNTERS,
}
"""All metrics of the site's own, with their meanings."""


def exposition(parts: Runtime) -> bytes:
    """Return the metrics in Prometheus's text format; call it outside the event loop."""
    registry = CollectorRegistry(auto_describe=False)
    ProcessCollector(registry=registry)
    registry.register(_Metrics(parts))
    return _generate(registry)


class _Metrics(Collector):
    """Collector of the process's counters, of its current state, and of the site's state."""

    def __init__(self, parts: Runtime) -> None:
        self._parts = parts

    def collect(self) -> Iterator[Metric]:
        """Yield each metric."""
        for counted in metrics.METRICS:
            yield from counted.collect()
        parts = self._parts
        waiting = {
            "writer": parts.writer.waiting,
            "reader": parts.reader.waiting,
            "lookups": parts.lookups.waiting,
            "rematches": parts.rematches.waiting,
        }
        yield _gauges("cribbage_batch_waiting", "thread", waiting)
        open_now = collections.Counter(socket.kind for socket in tuple(OPEN))
        yield _gauges("cribbage_sockets", "kind", {kind: open_now[kind] for kind in SOCKET_KINDS})
        yield _gauge("cribbage_tables", len(parts.matches.open))
        yield _gauge("cribbage_requests", draining.requests)
        waiting = {
            "pages": page_turns().waiting,
            "sockets": arrivals.waiting + admission.waiting,
        }
        yield _gauges("cribbage_waiting", "what", waiting)
        yield _gauge("cribbage_redis_connected", float(parts.peers.hearing_since() is not None))
        yield _gauge("cribbage_others_deaf", float(parts.presence.others_deaf))
        yield _gauge("cribbage_computer_queue", parts.bots.asked)
        yield _gauge("cribbage_search_process", float(parts.bots.search.process is not None))
        yield _gauge("cribbage_hint_queue", parts.hints.waiting)
        yield from _stored_metrics()


@dataclass(slots=True)
class _Stored:
    """The values last read from the database, and when, in monotonic seconds."""

    read_at: float = float("-inf")
    matches: dict[str, int] = field(default_factory=dict)
    refits: dict[str, tuple[float, float]] = field(default_factory=dict)
    queue: Overview | None = None


_stored = _Stored()


def _stored_metrics() -> Iterator[Metric]:
    """Yield the metrics from the database; the last known ones if it is unavailable."""
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
    if _stored.queue is not None:
        yield from _job_metrics(_stored.queue)


def _job_metrics(found: Overview) -> Iterator[Metric]:
    jobs = GaugeMetricFamily("cribbage_jobs", GAUGES["cribbage_jobs"], labels=["queue", "state"])
    for (queue, state), number in sorted(found.jobs.items()):
        jobs.add_metric([queue, state], number)
    yield jobs
    yield _gauges("cribbage_job_oldest_seconds", "queue", found.oldest)
    yield _gauge("cribbage_workers", found.workers)
    name = "cribbage_job_runs_total"
    runs = CounterMetricFamily(name, COUNTERS[name], labels=["job", "end"])
    for (job, end), number in sorted(found.runs.items()):
        runs.add_metric([job, end], number)
    yield runs


def _read_stored() -> None:
    _stored.queue = overview()
    counted = Match.objects.order_by().values_list("status").annotate(Count("pk"))
    _stored.matches = dict.fromkeys(Match.Status.values, 0) | dict(counted)
    names = {row_lock.ratings(seats): str(seats) for seats in (2, 3)}
    refits = Lock.objects.filter(name__in=names, refit_at__isnull=False)
    _stored.refits = {
        names[row.name]: (row.refit_seconds or 0.0, row.refit_at.timestamp())
        for row in refits
        if row.refit_at is not None
    }


def _gauge(name: str, value: float) -> Metric:
    return GaugeMetricFamily(name, GAUGES[name], value=value)


def _gauges(name: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, GAUGES[name], labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family
