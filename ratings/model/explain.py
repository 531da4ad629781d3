"""Explanation of a rating change as parts that sum to it.

With K = elo_per_point / (sum w + noise/tau2), a rating is 1500 + sum K*w*q. Between two
breakdowns of a player's rating, the later one marked ', the change of the rating is exactly

    K' * ( sum over results in both    w'*(q' - q)          effect, opponents, correction
         + sum over results in both    (w' - w)*(q - s)     faded
         + sum over new results        w'*(q' - s)          new
         - sum over removed results    w*(q - s) )          removed

where s is the earlier skill: the terms with s add up to K' * (sum w' - sum w) * s, the cost of
keeping that skill under the later weights.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import Constants
from ratings.model.scale import rating


class Cause(StrEnum):
    """The kind of change to one result."""

    EFFECT = "effect"
    """The estimated value of the seat, since others played the game."""
    OPPONENT = "opponent"
    """The ratings of the opponents."""
    NEW = "new"
    REMOVED = "removed"
    FADED = "faded"
    """The weight of the result, since the player has played more games."""
    CORRECTED = "corrected"
    """The margin that counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Breakdown:
    """The N results that a player's skill is computed from: sum(w*q) / (sum w + ratio)."""

    constants: Constants
    skill: float
    key: Ints
    """(N,): keys of the results."""
    game: Ints
    weight: Floats
    adjusted: Floats
    """(N,): margin adjusted for seat and par, points."""
    effect: Floats
    """(N,): value of the player's seat, points."""
    others: Floats
    """(N,): mean skill of the opponents, points."""

    @property
    def implied_skill(self) -> Floats:
        """(N,): the skill q that each result implies by itself, points."""
        return np.asarray(self.adjusted - self.effect + self.others)

    @property
    def elo_per_weighted_point(self) -> float:
        """K: Elo per point of w*q."""
        total = float(self.weight.sum()) + self.constants.player_ratio
        return self.constants.elo_per_point / total


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a rating change. `was` and `now` are in points, or in Elo for opponents."""

    cause: Cause
    key: int
    """Key of the result that causes it."""
    game: int
    elo: float
    was: float | None
    """Value of the seat, mean rating of the opponents, or margin.

    For a new result: the margin that the seat's value and the ratings suggested, and its margin.
    """
    now: float | None


def explain(before: Breakdown, after: Breakdown) -> tuple[Part, ...]:
    """Return the parts of the change from `before` to `after`, largest first.

    Raises ValueError if the two were computed with different constants.
    """
    if before.constants != after.constants:
        raise ValueError("breakdowns under different constants cannot be compared")
    _, old, new = np.intersect1d(before.key, after.key, assume_unique=True, return_indices=True)
    parts = _parts_of_kept(before, after, old, new)
    k = after.elo_per_weighted_point
    added = np.setdiff1d(np.arange(len(after.key)), new).tolist()
    gain = k * after.weight * (after.implied_skill - before.skill)
    expected = after.effect + before.skill - after.others
    parts += [
        _part(Cause.NEW, after, t, gain[t], float(expected[t]), float(after.adjusted[t]))
        for t in added
    ]
    gone = np.setdiff1d(np.arange(len(before.key)), old).tolist()
    loss = -k * before.weight * (before.implied_skill - before.skill)
    parts += [
        _part(Cause.REMOVED, before, t, loss[t], float(before.adjusted[t] - before.effect[t]), None)
        for t in gone
    ]
    return tuple(sorted(parts, key=lambda part: -abs(part.elo)))


def _parts_of_kept(before: Breakdown, after: Breakdown, old: Ints, new: Ints) -> list[Part]:
    """Return the parts from results in both breakdowns, at indices `old` and `new`."""
    k = after.elo_per_weighted_point
    scale = k * after.weight[new]
    elo = before.constants
    changes = (
        (Cause.EFFECT, before.effect[old], after.effect[new], -scale),
        (
            Cause.OPPONENT,
            rating(before.others[old], elo),
            rating(after.others[new], elo),
            scale / elo.elo_per_point,
        ),
        (Cause.CORRECTED, before.adjusted[old], after.adjusted[new], scale),
        (
            Cause.FADED,
            before.weight[old],
            after.weight[new],
            k * (before.implied_skill[old] - before.skill),
        ),
    )
    return [
        _part(cause, after, new[t], (now[t] - was[t]) * factor[t], float(was[t]), float(now[t]))
        for cause, was, now, factor in changes
        for t in np.flatnonzero(now != was)
    ]


def _part(
    cause: Cause, breakdown: Breakdown, t: int, elo: float, was: float | None, now: float | None
) -> Part:
    """Return a part about result `t` of `breakdown`."""
    return Part(cause, int(breakdown.key[t]), int(breakdown.game[t]), float(elo), was, now)
