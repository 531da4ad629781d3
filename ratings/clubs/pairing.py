"""Pairings of a club night: who meets whom in each game, and in which seat. Pure."""

from __future__ import annotations

from collections.abc import Sequence

Pair = tuple[int, int]
"""Two of 0 .. number - 1; the first sits in seat 0 and deals first."""


def draw(*, number: int, games: int) -> list[list[Pair]]:
    """Return the tables of each game; all ``number`` people play in each game.

    Each person meets as many different others as there are games, or everyone if there are fewer;
    then pairings repeat as evenly as possible. Each person sits in seat 0 as often as in seat 1, or
    differs by one if the number of games is odd.

    The circle method gives the pairings. They are a graph in which the degree of each person is the
    number of games. Closed walks that use each edge once give the seats.

    Raises:
        ValueError: for an odd number, or fewer than 2.
    """
    if number < 2 or number % 2:
        raise ValueError(f"{number} players cannot be paired")
    meetings = [_round_pairs(number, game % (number - 1)) for game in range(games)]
    return _assign_seats(meetings, number)


def _round_pairs(number: int, turn: int) -> list[Pair]:
    """Return the pairs of one game: all but the last move on by ``turn`` places around a circle."""
    moving = number - 1
    around = [(place + turn) % moving for place in range(moving)]
    pairs = [(around[0], number - 1)]
    pairs += [(around[place], around[moving - place]) for place in range(1, number // 2)]
    return pairs


def _assign_seats(meetings: Sequence[Sequence[Pair]], number: int) -> list[list[Pair]]:
    """Return the same pairs with each in the order of its seats."""
    edges = [(game, one, other) for game, pairs in enumerate(meetings) for one, other in pairs]
    if len(meetings) % 2:  # a dummy opponent makes each degree even, so that all walks close
        edges += [(-1, one, number) for one in range(number)]
    at: list[list[int]] = [[] for _ in range(number + 1)]
    for edge, (_, one, other) in reversed(list(enumerate(edges))):
        at[one].append(edge)
        at[other].append(edge)
    seated: list[list[Pair]] = [[] for _ in meetings]
    used = [False] * len(edges)
    for start in range(number):
        here = start
        while True:
            while at[here] and used[at[here][-1]]:
                at[here].pop()
            if not at[here]:
                break  # the walk is back at its start
            edge = at[here].pop()
            used[edge] = True
            game, one, other = edges[edge]
            there = other if here == one else one
            if game >= 0:
                seated[game].append((here, there))
            here = there
    return seated
