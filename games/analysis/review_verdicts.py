"""Verdicts on decisions: every threshold of a review in one place, and what adds up from them.

A decision's *loss* is measured in chances to win the game: the chance of the best choice less that
of the one made. With three seats the chance is an approximation by samples; there, until somebody
comes near the end, the loss is the points lost at `POINT` each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["best", "fine", "inaccuracy", "mistake", "blunder"]
Part = Literal["discard_dealer", "discard_pone", "lead", "response", "endgame"]

VERDICTS: tuple[Verdict, ...] = ("best", "fine", "inaccuracy", "mistake", "blunder")
PARTS: tuple[Part, ...] = ("discard_dealer", "discard_pone", "lead", "response", "endgame")

FROM: dict[Verdict, float] = {
    "fine": 0.0005,
    "inaccuracy": 0.010,
    "mistake": 0.025,
    "blunder": 0.060,
}
"""The least loss of each verdict, in chances to win (0.01 is one game in a hundred).

A point is worth two games in a hundred at the start of a game, and four near its end: so an
inaccuracy begins at about half a point, a mistake at more than one, a blunder at three.
"""

POINT = 0.02
"""What a point counts with three seats before the end comes near, in chances to win."""

NEAR_END = 20
"""A decision belongs to the endgame when somebody needs at most so many points to win."""

HALF = 0.03
"""The loss at which a decision's accuracy is 50%."""

SOUND: frozenset[Verdict] = frozenset({"best", "fine"})
"""What counts as right when a decision is asked again."""

WRONG: frozenset[Verdict] = frozenset({"mistake", "blunder"})
"""What is asked again."""


def verdict(loss: float) -> Verdict:
    """Return the verdict on a decision that lost so much of the chance to win."""
    found: Verdict = "best"
    for name, least in FROM.items():
        if loss >= least:
            found = name
    return found


def accuracy(losses: Iterable[float]) -> float | None:
    """Return the mean accuracy of decisions in percent; None where there is none.

    One decision has 100 * 0.5 ** (loss / HALF): 100 for the best, 50 for one that loses three games
    in a hundred, 25 for six.
    """
    shares = [100.0 * 0.5 ** (max(0.0, loss) / HALF) for loss in losses]
    return sum(shares) / len(shares) if shares else None


@dataclass(frozen=True, slots=True)
class Judged:
    """What of one decision goes into a summary; ``forced`` ones left nothing to choose."""

    seat: int
    part: Part
    verdict: Verdict
    forced: bool
    loss: float
    points_lost: float
    chance_lost: float


@dataclass(slots=True)
class PartSum:
    """Decisions of one kind: how many, and what they lost in points and in chances."""

    decisions: int = 0
    points: float = 0.0
    chance: float = 0.0


@dataclass(slots=True)
class Summary:
    """One seat's decisions together, forced ones left out of all but `forced`."""

    seat: int
    forced: int = 0
    losses: list[float] = field(default_factory=list)
    verdicts: dict[Verdict, int] = field(default_factory=lambda: dict.fromkeys(VERDICTS, 0))
    parts: dict[Part, PartSum] = field(default_factory=lambda: {part: PartSum() for part in PARTS})

    @property
    def accuracy(self) -> float | None:
        """Percent, 0 to 100; None where nothing was decided."""
        return accuracy(self.losses)

    @property
    def points(self) -> float:
        """Points lost in all."""
        return sum(part.points for part in self.parts.values())

    @property
    def chance(self) -> float:
        """Chances to win lost in all: the sum over decisions, so it may pass 1."""
        return sum(part.chance for part in self.parts.values())

    def add(self, one: Judged) -> None:
        """Take in a decision of this seat."""
        if one.forced:
            self.forced += 1
            return
        self.losses.append(one.loss)
        self.verdicts[one.verdict] += 1
        part = self.parts[one.part]
        part.decisions += 1
        part.points += one.points_lost
        part.chance += one.chance_lost


def summaries(judged: Iterable[Judged], seats: int) -> tuple[Summary, ...]:
    """Return the summary of each seat."""
    found = tuple(Summary(seat) for seat in range(seats))
    for one in judged:
        found[one.seat].add(one)
    return found
