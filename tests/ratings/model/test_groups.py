"""Growing groups hold what lists of lists would hold."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ratings.model import groups
from ratings.model.groups import Groups

NUMBERS = st.integers(0, 6)


@given(st.lists(NUMBERS), st.lists(NUMBERS), st.integers(0, 5))
def test_members_are_those_of_lists(first: list[int], later: list[int], spare: int) -> None:
    before = groups.SPARE
    groups.SPARE = spare  # how many are added before they are sorted in
    try:
        count = max(first, default=-1) + 1
        held = Groups(np.array(first, np.int32), count)
        lists: list[list[int]] = [[] for _ in range(7)]
        for member, group in enumerate(first):
            lists[group].append(member)
        for member, group in enumerate(later, start=len(first)):
            held.make_room(group + 1)
            held.add(group, member)
            lists[group].append(member)
        held.make_room(7)
        assert held.of(3, 1).tolist() == lists[3] + lists[1]
        assert [held.of(group).tolist() for group in range(7)] == lists
    finally:
        groups.SPARE = before
