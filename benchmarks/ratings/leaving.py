"""Bias of ratings from leaving games: if these are dropped, and with the rule for leaving."""

from dataclasses import dataclass

import numpy as np

from benchmarks.ratings.leagues import HANDS
from ratings.model.arrays import Floats, Ints
from ratings.model.comparison import margin_when_left
from ratings.model.constants import TWO_SEATS
from ratings.model.fit import fit
from ratings.model.results import Results

BEHIND = 12.0
"""Points behind from which a leaver may leave."""
EARLIEST = 3
"""Number of hands before which no one leaves."""
OFTEN = 0.7
"""Probability that a leaver who may leave does so after a hand."""


@dataclass(frozen=True, slots=True)
class Bias:
    """Excess rating of leavers compared with the others, Elo."""

    dropped: float
    """If the games they leave do not count."""
    ruled: float
    """If these games count by the rule for leaving."""
    left: float
    """Share of games that were left."""


def leaving_bias(
    rng: np.random.Generator, *, players: int = 240, rounds: int = 60, plays: int = 10
) -> Bias:
    """Simulate a league hand by hand, in which a fifth of the players leave when behind."""
    constants = TWO_SEATS
    who = np.concatenate([rng.permutation(players) for _ in range(rounds)]).reshape(-1, 2)
    rows = len(who)
    game = rng.permutation(rows) % (rows // plays)
    skill = rng.normal(0.0, constants.tau2**0.5, players)
    cards = rng.normal(0.0, (constants.omega2 / HANDS) ** 0.5, (rows // plays, HANDS))
    noise = rng.normal(0.0, (constants.sigma2 / HANDS) ** 0.5, (rows, HANDS))
    each = (constants.mu[0] + skill[who[:, :1]] - skill[who[:, 1:]]) / HANDS
    margin = np.cumsum(cards[game] + noise + each, axis=1)
    leaver = np.arange(players) < players // 5
    hand = _left_after(rng, margin, leaver[who])
    left = hand < HANDS - 1
    ruled = _ruled(margin, game, hand)

    def advantage(rows: Ints, margins: Floats) -> float:
        """Return the leavers' gain compared with complete games, minus that of others."""
        counted = Results.from_margins(who[rows, 0], who[rows, 1], game[rows], margins[rows])
        rise = fit(counted, constants).rating - whole
        return float(rise[leaver].mean() - rise[~leaver].mean())

    everything = np.arange(rows)
    whole = fit(Results.from_margins(who[:, 0], who[:, 1], game, margin[:, -1]), constants).rating
    return Bias(
        dropped=advantage(np.flatnonzero(~left), margin[:, -1]),
        ruled=advantage(everything, ruled),
        left=float(left.mean()),
    )


def _left_after(rng: np.random.Generator, margin: Floats, leaver: Ints) -> Ints:
    """(rows,): the last hand that was played."""
    hand = np.full(len(margin), HANDS - 1)
    for now in range(EARLIEST, HANDS - 1):
        losing = (leaver[:, 0] & (margin[:, now] <= -BEHIND)) | (
            leaver[:, 1] & (margin[:, now] >= BEHIND)
        )
        leaves = losing & (hand == HANDS - 1) & (rng.random(len(margin)) < OFTEN)
        hand[leaves] = now
    return hand


def _ruled(margin: Floats, game: Ints, hand: Ints) -> Floats:
    """(rows,): the margins that count."""
    counted = margin[:, -1].copy()
    stayed = hand == HANDS - 1
    for row in np.flatnonzero(~stayed):
        others = np.flatnonzero((game == game[row]) & stayed)
        rests = margin[others, -1] - margin[others, hand[row]]
        counted[row] = margin_when_left(margin[row, hand[row]], rests.tolist())
    return counted
