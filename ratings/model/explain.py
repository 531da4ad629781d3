"""Why a rating moved: parts that sum to the change.

With K = elo_per_point / (sum w + noise/tau2), a rating is 1500 + sum K*w*q. Between two
accounts of one player, the new one marked ', the change of skill is exactly

    K' * ( sum over results in both     w'*(q' - q)          effect, opponents, correction
         + sum over results in both     (w' - w)*(q - s)     faded
         + sum over new results         w'*(q' - s)          new
         - sum over results taken away  w*(q - s) )          removed

since K' * (sum w' - sum w) * s is what the same skill needs to be carried by other weights.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import Constants
from ratings.model.scale import rating


class Cause(StrEnum):
    """What about one result moved a rating."""

    EFFECT = "effect"
    """Others played the game: the seat is now worth something else."""
    OPPONENT = "opponent"
    """The opponents in it are now rated otherwise."""
    NEW = "new"
    REMOVED = "removed"
    FADED = "faded"
    """Later games have made it count less."""
    CORRECTED = "corrected"
    """Its margin is now taken for another one."""


@dataclass(frozen=True, slots=True, eq=False)
class Account:
    """All that a player's skill rests on, N results: skill = sum(w*q) / (sum w + ratio)."""

    constants: Constants
    skill: float
    key: Ints
    """(N,): names of the results."""
    game: Ints
    weight: Floats
    left: Floats
    """(N,): margin less seat and par, points."""
    effect: Floats
    """(N,): what the player's seat is worth, points."""
    others: Floats
    """(N,): mean skill of the opponents, points."""

    @property
    def said(self) -> Floats:
        """(N,): the skill q that each result alone speaks for, points."""
        return np.asarray(self.left - self.effect + self.others)

    @property
    def elo_per_said(self) -> float:
        """K: Elo for each point of w*q."""
        total = float(self.weight.sum()) + self.constants.player_ratio
        return self.constants.elo_per_point / total


@dataclass(frozen=True, slots=True)
class Part:
    """One share of a change; `was` and `now` are in points, for opponents in Elo."""

    cause: Cause
    key: int
    """The result that it comes from."""
    game: int
    elo: float
    was: float | None
    """The seat's worth, the opponents' mean rating or the margin; None: not before."""
    now: float | None


def explain(before: Account, after: Account) -> tuple[Part, ...]:
    """The parts of the change from `before` to `after`, largest first; exact.

    Raises ValueError where the two were not computed with the same constants.
    """
    if before.constants != after.constants:
        raise ValueError("accounts under different constants cannot be compared")
    _, old, new = np.intersect1d(before.key, after.key, assume_unique=True, return_indices=True)
    parts = _parts_of_kept(before, after, old, new)
    k = after.elo_per_said
    added = np.setdiff1d(np.arange(len(after.key)), new)
    gain = k * after.weight * (after.said - before.skill)
    parts += [
        _part(Cause.NEW, after, t, gain[t], None, float(after.left[t] - after.effect[t]))
        for t in added
    ]
    gone = np.setdiff1d(np.arange(len(before.key)), old)
    loss = -k * before.weight * (before.said - before.skill)
    parts += [
        _part(Cause.REMOVED, before, t, loss[t], float(before.left[t] - before.effect[t]), None)
        for t in gone
    ]
    return tuple(sorted(parts, key=lambda part: -abs(part.elo)))


def _parts_of_kept(before: Account, after: Account, old: Ints, new: Ints) -> list[Part]:
    """The parts that come from results which both accounts have, at `old` and at `new`."""
    k = after.elo_per_said
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
        (Cause.CORRECTED, before.left[old], after.left[new], scale),
        (
            Cause.FADED,
            before.weight[old],
            after.weight[new],
            k * (before.said[old] - before.skill),
        ),
    )
    return [
        _part(cause, after, new[t], (now[t] - was[t]) * factor[t], float(was[t]), float(now[t]))
        for cause, was, now, factor in changes
        for t in np.flatnonzero(now != was)
    ]


def _part(
    cause: Cause, account: Account, t: int, elo: float, was: float | None, now: float | None
) -> Part:
    """One part, about result `t` of `account`."""
    return Part(cause, int(account.key[t]), int(account.game[t]), float(elo), was, now)
