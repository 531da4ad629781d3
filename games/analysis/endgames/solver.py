"""The solver: CFR+ on the sequence form of an endgame, until the solution's gap is small.

CFR+ (Tammelin, 2014) with alternating rounds and averages weighted by the round. The *gap* of a
solution is what the two best replies against it gain together, in chance to win; it is 0 for an
equilibrium, and the value of the game is known within it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import winning
from games.analysis.endgames.model import Endgame, Prior
from games.analysis.kernels import endgames as kernels

Array = NDArray[Any]

GAP = 0.0001
"""The gap at which a solution is good enough: one game in ten thousand."""
ROUNDS = 20
"""Rounds between two looks at the gap."""
MOST_ROUNDS = 4000


@dataclass(frozen=True, slots=True)
class Tree:
    """An endgame in sequence form, as `kernels.grow` writes it; `types` are each role's types."""

    types: tuple[int, int]
    sets: tuple[Array, Array]
    sequences: tuple[int, int]
    leaves: Array
    values: Array


@dataclass(frozen=True, slots=True)
class Solution:
    """An approximate equilibrium.

    `reach[role]` is the average strategy, as the chance of each sequence by the role's own choices;
    `value` is pone's chance to win, `gap` is in chance to win, `rounds` were made.
    """

    reach: tuple[Array, Array]
    value: float
    gap: float
    rounds: int


def tree_of(game: Endgame) -> Tree:
    """Return the endgame in sequence form."""
    held = [np.array([kind.held for kind in side], dtype=np.int64) for side in game.kinds]
    shown = [np.array([kind.points for kind in side], dtype=np.int64) for side in game.kinds]
    pairs = int((game.joint > 0.0).sum())
    number = [int(side[0].sum()) for side in held]
    most = pairs * _orders(number[0]) * _orders(number[1])
    places = 1
    while places < 8 * sum(len(side) for side in held) * 14 ** (max(number) - 1) * max(number):
        places *= 2
    keys = np.full(places, -1, dtype=np.int64)
    sets = np.zeros((2, places // 2, 6), dtype=np.int64)
    sizes = np.zeros((2, 2), dtype=np.int64)
    leaves = np.zeros((most, 2), dtype=np.int64)
    values = np.zeros(most)
    found = kernels.grow(
        held[0],
        held[1],
        shown[0],
        shown[1],
        game.joint,
        game.hidden,
        game.entries,
        game.shares,
        winning.dealer_chances(),
        game.past.copy(),
        game.line,
        game.scores,
        keys,
        np.zeros(places, dtype=np.int64),
        sets,
        sizes,
        leaves,
        values,
    )
    return Tree(
        types=(len(game.kinds[0]), len(game.kinds[1])),
        sets=(sets[0, : sizes[0, 0]].copy(), sets[1, : sizes[1, 0]].copy()),
        sequences=(int(sizes[0, 1]), int(sizes[1, 1])),
        leaves=leaves[:found].copy(),
        values=values[:found].copy(),
    )


def with_prior(game: Endgame, tree: Tree, prior: Prior) -> tuple[Endgame, Tree]:
    """Return an endgame and its tree with the chances of another prior."""
    if prior == "even":
        return game, tree
    joint = game.joint * game.likely[0][:, None] * game.likely[1][None, :]
    total = joint.sum()
    if total <= 0.0:
        return game, tree
    values = tree.values / total
    for role in range(2):
        owner = np.arange(tree.sequences[role])
        for one in tree.sets[role]:
            owner[one[1] : one[1] + one[2]] = one[3]
        values = values * game.likely[role][owner[tree.leaves[:, role]]]
    return replace(game, joint=joint / total), replace(tree, values=values)


def _orders(number: int) -> int:
    """Return the number of orders of some cards."""
    return 1 if number < 2 else number * _orders(number - 1)


def solve(tree: Tree, gap: float = GAP, most: int = MOST_ROUNDS) -> Solution:
    """Return an equilibrium of the tree within ``gap``, or what ``most`` rounds find."""
    regrets, chances, reach, sums = [], [], [], []
    for role in range(2):
        even = np.ones(tree.sequences[role])
        for one in tree.sets[role]:
            even[one[1] : one[1] + one[2]] = 1.0 / one[2]
        regrets.append(np.zeros(tree.sequences[role]))
        chances.append(even)
        reach.append(np.ones(tree.sequences[role]))
        sums.append(np.zeros(tree.sequences[role]))
        kernels.spread(tree.sets[role], chances[role], reach[role])
    done, total = 0, 0.0
    while True:
        for _ in range(ROUNDS):
            done += 1
            total += done
            for role in range(2):
                kernels.improve(
                    tree.leaves,
                    tree.values,
                    tree.sets[role],
                    regrets[role],
                    chances[role],
                    reach[role],
                    reach[1 - role],
                    role,
                    float(done),
                    sums[role],
                )
        average = (sums[0] / total, sums[1] / total)
        high, low = (best_value(tree, role, average[1 - role])[0] for role in range(2))
        if high + low <= gap or done >= most:
            return Solution(average, (high - low) / 2, high + low, done)


def best_value(tree: Tree, role: int, other: Array) -> tuple[float, Array]:
    """Return what a role's best reply makes, and the value of each of its sequences by then.

    ``other`` is the other role's reach. Values are pone's chance to win for pone, and less than
    nothing for the dealer: minus pone's chance.
    """
    values = np.zeros(tree.sequences[role])
    kernels.collect(tree.leaves, tree.values, role, other, values)
    total = kernels.best_reply(tree.sets[role], values, tree.types[role])
    return total, values


def choice_values(game: Endgame, tree: Tree, solution: Solution) -> dict[int, float]:
    """Return the deciding player's chance to win by each choice (a symbol), against the solution.

    Later choices of the player are the best ones against it, too.
    """
    me = game.me
    _, values = best_value(tree, me, solution.reach[1 - me])
    share = game.joint.sum(axis=1 - me)[game.own]
    row = next(one for one in tree.sets[me] if one[0] == game.own and one[5] == 1)
    won = values[row[1] : row[1] + row[2]] / share + (1.0 if me else 0.0)
    symbols = [int(row[4]) >> (4 * at) & 15 for at in range(row[2])]
    return {symbol: float(one) for symbol, one in zip(symbols, won, strict=True)}
