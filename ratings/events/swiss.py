"""Pairing by minimum-cost matching: opponents of similar standing, none twice while possible. Pure.

`rustworkx` (Apache-2.0, 7 MB installed, needs only numpy) finds the matching. Of 1,000 players it
took 0.1 s where the pure Python of `networkx` took 5.6 s.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

import rustworkx

Pair = tuple[int, int]

NEIGHBOURS = 24
"""The neighbours in the standings considered per player; doubled until all are paired."""
SAME_SEAT = 400
"""The cost of a pair who are both due the same seat, like a distance of twenty places."""
REPEAT = 10**6
"""The cost of having met before: more than any distance that fits a tournament."""


def pair(
    order: Sequence[int], met: Mapping[int, Collection[int]], lead: Mapping[int, int]
) -> list[Pair]:
    """Return pairs of an even number of players.

    Args:
        order: the players, best first.
        met: each player's earlier opponents.
        lead: how many times more each has dealt first than not.
    """
    number, window = len(order), NEIGHBOURS
    if number % 2:
        raise ValueError(f"{number} players cannot be paired")

    def cost(one: int, other: int) -> int:
        mine, theirs = order[one], order[other]
        same = lead.get(mine, 0) * lead.get(theirs, 0) > 0
        again = theirs in met.get(mine, ())
        return (other - one) ** 2 + SAME_SEAT * same + REPEAT * again

    while window < number:
        found = _match(number, window, cost, repeats=False, met=met, order=order)
        if len(found) == number // 2:
            return found
        window *= 2
    found = _match(number, number, cost, repeats=False, met=met, order=order)
    if len(found) < number // 2:
        found = _match(number, number, cost, repeats=True, met=met, order=order)
    return found


def pair_some(
    order: Sequence[int],
    barred: Mapping[int, Collection[int]],
    shunned: Mapping[int, Collection[int]],
) -> list[Pair]:
    """Return as many pairs as possible of players who are not barred from each other.

    Of all ways to do so, those come first in which the fewest players play whom they shun.
    """
    number = len(order)

    def cost(one: int, other: int) -> int:
        mine, theirs = order[one], order[other]
        shuns = (theirs in shunned.get(mine, ())) + (mine in shunned.get(theirs, ()))
        return (other - one) ** 2 + number**3 * shuns

    return _match(
        number,
        number,
        cost,
        repeats=False,
        met=barred,
        order=order,
    )


def _match(
    number: int,
    window: int,
    cost: Callable[[int, int], int],
    *,
    repeats: bool,
    met: Mapping[int, Collection[int]],
    order: Sequence[int],
) -> list[Pair]:
    """Return as many pairs as possible with the least cost, within a window of the standings."""
    edges = [
        (one, other, cost(one, other))
        for one in range(number)
        for other in range(one + 1, min(number, one + 1 + window))
        if repeats or order[other] not in met.get(order[one], ())
    ]
    dearest = 1 + max((price for _one, _other, price in edges), default=0)
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * number)
    graph.add_edges_from([(one, other, dearest - price) for one, other, price in edges])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs = sorted((min(pair), max(pair)) for pair in found)
    return [(order[one], order[other]) for one, other in pairs]


def seat(pairs: Sequence[Pair], lead: Mapping[int, int], last: Mapping[int, int]) -> list[Pair]:
    """Return the pairs, each with the player who deals first in front.

    That is the one who has dealt first less often, then the one who did not deal first last.
    ``last`` is 1 for players who dealt first in their last game, -1 for the others.
    """

    def key(player: int) -> Pair:
        return lead.get(player, 0), last.get(player, 0)

    return [(one, other) if key(one) <= key(other) else (other, one) for one, other in pairs]


def sits_out(order: Sequence[int], byes: Mapping[int, int]) -> int:
    """Return who has no opponent if the number is odd: the last of those with the fewest byes."""
    fewest = min(byes.get(player, 0) for player in order)
    return next(player for player in reversed(order) if byes.get(player, 0) == fewest)


def group(order: Sequence[int], met: Mapping[int, Collection[int]]) -> list[tuple[int, ...]]:
    """Return tables of three, the last one with the one or two players left over.

    From the best player on, each gets the next two in the standings who have met them, and each
    other, least.
    """
    rest = list(order)
    tables: list[tuple[int, ...]] = []
    while len(rest) > 2:
        first, *others = rest
        near = list(combinations(enumerate(others[: NEIGHBOURS // 2]), 2))
        costs = [_trio_cost(met, first, one, other) for one, other in near]
        (_, second), (_, third) = near[costs.index(min(costs))]
        tables.append((first, second, third))
        rest = [player for player in others if player not in {second, third}]
    return [*tables, tuple(rest)] if rest else tables


def _trio_cost(
    met: Mapping[int, Collection[int]], first: int, one: Pair, other: Pair
) -> tuple[int, int]:
    """Return how often three have met, then how far apart they are."""
    trio = [first, one[1], other[1]]
    times = sum(list(met.get(a, ())).count(b) for a, b in combinations(trio, 2))
    return times, one[0] + other[0]
