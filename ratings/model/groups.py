"""The members of numbered groups in little memory, for groups that only grow."""

import numpy as np
from numpy.typing import NDArray

from ratings.model.arrays import Ints

Small = NDArray[np.int32]
"""Indices, at four bytes each: a list of Python's integers takes ten times as much."""

SPARE = 4096
"""Members added before they are sorted in, at least."""


class Groups:
    """Which members (0, 1, 2 ...) each group has, in ascending order.

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

    def of(self, group: int) -> Ints:
        """Return the members of a group."""
        sorted_in = self._sorted_in(group)
        added = self._added.get(group)
        if added is None:
            return sorted_in.astype(np.intp)
        return np.concatenate([sorted_in, np.array(added, np.int32)]).astype(np.intp)

    def _sorted_in(self, group: int) -> Small:
        if group + 1 >= len(self._ends):
            return self._members[:0]
        return self._members[self._ends[group] : self._ends[group + 1]]

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
