"""Batches of simulated games that are kept in a file, a line of JSON each.

Batch n is always the same games, so that a run that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any


def batches(play: Callable[[int], Any], number: int, file: Path | None) -> Iterator[Any]:
    """Yield the stored batches, then the missing ones of ``number``, which are stored one by one.

    Args:
        play: returns the batch of a number, as values for JSON.
        number: how many are wanted; more are yielded if more are stored.
        file: where they are kept; None to keep none.
    """
    kept = stored(file) if file else []
    yield from kept
    missing = range(len(kept), number)
    if not missing:
        return
    with ProcessPoolExecutor(int(os.environ.get("PROCESSES", os.cpu_count() or 1))) as pool:
        for at, batch in enumerate(pool.map(play, missing), start=missing.start):
            print(f"\r{at + 1} of {number} batches", end="", file=sys.stderr, flush=True)
            if file:
                store(file, at, batch)
            yield batch


def stored(file: Path) -> list[Any]:
    """Return the batches in a file without a line that was cut off."""
    if not file.exists():
        return []
    lines = file.read_text(encoding="ascii").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def store(file: Path, number: int, batch: Any) -> None:
    """Add the batch of a number, in place of a line that was cut off."""
    file.touch()
    with file.open("r+b") as out:
        kept = sum(len(line) for line in islice(out, number))
        out.seek(kept)
        out.truncate()
        out.write(json.dumps(batch, separators=(",", ":")).encode() + b"\n")
