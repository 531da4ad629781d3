"""Tables of a club night for three: who sits with whom in each game, and in which seat. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

Trio = tuple[int, int, int]
"""Three of 0 .. number - 1 by seat; the first deals first."""

PASSES = 6
"""The number of passes over all exchanges of two players for one game."""
APART = 50
"""Meetings with which two empty places start, so that if possible no table gets both."""


def draw_threes(*, number: int, games: int, empty: int = 0) -> list[list[Trio]]:
    """Return the tables of each game; all ``number`` places play in each game.

    The last ``empty`` places have no player. Each game starts with neighbours at a table; then two
    places are exchanged as long as that lowers the sum of squares of all meetings so far, so that
    pairs meet as evenly as the search finds. Seats are evened out in the same way.

    Raises:
        ValueError: for a number that is no multiple of 3, or below 3.
    """
    if number < 3 or number % 3:
        raise ValueError(f"{number} players cannot sit at tables of three")
    met = [[0] * number for _ in range(number)]
    for one in range(number - empty, number):
        for other in range(number - empty, number):
            met[one][other] = APART
    seats = [[0] * 3 for _ in range(number)]
    drawn = []
    for game in range(games):
        tables = _improved(_begun(number, game), met)
        for table in tables:
            for one in table:
                for other in table:
                    met[one][other] += one != other
        drawn.append([_seated(table, seats) for table in tables])
    return drawn


def _begun(number: int, game: int) -> list[list[int]]:
    """Return tables whose places stand in thirds of a circle, turned differently in each game."""
    third = number // 3
    return [
        [at, third + (at + game) % third, 2 * third + (at + 2 * game) % third]
        for at in range(third)
    ]


def _improved(tables: list[list[int]], met: Sequence[Sequence[int]]) -> list[list[int]]:
    """Exchange places between two tables as long as that makes pairs meet more evenly."""
    for _ in range(PASSES):
        changed = False
        for at, one in enumerate(tables):
            for other in tables[at + 1 :]:
                changed |= _exchange(one, other, met)
        if not changed:
            break
    return tables


def _exchange(one: list[int], other: list[int], met: Sequence[Sequence[int]]) -> bool:
    """Make the first exchange between two tables that helps; return whether there was one."""
    for mine in range(3):
        for theirs in range(3):
            before = _cost(one, met) + _cost(other, met)
            one[mine], other[theirs] = other[theirs], one[mine]
            if _cost(one, met) + _cost(other, met) < before:
                return True
            one[mine], other[theirs] = other[theirs], one[mine]
    return False


def _cost(table: Sequence[int], met: Sequence[Sequence[int]]) -> int:
    """Return by how much the sum of squares grows if these three meet: 2m + 1 for each pair."""
    first, second, third = table
    return 2 * (met[first][second] + met[first][third] + met[second][third]) + 3


def _seated(table: Sequence[int], seats: list[list[int]]) -> Trio:
    """Return a table in the order of its seats, and count the seats."""
    best = min(
        permutations(table),
        key=lambda order: sum(2 * seats[one][seat] + 1 for seat, one in enumerate(order)),
    )
    for seat, one in enumerate(best):
        seats[one][seat] += 1
    return (best[0], best[1], best[2])
