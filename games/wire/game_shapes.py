"""The objects in messages that describe a game: rules, events and views."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from games.wire.fields import (
    MAX_GAMES,
    Action,
    AnyItem,
    Card,
    Count,
    Item,
    PartKind,
    Phase,
    Seat,
)


class Shape(Struct, frozen=True, forbid_unknown_fields=True):
    """An object within a message."""


class Ruleset(Shape, frozen=True):
    """The rules of a match."""

    players: Literal[2, 3]
    target: Literal[61, 121]
    counting: Literal["auto", "manual"]
    muggins: bool
    games: Annotated[int, Meta(ge=1, le=MAX_GAMES)]
    skunks: bool
    double_skunk: Annotated[int, Meta(description="Match points of a double skunk.")]
    first_dealer: Seat | None


class Legal(Shape, frozen=True):
    """The actions open to the recipient now."""

    action: Action
    cards: Annotated[list[Card], Meta(description="The cards that may be discarded or played.")]
    number: Annotated[int, Meta(description="How many cards to discard.")]
    claims: Annotated[bool, Meta(description="Whether playing a card needs a claim of its points.")]
    muggins: Annotated[bool, Meta(description="Whether muggins may be called on the last claim.")]


class GameResult(Shape, frozen=True):
    """The result of a game."""

    winner: Seat
    scores: list[Count]
    skunks: list[Count]
    points: Annotated[int, Meta(description="Match points for the winner.")]


class Part(Shape, frozen=True):
    """A scoring combination."""

    kind: PartKind
    cards: list[Card]
    points: Count


# --- events


class CutEvent(Shape, tag_field="e", tag="cut", frozen=True):
    """The cut for deal; `dealer` is null if the lowest cards tied and the tied seats cut again."""

    cards: list[Card | None]
    dealer: Seat | None


class DealtEvent(Shape, tag_field="e", tag="dealt", frozen=True):
    """A hand was dealt."""

    game: Count
    hand: Count
    dealer: Seat


class DiscardedEvent(Shape, tag_field="e", tag="discarded", frozen=True):
    """A seat discarded this number of cards."""

    seat: Seat
    number: Count


class StarterEvent(Shape, tag_field="e", tag="starter", frozen=True):
    """The starter was turned up."""

    card: Card


class HeelsEvent(Shape, tag_field="e", tag="heels", frozen=True):
    """His heels: the starter is a jack, and the dealer scores."""

    seat: Seat
    points: Count
    scores: list[Count]


class PlayedEvent(Shape, tag_field="e", tag="played", frozen=True):
    """A card was played."""

    seat: Seat
    card: Card
    count: Count
    points: Count
    parts: list[Part]
    claimed: Count | None
    scores: list[Count]


class GoEvent(Shape, tag_field="e", tag="go", frozen=True):
    """A seat called go: it could play no card."""

    seat: Seat
    count: Count


class CountEndedEvent(Shape, tag_field="e", tag="count_ended", frozen=True):
    """A count ended, with a point for a go or the last card unless it reached 31."""

    seat: Seat
    reason: Literal["go", "last_card", "thirty_one"]
    points: Count
    scores: list[Count]


class CountedEvent(Shape, tag_field="e", tag="counted", frozen=True):
    """A hand or crib was counted."""

    seat: Seat
    item: AnyItem
    cards: list[Card]
    points: Count
    total: Count | None
    parts: list[Part]
    claimed: Count | None
    scores: list[Count]


class MuggedEvent(Shape, tag_field="e", tag="mugged", frozen=True):
    """A seat called muggins and took points that another had missed."""

    seat: Seat
    victim: Seat
    item: AnyItem
    points: Count
    scores: list[Count]


class MissedEvent(Shape, tag_field="e", tag="missed", frozen=True):
    """A claim missed points."""

    seat: Seat
    item: AnyItem
    points: Count


class ResignedEvent(Shape, tag_field="e", tag="resigned", frozen=True):
    """A seat resigned the match."""

    seat: Seat


class GameWonEvent(Shape, tag_field="e", tag="game_won", frozen=True):
    """A seat won a game."""

    game: Count
    winner: Seat
    scores: list[Count]
    skunks: list[Count]
    points: Count


class MatchOverEvent(Shape, tag_field="e", tag="match_over", frozen=True):
    """The match is over; `winner` is null for a draw."""

    winner: Seat | None
    match_points: list[Count]


GameEvent = (
    CutEvent | DealtEvent | DiscardedEvent | StarterEvent | HeelsEvent | PlayedEvent | GoEvent
    | CountEndedEvent | CountedEvent | MuggedEvent | MissedEvent | ResignedEvent | GameWonEvent
    | MatchOverEvent
)  # fmt: skip
"""Something that happened at the table; all events are public."""


# --- views


class Counting(Shape, frozen=True):
    """The hand or crib being counted (manual counting)."""

    seat: Seat
    item: Item
    cards: list[Card]


class OpenClaim(Shape, frozen=True):
    """The last claim, and the seats that still have to answer it (muggins)."""

    seat: Seat
    item: AnyItem
    asked: list[Seat]


class SeatView(Shape, frozen=True):
    """The part of a match that a seat, or a watcher (`seat` null), may see."""

    v: Annotated[int, Meta(description="The version: the number of entries in the log.")]
    phase: Phase
    game: Count
    hand: Count
    dealer: Seat | None
    pone: Seat | None
    scores: list[Count]
    trailing: Annotated[list[Count], Meta(description="The hole of each back peg.")]
    match_points: list[Count]
    results: list[GameResult]
    winner: Seat | None
    resigned: Seat | None
    cuts: list[list[Card | None]]
    hand_sizes: list[Count]
    discarded: list[bool]
    crib_size: Count
    starter: Card | None
    pile: Annotated[list[tuple[Seat, Card]], Meta(description="The cards of the current count.")]
    count: Count
    played: Annotated[list[list[Card]], Meta(description="All cards played in this hand, by seat.")]
    gos: list[bool]
    waiting: list[Seat]
    counting: Counting | None
    claim: OpenClaim | None
    seat: Seat | None
    cards: Annotated[list[Card], Meta(description="The cards that the recipient still holds.")]
    dealt: Annotated[list[Card], Meta(description="The recipient's cards, as dealt.")]
    thrown: Annotated[list[Card], Meta(description="The recipient's discards.")]
    legal: Legal


class ProgramView(SeatView, frozen=True):
    """A view with the events of the game, as sent to programs."""

    events: Annotated[list[GameEvent], Meta(description="The events of this hand.")]
    history: Annotated[
        list[list[GameEvent]], Meta(description="The events of each earlier hand of this game.")
    ]


class WholeView(ProgramView, frozen=True):
    """All that this seat may know of the game in progress; also sent after an illegal move."""

    ruleset: Ruleset
