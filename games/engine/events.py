"""Events: the public facts that a move causes.

Players and watchers may see every event; none carries a card that is still face down. ``scores``
are the scores of all seats after the event, in points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from games.engine.cards import Card
from games.engine.scoring import Part, score_hand

_breakdown = lru_cache(maxsize=1024)(score_hand)

Item = Literal["play", "hand", "crib"]
"""The thing claimed or counted: a card played, a hand, or the crib."""


@dataclass(frozen=True, slots=True)
class CutForDeal:
    """Cards were cut for the deal; ``dealer`` is None after a tie for the lowest rank."""

    cards: tuple[Card | None, ...]
    dealer: int | None


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand was dealt; ``game`` and ``hand`` are its game number and hand number, from 1."""

    game: int
    hand: int
    dealer: int


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat discarded ``number`` cards, face down."""

    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class StarterCut:
    """The starter was turned up."""

    card: Card


@dataclass(frozen=True, slots=True)
class Heels:
    """His heels: the starter is a jack, which scores two points for the dealer."""

    seat: int
    points: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A card was played.

    ``count`` is the count after it, ``points`` the points pegged. With manual counting ``claimed``
    is the seat's claim; with muggins ``parts`` is empty, since it would reveal missed points.
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
    """A seat has cards but can play none of them; it is skipped until the count is reset."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class CountEnded:
    """The count returns to 0. ``seat`` gets 1 point for go or last card, 0 at thirty-one."""

    seat: int
    reason: Literal["go", "last_card", "thirty_one"]
    points: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """A hand or the crib was counted: ``points`` were pegged of the ``total`` it is worth.

    With manual counting ``claimed`` is the seat's claim; with muggins ``total`` is None and
    ``parts`` is empty, since they would reveal missed points.
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
        """The scoring combinations; computed, as storing them took a third of a match's memory."""
        if self.total is None:
            return ()
        return _breakdown(self.cards, self.starter, self.item == "crib").parts


@dataclass(frozen=True, slots=True)
class Mugged:
    """``seat`` took points that ``victim`` had missed (0 if the claim was complete)."""

    seat: int
    victim: int
    item: Item
    points: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Missed:
    """Points that ``seat`` missed and no opponent took; sent once the claim is closed."""

    seat: int
    item: Item
    points: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat resigned the match."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameWon:
    """A game ended; ``points`` are match points, ``skunks`` is 0, 1 or 2 (double) per seat."""

    game: int
    winner: int
    scores: tuple[int, ...]
    skunks: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match ended; ``winner`` is None if the match points are tied."""

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
