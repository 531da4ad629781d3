"""Several processes share one delivery queue: each message is sent by exactly one of them."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import IO

import pytest

from tests.support.launcher import Script
from tests.support.servers import site_environment

PROCESSES = 4
MESSAGES = 60

_MAKE = """
import django
django.setup()
from django_tasks_db.models import DBTaskResult
from games.models import Notice, Outage, Pulse
from tests.support.letters import begin, make_person
from django.utils import timezone
from datetime import timedelta
ann, bob = make_person("ann"), make_person("bob")
match = begin(ann, bob)
from games.correspondence import notify
for number in range(%d):
    notify.make(ann, match, "mail", "turn", asked=number)
DBTaskResult.objects.update(run_after=timezone.now())
Pulse.objects.create(pk=1, at=timezone.now() - timedelta(hours=1))
"""

_SEND = """
import json, sys
import django
django.setup()
from games.cluster import outages
from games.correspondence import delivery
from games.jobs.worker import work_off
sent = []
delivery.deliver = sent.append
sys.stdin.readline()
outages.record_pulse()
work_off(["mail"])
print(json.dumps(sent))
"""

_LEFT = """
import json
import django
django.setup()
from games.models import Outage
print(json.dumps(Outage.objects.count()))
"""


def start(script: str, database_url: str, *, stdin: IO[bytes] | None = None) -> Script:
    return Script(["-c", script], site_environment(database_url), stdin=stdin)


@pytest.mark.slow
def test_each_message_and_each_outage_is_handled_by_one_process(database_url: str) -> None:
    start(_MAKE % MESSAGES, database_url).finish()
    # All processes read from one pipe, and start when its other end is closed.
    held, begin = os.pipe()
    with os.fdopen(held, "rb") as stdin:
        running = [start(_SEND, database_url, stdin=stdin) for _ in range(PROCESSES)]
    os.close(begin)
    claimed: Counter[int] = Counter()
    for process in running:
        claimed.update(json.loads(process.finish()))
    assert len(claimed) == MESSAGES
    assert set(claimed.values()) == {1}
    assert json.loads(start(_LEFT, database_url).finish()) == 1
