"""The members of numbered groups in little memory, for groups that only grow."""

import numpy as np
from numpy.typing import NDArray

from ratings.model.arrays import Ints

Small = NDArray[np.int32]
"""Indices, at four bytes each: a list of Python's integers takes ten times as much."""

_NONE: Small = np.empty(0, np.int32)

SPARE = 4096
"""Members added before they are sorted in, at least."""


class Groups:
    """The members (0, 1, 2 ...) of each group, in ascending order.

    Most members are kept sorted by group in one array. Those added last are in lists, and are
    sorted in when they are an eighth of the others.
    """

    def __init__(self, group: Ints | Small, count: int) -> None:
        """Start with ``count`` groups; ``group`` has the group of each member."""
        self._count = count
        self._sort(group)

    def __len__(self) -> int:
        return self._count

    def make_room(self, count: int) -> None:
        """Make sure that there are at least ``count`` groups."""
        self._count = max(self._count, count)

    def add(self, group: int, member: int) -> None:
        """Add a member, which is higher than all others of its group."""
        self._added.setdefault(group, []).append(member)
        self._waiting += 1
        if self._waiting > max(SPARE, len(self._members) // 8):
            self._sort_in()

    def of(self, *groups: int) -> Ints:
        """Return the members of these groups, one group after the other."""
        parts: list[Small] = [_NONE]
        for group in groups:
            if group + 1 < len(self._ends):
                parts.append(self._members[self._ends[group] : self._ends[group + 1]])
            if group in self._added:
                parts.append(np.array(self._added[group], np.int32))
        return np.concatenate(parts).astype(np.intp)

    def _sort(self, group: Ints | Small) -> None:
        self._members: Small = np.argsort(group, kind="stable").astype(np.int32)
        self._ends = np.zeros(self._count + 1, np.intp)
        np.cumsum(np.bincount(group, minlength=self._count), out=self._ends[1:])
        self._added: dict[int, list[int]] = {}
        self._waiting = 0

    def _sort_in(self) -> None:
        group = np.empty(len(self._members) + self._waiting, np.int32)
        group[self._members] = np.repeat(
            np.arange(len(self._ends) - 1, dtype=np.int32), np.diff(self._ends)
        )
        for number, members in self._added.items():
            group[members] = number
        self._sort(group)
