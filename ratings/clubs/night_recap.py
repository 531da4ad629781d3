"""The recap of a club night: who won, the biggest win, and who did best against the field. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.clubs.night_standings import Line, Result


@dataclass(frozen=True, slots=True)
class Recap:
    """The recap of a finished night.

    Attributes:
        winners: everyone in first place.
        biggest: the player and the result of the win by the most points; None if no one won a game
            on points. A win because the opponent left counts only if the winner was ahead.
        sharpest: the line furthest above the field, of those who finished all their games, as the
            computer made the points of the others; None if no one was above it.
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
    wins = [pair for pair in results if pair[1].score.won and pair[1].score.spread > 0]
    gone = {line.entrant.pk for line, result in results if result.left}
    above = [line for line in played if round(line.above or 0.0, 1) > 0]
    compared = [line for line in above if line.entrant.pk not in gone]
    return Recap(
        winners=tuple(line for line in played if line.place == 1),
        biggest=max(wins, key=lambda pair: pair[1].score.spread, default=None),
        sharpest=max(compared, key=lambda line: line.above or 0.0, default=None),
        skunks=sum(line.total.skunks for line in played),
    )
