"""The store of the simulated games that measure false alarms of collusion, and their intervals."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.adversary import collusion
from benchmarks.adversary.collusion import Table, store, stored_batches, wilson


def batch(score: int) -> list[list[Table]]:
    return [[Table(("nora", "alfie", "nora"), (score, 90, 80), ((1, 2), (0, 3), (4, 0)))]]


def test_a_line_that_was_cut_off_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    store(file, 0, batch(121))
    store(file, 1, batch(122))
    file.write_bytes(file.read_bytes()[:-9])
    assert stored_batches(file) == [batch(121)]
    store(file, 1, batch(123))
    assert stored_batches(file) == [batch(121), batch(123)]


def test_only_missing_batches_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.jsonl"
    store(file, 0, batch(121))
    monkeypatch.setattr(collusion, "BATCH", 1)
    monkeypatch.setattr(collusion, "ProcessPoolExecutor", InThisProcess)
    monkeypatch.setattr(collusion, "play_batch", lambda seed: batch(200 + seed))
    games = 3 * collusion.TABLES
    expected = [batch(121), batch(201), batch(202)]
    assert list(collusion._batches(games, file)) == expected
    assert list(collusion._batches(0, file)) == expected


class InThisProcess:
    """Stands in for a pool of processes."""

    def __init__(self, _: int) -> None: ...

    def __enter__(self) -> InThisProcess:
        return self

    def __exit__(self, *_: object) -> None: ...

    map = staticmethod(map)


@pytest.mark.parametrize(
    ("seen", "number", "low", "high"),
    [(0, 10, 0.0, 0.278), (5, 10, 0.237, 0.763), (10, 10, 0.722, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson_intervals(seen: int, number: int, low: float, high: float) -> None:
    assert wilson(seen, number) == pytest.approx((low, high), abs=0.001)
