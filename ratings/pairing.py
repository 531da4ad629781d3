"""Who meets whom in the games of a club night, and in which seat. Pure: no chance, no clock."""

from __future__ import annotations

from collections.abc import Sequence

Pair = tuple[int, int]
"""Two of 0 .. number - 1; the first has seat 0 and deals first."""


def draw(*, number: int, games: int) -> list[list[Pair]]:
    """Return for each game the tables at which ``number`` people sit, all of them in each game.

    Everybody meets as many different others as there are games, or all of them where there are
    fewer; then they meet again, nobody more than once oftener than somebody else. Everybody has
    seat 0 as often as seat 1, or once more or less where the number of games is odd.

    The one who stands still while all others go on by one place (the circle method) gives the
    meetings. They are a graph in which everybody has as many edges as there are games: walks
    through it that end where they began, each edge once, give the seats.

    Raises:
        ValueError: for an odd number, or fewer than 2.
    """
    if number < 2 or number % 2:
        raise ValueError(f"{number} cannot sit down in twos")
    meetings = [_circle(number, game % (number - 1)) for game in range(games)]
    return _seated(meetings, number)


def _circle(number: int, turn: int) -> list[Pair]:
    """Return who meets when all but the last have gone on by ``turn`` places."""
    moving = number - 1
    around = [(place + turn) % moving for place in range(moving)]
    pairs = [(around[0], number - 1)]
    pairs += [(around[place], around[moving - place]) for place in range(1, number // 2)]
    return pairs


def _seated(meetings: Sequence[Sequence[Pair]], number: int) -> list[list[Pair]]:
    """Return the same meetings, each pair in the order of their seats."""
    edges = [(game, one, other) for game, pairs in enumerate(meetings) for one, other in pairs]
    if len(meetings) % 2:  # everybody meets one more, who is not there: then all walks close
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
                break  # back at the start: every walk closes there
            edge = at[here].pop()
            used[edge] = True
            game, one, other = edges[edge]
            there = other if here == one else one
            if game >= 0:
                seated[game].append((here, there))
            here = there
    return seated
