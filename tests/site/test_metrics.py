"""The numbers say what happened; the dashboard and the alarms ask for none that is not there."""

from __future__ import annotations

import asyncio
import json
import re
import time

import pytest
import yaml
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from cribbage_site import metrics
from games import meters, services
from games.accounts import create_guest
from games.engine.state import Ruleset
from games.meters import Histogram
from games.runtime import runtime, shut_down
from ratings.models import Lock
from ratings.services import locks
from ratings.services.refit import refit
from tests.servers import ROOT

DEPLOY = ROOT / "deploy"
NAME = re.compile(r"\bcribbage_\w+")
SUFFIXES = ("_bucket", "_sum", "_count")


def shown() -> dict[tuple[str, tuple[str, ...]], float]:
    """Return what a process shows: (name, labels' values) -> value."""

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
        services.create_match(creator=create_guest(), ruleset=Ruleset())
    before = time.time()
    refit(seats=2)
    found = shown()
    assert found["cribbage_matches", ("waiting",)] == 2
    assert found["cribbage_matches", ("finished",)] == 0
    assert found["cribbage_refit_timestamp_seconds", ("2",)] >= before - 1
    assert found["cribbage_refit_seconds", ("2",)] > 0
    assert ("cribbage_refit_seconds", ("3",)) not in found


@pytest.mark.django_db(transaction=True)
def test_every_number_is_shown_and_described() -> None:
    meters.MOVES["stored"] += 1
    meters.DROPPED["too_many"] += 1
    Lock.objects.create(name=locks.ratings(2), refit_at=timezone.now(), refit_seconds=1.5)
    services.create_match(creator=create_guest(), ruleset=Ruleset())
    names = {bare(name) for name, _ in shown() if name.startswith("cribbage_")}
    assert names == set(metrics.METRICS)


def test_a_histogram_counts_each_value_once() -> None:
    histogram = Histogram((1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 7.0):
        histogram.observe(value)
    assert histogram.counts == [2, 1, 1]
    assert list(metrics._running_totals(histogram.bounds, tuple(histogram.counts))) == [
        ("1.0", 2),
        ("2.0", 3),
        ("+Inf", 4),
    ]
    with pytest.raises(ValueError, match="bad"), histogram.time():
        raise ValueError("bad")
    assert sum(histogram.counts) == 5


def bare(name: str) -> str:
    """Return the metric's own name, without what a histogram adds to it."""
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


def test_the_alarms_ask_for_metrics_that_there_are() -> None:
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    asked = {
        bare(name)
        for group in rules["groups"]
        for rule in group["rules"]
        for name in NAME.findall(rule["expr"])
    }
    assert asked
    assert asked <= set(metrics.METRICS)


def test_the_documentation_names_every_metric() -> None:
    text = (ROOT / "docs" / "deployment.md").read_text()
    assert set(re.findall(r"^\| `(cribbage_\w+)`", text, re.MULTILINE)) == set(metrics.METRICS)
