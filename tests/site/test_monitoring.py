"""A real Prometheus scrapes a real process: the rules, and every query of the dashboard."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from websockets.exceptions import ConnectionClosed

from tests.support.clients import Client
from tests.support.data_servers import HOST, Server
from tests.support.proxies import program
from tests.support.seated import run_script
from tests.support.servers import ROOT, Site, StartSite, manage
from tests.support.tables import Table, make_tables, wish
from tests.support.waiting import DEADLINE, wait_for

pytestmark = pytest.mark.slow

DEPLOY = ROOT / "deploy"
RULES = DEPLOY / "prometheus" / "alerts.yml"

EXTRA = {"COMPUTER_PAUSE_MS": "100"}

A_JOB = """
import django
django.setup()
from games.people.nightly import delete_old_mails

delete_old_mails.enqueue()
print("null")
"""
"""A script that gives the worker something to count; its own schedule begins after a minute."""

PAUSE_S = 1.0
"""Seconds between two floods: one for each scrape is enough."""


def checked(*arguments: str) -> str:
    """Let promtool check something; fail with its complaint."""
    done = subprocess.run(
        [program("promtool"), "check", *arguments], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_promtool_accepts_the_configuration_and_the_rules() -> None:
    said = checked("config", str(DEPLOY / "prometheus" / "prometheus.yml"))
    assert "1 rule files found" in said
    checked("rules", "--lint=all", "--lint-fatal", str(RULES))


class Prometheus(Server):
    """Prometheus with the site's configuration, but for the processes and the intervals."""

    def __init__(self, folder: Path, site: Site) -> None:
        super().__init__(folder)
        self.site = site

    def command(self) -> list[str]:
        config = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
        config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
        config["rule_files"] = [str(RULES)]
        (job,) = config["scrape_configs"]
        job["static_configs"] = [{"targets": [f"{HOST}:{self.site.port}"]}]
        file = self.folder / "prometheus.yml"
        file.write_text(yaml.safe_dump(config))
        return [
            program("prometheus"),
            f"--config.file={file}",
            f"--storage.tsdb.path={self.folder / 'data'}",
            f"--web.listen-address={HOST}:{self.port}",
            "--log.level=warn",
        ]

    def is_ready(self) -> bool:
        """Whether it answers queries: before it has opened its store, they get 503."""
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.port}/-/ready", timeout=DEADLINE):
                return True
        except urllib.error.URLError:
            return False

    def ask(self, path: str, **values: str) -> Any:
        """Return the data of an answer; fail if Prometheus refuses."""
        address = f"http://{HOST}:{self.port}/api/v1/{path}?{urllib.parse.urlencode(values)}"
        with urllib.request.urlopen(address, timeout=DEADLINE) as answer:
            found = json.load(answer)
        assert found["status"] == "success", found
        return found["data"]

    def values(self, query: str) -> list[float]:
        """Return the value of each series that a query finds now."""
        found = self.ask("query", query=query)
        assert found["resultType"] == "vector"
        return [float(series["value"][1]) for series in found["result"]]

    def rules(self) -> dict[str, dict[str, Any]]:
        """Return the state of each alert by its name."""
        (group,) = self.ask("rules")["groups"]
        return {rule["name"]: rule for rule in group["rules"]}


class Traffic(threading.Thread):
    """People who play against the computer until the end of the test, and one who floods."""

    def __init__(self, site: Site, tables: list[Table]) -> None:
        super().__init__(daemon=True)
        self.site, self.tables = site, tables
        self.over = threading.Event()
        self.failed: BaseException | None = None

    def run(self) -> None:
        try:
            asyncio.run(self._all())
        except BaseException as error:
            self.failed = error

    async def _all(self) -> None:
        flooding = asyncio.create_task(self._flood())
        for table in self.tables[1:]:
            async with Client(self.site.socket_url, table.match, table.cookies[0]) as person:
                await person.play(until=self.over.is_set)
        await flooding

    async def _flood(self) -> None:
        while not self.over.is_set():
            table = self.tables[0]
            person = await Client(self.site.socket_url, table.match, table.cookies[0]).connect()
            reading = asyncio.create_task(read(person))
            with contextlib.suppress(ConnectionClosed):
                while not self.over.is_set():
                    await person.send("ping")
                    await asyncio.sleep(0)
            await person.close()
            await reading
            await asyncio.sleep(PAUSE_S)


async def read(person: Client) -> None:
    """Read and forget what the server sends."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await person.socket.recv()


@pytest.fixture
def watched(start_site: StartSite, tmp_path: Path) -> Iterator[Prometheus]:
    """Run a process with traffic, scraped by Prometheus."""
    site = start_site(extra=EXTRA)
    manage(site.database_url, "refit_ratings")
    run_script(site.database_url, A_JOB, None, {})
    tables = make_tables(site.database_url, *(wish(computers=(1,), games=9) for _ in range(9)))
    with Prometheus(tmp_path, site) as prometheus:
        wait_for(prometheus.is_ready, pause=0.2)
        traffic = Traffic(site, tables)
        traffic.start()
        yield prometheus
        traffic.over.set()
        if site.is_running():
            traffic.join(DEADLINE)
            assert traffic.failed is None


def test_every_query_finds_series_and_every_alert_can_be_evaluated(watched: Prometheus) -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "cribbage.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert len(queries) > 18
    for query in queries:
        wait_for(
            lambda query=query: has_numbers(watched.values(query)),
            pause=0.2,
            message=lambda query=query: (query, watched.values(query)),
        )
    assert max(watched.values("sum(rate(cribbage_moves_total{result='stored'}[1m]))")) > 0

    wait_for(lambda: all(rule["health"] == "ok" for rule in watched.rules().values()))
    wait_for(lambda: watched.values('up{job="cribbage"}') == [1])
    assert watched.rules()["ProcessGone"]["state"] == "inactive"
    watched.site.kill()
    wait_for(lambda: watched.rules()["ProcessGone"]["state"] == "pending")


def has_numbers(values: list[float]) -> bool:
    """Return whether there are values, and one of them is a number."""
    return any(math.isfinite(value) for value in values)
