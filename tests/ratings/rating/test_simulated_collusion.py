"""The store of the simulated games that measure false alarms, and the intervals of the rates."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.adversary import batches, collusion
from benchmarks.adversary.batches import store, stored
from benchmarks.adversary.collusion import Table, wilson

TABLE = Table(("nora", "alfie", "nora"), (121, 90, 80), ((1, 2), (0, 3), (4, 0)))


def test_a_line_that_was_cut_off_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    store(file, 0, [121])
    store(file, 1, [122])
    file.write_bytes(file.read_bytes()[:-3])
    assert stored(file) == [[121]]
    store(file, 1, [123])
    assert stored(file) == [[121], [123]]


def test_only_missing_batches_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.jsonl"
    store(file, 0, [121])
    monkeypatch.setattr(batches, "ProcessPoolExecutor", InThisProcess)
    assert list(batches.batches(lambda seed: [200 + seed], 3, file)) == [[121], [201], [202]]
    assert list(batches.batches(lambda seed: [300 + seed], 0, file)) == [[121], [201], [202]]


def test_stored_tables_are_those_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "ProcessPoolExecutor", InThisProcess)
    monkeypatch.setattr(collusion, "BATCH", 1)
    monkeypatch.setattr(collusion, "_play_set", lambda rng, among: [TABLE])
    file = tmp_path / "games.jsonl"
    for _ in range(2):
        assert list(collusion._batches(collusion.TABLES, file)) == [[[TABLE]]]


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
