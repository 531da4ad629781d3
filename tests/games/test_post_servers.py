"""Several processes look at the same post: each message is sent by one of them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.servers import ROOT, site_environment, sqlite_url

PROCESSES = 4
MESSAGES = 60

_MAKE = """
import django
django.setup()
from games.models import Notice, Outage, Pulse
from tests.games.letters import begin, make_person
from django.utils import timezone
from datetime import timedelta
ann, bob = make_person("ann"), make_person("bob")
match = begin(ann, bob)
Notice.objects.bulk_create(
    Notice(player=ann, match=match, way="mail", kind="turn", asked=number) for number in range(%d)
)
Pulse.objects.create(pk=1, at=timezone.now() - timedelta(hours=1))
"""

_SEND = """
import json, sys
import django
django.setup()
from games import outages, post
from games.models import Notice
sys.stdin.readline()
outages.beat()
mine = []
while Notice.objects.filter(claimed_at__isnull=True).exists():
    mine += post.claim()
print(json.dumps(mine))
"""

_LEFT = """
import json
import django
django.setup()
from games.models import Outage
print(json.dumps(Outage.objects.count()))
"""


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path, empty_database: Path) -> str:
    if request.param == "postgres":
        url: str = request.getfixturevalue("postgres_url")
        return url
    shutil.copy(empty_database, tmp_path / "post.sqlite3")
    return sqlite_url(tmp_path, "post.sqlite3")


def start(script: str, database_url: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=site_environment(database_url),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_each_message_and_each_outage_has_one_process(database_url: str) -> None:
    assert start(_MAKE % MESSAGES, database_url).wait(60) == 0
    running = [start(_SEND, database_url) for _ in range(PROCESSES)]
    claimed: Counter[int] = Counter()
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in running:
        said, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        claimed.update(json.loads(said))
    assert len(claimed) == MESSAGES
    assert set(claimed.values()) == {1}
    said, _ = start(_LEFT, database_url).communicate(timeout=60)
    assert json.loads(said) == 1
