"""Events: the public facts that a move causes.

Whoever sits at the table or watches may see every event; none carries a card that was not turned
up for all. ``scores`` are the scores of all seats after the event, in points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from games.engine.cards import Card
from games.engine.scoring import Part, score_hand

_breakdown = lru_cache(maxsize=1024)(score_hand)

Item = Literal["play", "hand", "crib"]
"""What is being claimed or counted: a card's points in the play, a hand, or the crib."""


@dataclass(frozen=True, slots=True)
class CutForDeal:
    """Cards were cut for the deal; ``dealer`` is None when the lowest rank was shared."""

    cards: tuple[Card | None, ...]
    dealer: int | None


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand was dealt: which game of the match, which hand of the game (both from 1)."""

    game: int
    hand: int
    dealer: int


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat laid ``number`` cards away, face down."""

    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class StarterCut:
    """The starter was turned up."""

    card: Card


@dataclass(frozen=True, slots=True)
class Heels:
    """His heels: the starter is a jack, two points to the dealer."""

    seat: int
    points: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A card was played.

    ``count`` is the count after it, ``points`` what it was given. With manual counting ``claimed``
    is what the seat claimed; with muggins ``parts`` stays empty, since it would tell what is left.
    """

    seat: int
    card: Card
    count: int
    points: int
    parts: tuple[Part, ...]
    claimed: int | None
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Go:
    """A seat has cards, but none that it can play: it is passed over until the reset."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class CountEnded:
    """The count goes back to 0. One point to ``seat`` for go or last card, none at thirty-one."""

    seat: int
    reason: Literal["go", "last_card", "thirty_one"]
    points: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """A hand or the crib was counted: ``points`` given, of ``total`` that it is worth.

    With manual counting ``claimed`` is what the seat claimed; with muggins ``total`` is None and
    ``parts`` empty, since they would tell what is left.
    """

    seat: int
    item: Item
    cards: tuple[Card, ...]
    points: int
    total: int | None
    starter: Card
    claimed: int | None
    scores: tuple[int, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The combinations that make up the total; not stored, they were a third of a match."""
        if self.total is None:
            return ()
        return _breakdown(self.cards, self.starter, self.item == "crib").parts


@dataclass(frozen=True, slots=True)
class Mugged:
    """``seat`` took points that ``victim`` had missed (0 when nothing had been missed)."""

    seat: int
    victim: int
    item: Item
    points: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Missed:
    """Points of ``seat`` that nobody took: told once nobody can take them any more."""

    seat: int
    item: Item
    points: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat gave the match up."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameWon:
    """A game ended; ``points`` are match points, ``skunks`` per seat 0, 1 or 2 (double)."""

    game: int
    winner: int
    scores: tuple[int, ...]
    skunks: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match ended; ``winner`` is None when match points are level."""

    winner: int | None
    match_points: tuple[int, ...]


Event = (
    CutForDeal
    | Dealt
    | Discarded
    | StarterCut
    | Heels
    | Played
    | Go
    | CountEnded
    | Counted
    | Mugged
    | Missed
    | Resigned
    | GameWon
    | MatchOver
)
