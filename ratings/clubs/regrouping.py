"""New tables for players of a club night whose opponents are away. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations

Sitting = Sequence[int | None]
"""The players of a table by seat; None is the house computer."""


def regroup(*, players: Sequence[int], seats: int, others: Sequence[Sitting]) -> list[Sitting]:
    """Return as few tables as possible for these players; house computers fill the last seats.

    No table gets two computers. Players, and a player and the computer, sit together who have done
    so least often, and each player gets the seat that they have had least often. The search is
    greedy: it fills one table after the other.

    Args:
        players: at least ``seats`` of them if there are three seats, else at least one.
        seats: seats of a table.
        others: the other tables of the night, played or drawn.
    """
    met = Counter(frozenset(pair) for table in others for pair in combinations(table, 2))
    sat = Counter((one, seat) for table in others for seat, one in enumerate(table))
    number = math.ceil(len(players) / seats)
    empty = number * seats - len(players)
    left = list(players)
    tables: list[Sitting] = []
    for at in range(number):
        table: list[int | None] = [None] if at < empty else []
        while len(table) < seats:
            best = min(left, key=lambda one: sum(met[frozenset((one, with_))] for with_ in table))
            left.remove(best)
            table.append(best)
        tables.append(_seated(table, sat))
    return tables


def _seated(table: Sitting, sat: Counter[tuple[int | None, int]]) -> Sitting:
    """Return a table in the order of seats that evens out who has had which."""
    return min(
        permutations(table),
        key=lambda order: sum(sat[one, seat] for seat, one in enumerate(order) if one is not None),
    )
