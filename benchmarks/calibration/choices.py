"""One choice in the experiment: what is said that it loses, and what another one gains."""

from __future__ import annotations

from dataclasses import dataclass

from games.analysis.review_verdicts import FROM


@dataclass(slots=True)
class Loss:
    """The loss of a choice by the analysis: points and chance lost to the best choice.

    `best` is the best choice: a rank, or the number of a throw. `second` is the loss of chance by
    the second line of analysis; throws have none, so it is that of the first.
    """

    best: int
    points: float
    chance: float
    second: float = 0.0

    @property
    def close(self) -> bool:
        """Whether a review calls the choice close: the second line denies an inaccuracy."""
        return self.chance >= FROM["inaccuracy"] > self.second

    @property
    def reviewed(self) -> tuple[float, float]:
        """Points and chance lost as reviews sum them up: nothing if best."""
        return (self.points, self.chance) if self.chance >= FROM["fine"] else (0.0, 0.0)


@dataclass(slots=True)
class Choice:
    """One choice of a style, with ``held`` cards in the hand.

    Attributes:
        loss: what is said of it.
        plain: points and chance that the analysis's choice gains, in the real world.
        seen: the same, averaged over so many `worlds`.
    """

    part: str
    held: int
    loss: Loss
    plain: tuple[float, float] = (0.0, 0.0)
    seen: tuple[float, float] = (0.0, 0.0)
    worlds: int = 0
