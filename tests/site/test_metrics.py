"""Metrics have the right values; the dashboard and the alerts use only existing metrics."""

from __future__ import annotations

import asyncio
import json
import re
import time
from datetime import timedelta

import pytest
import yaml
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from cribbage_site import metrics
from games.engine.state import Ruleset
from games.jobs.worker import work_off
from games.live.runtime import runtime, shut_down
from games.ops import metrics as counted
from games.ops.metrics import Histograms
from games.people.accounts import create_guest
from games.tables.tables import create_match
from ratings.models import Lock
from ratings.rating.refit import refit
from ratings.standard import row_lock
from tests.support.sample_jobs import fail, note
from tests.support.servers import ROOT

DEPLOY = ROOT / "deploy"
NAME = re.compile(r"\bcribbage_\w+")
SUFFIXES = ("_bucket", "_sum", "_count")


def shown() -> dict[tuple[str, tuple[str, ...]], float]:
    """Return a process's metrics: (name, label values) -> value."""

    async def session() -> bytes:
        try:
            return await asyncio.to_thread(metrics.exposition, runtime())
        finally:
            await shut_down()

    metrics._stored.read_at = float("-inf")
    text = asyncio.run(session()).decode()
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.django_db(transaction=True)
def test_matches_and_the_last_refit_come_from_the_database() -> None:
    for _ in range(2):
        create_match(creator=create_guest(), ruleset=Ruleset())
    before = time.time()
    refit(seats=2)
    found = shown()
    assert found["cribbage_matches", ("waiting",)] == 2
    assert found["cribbage_matches", ("finished",)] == 0
    assert found["cribbage_refit_timestamp_seconds", ("2",)] >= before - 1
    assert found["cribbage_refit_seconds", ("2",)] > 0
    assert ("cribbage_refit_seconds", ("3",)) not in found


@pytest.mark.django_db(transaction=True)
def test_every_declared_metric_is_exposed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(counted.MOVES, "stored", counted.MOVES["stored"] + 1)
    monkeypatch.setitem(counted.DROPPED, "too_many", counted.DROPPED["too_many"] + 1)
    monkeypatch.setitem(counted.DAEMON_FAILURES, "clock", counted.DAEMON_FAILURES["clock"] + 1)
    Lock.objects.create(name=row_lock.ratings(2), refit_at=timezone.now(), refit_seconds=1.5)
    create_match(creator=create_guest(), ruleset=Ruleset())
    note.enqueue(1)
    work_off()
    names = {bare(name) for name, _ in shown() if name.startswith("cribbage_")}
    assert names == set(metrics.METRICS)


def test_a_histogram_has_cumulative_buckets_sum_and_count() -> None:
    histograms = Histograms("x_seconds", "Seconds of x.", "stage", bounds=(1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 7.0):
        histograms["a"].observe(value)
    with pytest.raises(ValueError, match="bad"), histograms["b"].time():
        raise ValueError("bad")
    (family,) = histograms.collect()
    found = {(sample.name, *sample.labels.values()): sample.value for sample in family.samples}
    assert found["x_seconds_bucket", "a", "1.0"] == 2
    assert found["x_seconds_bucket", "a", "2.0"] == 3
    assert found["x_seconds_bucket", "a", "+Inf"] == found["x_seconds_count", "a"] == 4
    assert found["x_seconds_sum", "a"] == 10
    assert found["x_seconds_count", "b"] == 1


@pytest.mark.django_db(transaction=True)
def test_jobs_are_counted_by_queue_state_and_end() -> None:
    note.enqueue(1)
    fail.enqueue(2)
    work_off()
    note.enqueue(3)
    note.using(run_after=timezone.now() + timedelta(hours=1)).enqueue(4)
    found = shown()
    assert found["cribbage_jobs", ("prompt", "due")] == 1
    assert found["cribbage_jobs", ("prompt", "later")] == 1
    assert found["cribbage_jobs", ("batch", "later")] == 1, "it waits for its next try"
    assert found["cribbage_job_oldest_seconds", ("prompt",)] > 0
    assert found["cribbage_job_runs_total", ("done", "note")] == 1
    assert found["cribbage_job_runs_total", ("retried", "fail")] == 1
    assert found["cribbage_workers", ()] == 1


def bare(name: str) -> str:
    """Return the metric's name without a histogram's suffix."""
    return next((name.removesuffix(end) for end in SUFFIXES if name.endswith(end)), name)


def test_the_dashboard_shows_every_metric_and_no_other() -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "cribbage.json").read_text())
    asked = {
        bare(name)
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in NAME.findall(target["expr"])
    }
    assert asked == set(metrics.METRICS)


def test_the_alerts_use_existing_metrics() -> None:
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    asked = {
        bare(name)
        for group in rules["groups"]
        for rule in group["rules"]
        for name in NAME.findall(rule["expr"])
    }
    assert asked
    assert asked <= set(metrics.METRICS)


def test_the_documentation_lists_every_metric() -> None:
    text = (ROOT / "docs" / "deployment.md").read_text()
    assert set(re.findall(r"^\| `(cribbage_\w+)`", text, re.MULTILINE)) == set(metrics.METRICS)
