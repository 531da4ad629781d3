"""The order in which the tests of a run start."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from zlib import crc32

import pytest

WAITING = {"servers", "slow"}
"""Marks of the tests that mostly wait for processes, clocks and connections."""

QUICK_AMONG_LONG = 0.8
"""The share of the files with quick tests only that start among the long ones, not after them."""

Tests = list[pytest.Item]
"""The tests of a file."""


def interleaved(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests in the order of their start.

    Files with browsers, files that wait and most quick ones alternate: the quick ones use the
    cores that the others leave idle. The rest of the quick ones follow, so that no worker is left
    with a long file at the end.
    """
    kinds: tuple[dict[Path, list[pytest.Item]], ...] = ({}, {}, {})
    kind_of: dict[Path, int] = {}
    for item in sorted(items, key=_kind):
        kind = kind_of.setdefault(item.path, _kind(item))
        kinds[kind].setdefault(item.path, []).append(item)
    browsers, waiting, quick = (list(files.values()) for files in kinds)
    among = int(len(quick) * QUICK_AMONG_LONG)
    # The folder `faults` has most of the waiting: one after another, its files left cores idle.
    folders_of: defaultdict[str, list[Tests]] = defaultdict(list)
    for tests in waiting:
        folders_of[tests[0].path.parent.name].append(tests)
    apart = _spread((crc32(name.encode()) / 2**32, files) for name, files in folders_of.items())
    ordered = [*_spread((0.5, files) for files in (browsers, apart, quick[:among])), *quick[among:]]
    return [item for tests in ordered for item in tests]


def _spread(groups: Iterable[tuple[float, Sequence[Tests]]]) -> list[Tests]:
    """Return the elements of all groups, those of each one spread evenly over the whole list.

    Args:
        groups: where the first element of each lies, as a share of the distance between two.
    """
    places = [
        ((number + first) / len(elements), element)
        for first, elements in groups
        for number, element in enumerate(elements)
    ]
    return [element for _, element in sorted(places, key=lambda place: place[0])]


def _kind(item: pytest.Item) -> int:
    """Return what a test does: 0 drives a browser, 1 mostly waits, 2 is quick."""
    marks = {mark.name for mark in item.iter_markers()}
    return 0 if "browser" in marks else 1 if WAITING & marks else 2
