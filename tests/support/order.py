"""The order in which the tests of a run start."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from zlib import crc32

import pytest

WAITING = {"servers", "slow"}
"""Marks of the tests that mostly wait for processes, clocks and connections."""

QUICK_AMONG_LONG = 0.7
"""The share of the files with quick tests only that start among the long ones, not after them."""

WAITING_WITHIN = 0.85
"""The share of the long files among which all that wait start: some take more than a minute."""

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
    apart = _spread((crc32(name.encode()) / 2**32, 1, files) for name, files in folders_of.items())
    long = _spread([(0.5, 1, browsers), (0.5, WAITING_WITHIN, apart), (0.5, 1, quick[:among])])
    return [item for tests in [*long, *quick[among:]] for item in tests]


def _spread(groups: Iterable[tuple[float, float, Sequence[Tests]]]) -> list[Tests]:
    """Return the elements of all groups, those of each one spread evenly over the list.

    Args:
        groups: for each, where its first element lies, as a share of the distance between two;
            the share of the list over which it is spread; its elements.
    """
    places = [
        ((number + first) * share / len(elements), element)
        for first, share, elements in groups
        for number, element in enumerate(elements)
    ]
    return [element for _, element in sorted(places, key=lambda place: place[0])]


def _kind(item: pytest.Item) -> int:
    """Return what a test does: 0 drives a browser, 1 mostly waits, 2 is quick."""
    marks = {mark.name for mark in item.iter_markers()}
    return 0 if "browser" in marks else 1 if WAITING & marks else 2
