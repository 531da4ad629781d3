"""Real processes advance one tournament at once, one of them is killed, and nothing changes."""

from pathlib import Path

import pytest

from tests.support import event_workers
from tests.support.waiting import wait_for


@pytest.mark.slow
def test_workers_that_pair_at_once_and_die_change_nothing(
    database_url: str, tmp_path: Path
) -> None:
    event = event_workers.make(database_url)
    killed, survivor = event_workers.begin(database_url, event, 2, tmp_path / "first")
    wait_for(lambda: event_workers.outcome(database_url, event)["games"] > 0)
    killed.process.kill()
    with pytest.raises(RuntimeError):
        killed.finish()
    (late,) = event_workers.begin(database_url, event, 1, tmp_path / "second")
    assert survivor.finish().strip() == late.finish().strip() == "over"
    found = event_workers.outcome(database_url, event)
    pairs = [frozenset(pair) for pair in found["pairs"]]
    assert sorted(found["rounds"]) == [1, 2]
    assert len(pairs) == len(set(pairs)) == found["games"] == found["over"] == 6
    assert found["attempts"] == 12
    assert (found["cards"], found["open"]) == (2, 0)
