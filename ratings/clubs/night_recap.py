"""The recap of a club night: who won, the biggest win, and who did best against the field. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.clubs.night_standings import Line, Result


@dataclass(frozen=True, slots=True)
class Recap:
    """What the recap of a finished night says.

    Attributes:
        winners: everyone in first place.
        biggest: the player and the result of the win by the most points; None without games.
        sharpest: the line furthest above the field; None without a comparison.
        skunks: number of skunks of the night.
    """

    winners: tuple[Line, ...]
    biggest: tuple[Line, Result] | None
    sharpest: Line | None
    skunks: int


def recap_of(lines: Sequence[Line]) -> Recap | None:
    """Return the recap of the standings of a night that is over; None if no one played."""
    played = [line for line in lines if line.total.played]
    if not played:
        return None
    results = [(line, result) for line in played for result in line.results if result is not None]
    compared = [line for line in played if line.above is not None]
    return Recap(
        winners=tuple(line for line in played if line.place == 1),
        biggest=max(results, key=lambda pair: pair[1].score.spread, default=None),
        sharpest=max(compared, key=lambda line: line.above or 0.0, default=None),
        skunks=sum(line.total.skunks for line in played),
    )
