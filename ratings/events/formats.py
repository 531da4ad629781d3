"""Tournament formats: how each one pairs, deals and scores. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TieBreak(StrEnum):
    """A number that orders players; higher is better."""

    MATCHPOINTS = "matchpoints"
    POINTS = "points"
    WON = "won"
    SPREAD = "spread"
    OPPONENTS = "opponents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one format.

    Attributes:
        order: what decides places, most important first; the page names them in this order.
        least: the number of players that it needs.
        target: points that win a game.
        duplicate: whether all tables of a round play the same cards.
        computer_fills: whether a computer takes an empty place; otherwise the player has a bye.
        bracket: whether losers are out, from the first round on or after the other rounds.
        chosen_rounds: whether the organiser chooses the number of rounds before a bracket.
        seats: the numbers of seats that a table may have.
    """

    order: tuple[TieBreak, ...]
    least: int = 2
    target: int = 121
    duplicate: bool = False
    computer_fills: bool = False
    bracket: bool = False
    chosen_rounds: bool = False
    seats: tuple[int, ...] = (2,)


_BY_POINTS = (TieBreak.POINTS, TieBreak.WON, TieBreak.SPREAD)

RULES = {
    "swiss": Rules(
        order=(TieBreak.MATCHPOINTS, TieBreak.WON, TieBreak.SPREAD, TieBreak.OPPONENTS),
        duplicate=True,
        computer_fills=True,
        chosen_rounds=True,
        seats=(2, 3),
    ),
    "qualifying": Rules(order=_BY_POINTS, least=4, bracket=True, chosen_rounds=True),
    "knockout": Rules(order=_BY_POINTS, bracket=True),
    "robin": Rules(order=_BY_POINTS, least=3),
    "arena": Rules(order=_BY_POINTS, target=61, seats=(2, 3)),
    "teams": Rules(
        order=(TieBreak.SPREAD,), least=4, duplicate=True, computer_fills=True, chosen_rounds=True
    ),
}
"""The rules of each `Event.Format`."""

TEAM_PLAYERS = 4
"""Players of a match between two teams."""

QUALIFY_SHARE = 4
"""One in this many players goes on to the playoff, rounded up, but at least two."""


def qualifiers(players: int) -> int:
    """Return how many players go on to the playoff."""
    return min(players, max(2, -(-players // QUALIFY_SHARE)))
