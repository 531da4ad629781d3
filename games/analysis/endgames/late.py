"""The choice in late decisions with two or three cards: the rest of the play is solved as a game.

Both players need few points, so the rest of the play and the count decide the game. The solution is
an equilibrium (`games.analysis.endgames.solver`). It assumes no habits, and opponents gain little
by knowing it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.engine.cards import RANK

if TYPE_CHECKING:
    from games.analysis.endgames.model import Endgame
    from games.engine.view import View

Array = NDArray[Any]

NEED = 12
"""Both players need at most this many points."""
SIZES = ((2, 1), (2, 2), (3, 1), (3, 2))
"""Cards of the player who decides, and of the other. Three against three take seconds to solve."""
GAP = 0.0005
"""The gap of a solution, in chance to win."""
HELD = 160
"""The most types of the player who decides that are solved.

With two cards there are fewer, with three some 700. Most of these matter little to what the other
player does.
"""
EVEN = 0.5
"""The share of the prior by which every combination is equally likely; the rest is "kept"."""


def is_late(view: View) -> bool:
    """Whether a decision in the play is late enough to be solved."""
    seat, ruleset = view.seat, view.ruleset
    if seat is None or ruleset.players != 2:
        return False
    sizes = view.hand_sizes[seat], view.hand_sizes[1 - seat]
    return sizes in SIZES and ruleset.target - min(view.scores) <= NEED


def rank_by_solution(view: View) -> int:
    """Return the rank that the solution plays most often, the lowest on a tie.

    Raises:
        ValueError: if it is not the turn of the view's seat to play a card, with two seats.
    """
    from games.analysis.endgames.model import endgame
    from games.analysis.endgames.solver import solve, tree_of, with_prior
    from games.analysis.kernels.endgames import rank_of

    legal = sorted({RANK[card] for card in view.legal.cards})
    if len(legal) == 1:
        return legal[0]
    game = thinned(endgame(view))
    likely = (_mixed(game.likely[0]), _mixed(game.likely[1]))
    game, tree = with_prior(replace(game, likely=likely), tree_of(game), "kept")
    reach = solve(tree, GAP).reach[game.me]
    row = next(one for one in tree.sets[game.me] if one[3] == game.own and one[5] == 1)
    played = dict.fromkeys(legal, 0.0)
    for at in range(row[2]):
        played[rank_of(int(row[4]) >> (4 * at) & 15)] += float(reach[row[1] + at])
    return max(legal, key=lambda rank: round(played[rank], 9))


def thinned(game: Endgame) -> Endgame:
    """Return the endgame with at most `HELD` types of the player who decides, evenly chosen."""
    me, number = game.me, len(game.kinds[game.me])
    if number <= HELD:
        return game
    every = -(-number // HELD)
    some = np.arange(game.own % every, number, every)
    kinds, likely = list(game.kinds), list(game.likely)
    kinds[me] = tuple(game.kinds[me][at] for at in some)
    likely[me] = game.likely[me][some]
    joint = np.take(game.joint, some, axis=me)
    return replace(
        game,
        own=game.own // every,
        kinds=(kinds[0], kinds[1]),
        likely=(likely[0], likely[1]),
        joint=joint / joint.sum(),
    )


def _mixed(likely: Array) -> Array:
    """Return the chances of types by the mixed prior, relative to "even"."""
    mean = float(likely.mean())
    return EVEN + (1.0 - EVEN) * likely / mean if mean > 0.0 else np.ones_like(likely)
