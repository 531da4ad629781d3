"""Verdicts on decisions: the thresholds of a review, and summaries of its decisions.

The *loss* of a decision is the best choice's chance to win less that of the choice made. With three
seats, the chance is approximated by sampling; until a player is near the end, the loss is the
points lost times `POINT`. Points lost are negative for a choice with more points but a worse
chance: sums that took them for none would exceed what the better choices gain. A decision is
*close* if the analysis can't tell that it loses anything (`games.analysis.uncertainty`). It then
keeps the loss that is expected, 0 where sampling alone may account for it, and has full accuracy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["best", "fine", "close", "inaccuracy", "mistake", "blunder"]
Part = Literal["discard_dealer", "discard_pone", "lead", "response", "endgame"]

VERDICTS: tuple[Verdict, ...] = ("best", "fine", "close", "inaccuracy", "mistake", "blunder")
PARTS: tuple[Part, ...] = ("discard_dealer", "discard_pone", "lead", "response", "endgame")

FROM: dict[Verdict, float] = {
    "fine": 0.0005,
    "inaccuracy": 0.010,
    "mistake": 0.025,
    "blunder": 0.060,
}
"""The smallest loss of each verdict, in chance to win (0.01 is one game in a hundred).

A point is worth two games in a hundred at the start of a game and four near its end, so an
inaccuracy starts at about half a point, a mistake at more than one, a blunder at three.
"""

POINT = 0.02
"""With three seats, the chance to win that a point is worth before the endgame."""

NEAR_END = 20
"""A decision belongs to the endgame if a player needs at most this many points to win."""

HALF = 0.03
"""The loss at which a decision's accuracy is 50%."""

SOUND: frozenset[Verdict] = frozenset({"best", "fine", "close"})
"""Verdicts that count as correct in training."""

WRONG: frozenset[Verdict] = frozenset({"mistake", "blunder"})
"""Verdicts of decisions that are offered for training."""


def verdict(loss: float) -> Verdict:
    """Return the verdict for a loss in chance to win."""
    found: Verdict = "best"
    for name, least in FROM.items():
        if loss >= least:
            found = name
    return found


def accuracy(losses: Iterable[float]) -> float | None:
    """Return the mean accuracy of decisions in percent; None if there are none.

    The accuracy of a decision is 100 * 0.5 ** (loss / HALF): 100 for the best choice, 50 for a loss
    of three games in a hundred, 25 for six.
    """
    shares = [100.0 * 0.5 ** (max(0.0, loss) / HALF) for loss in losses]
    return sum(shares) / len(shares) if shares else None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The fields of a decision that a summary needs; ``forced`` means only one choice."""

    seat: int
    part: Part
    verdict: Verdict
    forced: bool
    loss: float
    points_lost: float
    chance_lost: float


@dataclass(slots=True)
class PartSum:
    """Totals for decisions of one kind: number, points lost, and chance to win lost."""

    decisions: int = 0
    points: float = 0.0
    chance: float = 0.0


@dataclass(slots=True)
class Summary:
    """The summary of one seat's decisions; forced ones are counted in `forced` only."""

    seat: int
    forced: int = 0
    losses: list[float] = field(default_factory=list)
    """Losses by which accuracy is measured: 0 for close decisions."""
    verdicts: dict[Verdict, int] = field(default_factory=lambda: dict.fromkeys(VERDICTS, 0))
    parts: dict[Part, PartSum] = field(default_factory=lambda: {part: PartSum() for part in PARTS})

    @property
    def accuracy(self) -> float | None:
        """Accuracy in percent, 0 to 100; None without decisions."""
        return accuracy(self.losses)

    @property
    def points(self) -> float:
        """Total points lost."""
        return sum(part.points for part in self.parts.values())

    @property
    def chance(self) -> float:
        """Total loss of chance to win; a sum over decisions, so it may exceed 1."""
        return sum(part.chance for part in self.parts.values())

    def add(self, one: Judgement) -> None:
        """Add a decision of this seat."""
        if one.forced:
            self.forced += 1
            return
        self.losses.append(0.0 if one.verdict == "close" else one.loss)
        self.verdicts[one.verdict] += 1
        part = self.parts[one.part]
        part.decisions += 1
        part.points += one.points_lost
        part.chance += one.chance_lost


def summaries(judged: Iterable[Judgement], seats: int) -> tuple[Summary, ...]:
    """Return the summary of each seat."""
    found = tuple(Summary(seat) for seat in range(seats))
    for one in judged:
        found[one.seat].add(one)
    return found
