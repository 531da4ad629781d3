"""Two taps on "Start the lesson" at once begin one lesson."""

from __future__ import annotations

from tests.support.launcher import Script
from tests.support.servers import site_environment

_TAPS = """
import threading
import django
django.setup()
from django.db import connection
from games.learn.lessons import begin_lesson
from games.models import Match
from games.people.accounts import create_guest
player = create_guest()
start = threading.Barrier(4)
found = []
def tap():
    start.wait()
    try:
        found.append(begin_lesson(player=player).pk)
    finally:
        connection.close()
threads = [threading.Thread(target=tap) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(found), len(set(found)), Match.objects.count())
"""


def test_taps_at_once_begin_one_lesson(database_url: str) -> None:
    said = Script(["-c", _TAPS], site_environment(database_url)).finish()
    assert said.split() == ["4", "1", "1"]
