r"""Types of message fields, with their bounds and meanings.

Each is an annotated built-in type; msgspec checks the bounds, and the schemas show them. Patterns
are Python's and end with ``\Z``, since ``$`` would allow a trailing newline.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from games.engine.cards import RANKS, SUITS, parse_card

MAX_SEATS = 3
MAX_GAMES = 9


def named(name: str, about: str) -> Meta:
    """Return the annotation for a type that has its own name in the schemas."""
    return Meta(title=name, description=about)


# --- what both sides send

Ident = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9-]{1,40}\Z",
        description="The client's id for its request, which the answer repeats.",
    ),
]
Card = Annotated[str, named("Card", 'A rank and a suit: "5H", "TD".')]
CardIn = Annotated[
    str,
    Meta(
        title="Card",
        description='A rank and a suit: "5H", "TD"; "10d" is read as "TD".',
        # Only for the schemas: looking names up in CARDS is faster than a pattern.
        extra_json_schema={"pattern": r"^(?:10|[A2-9TJQKatjqk])[CDHScdhs]$"},
    ),
]
CARDS: Mapping[str, int] = {
    rank + suit: parse_card(rank + suit)
    for rank in (*RANKS, "a", "t", "j", "q", "k", "10")
    for suit in SUITS + SUITS.lower()
}
"""Each name that clients may send for a card -> the card."""
Seat = Annotated[
    int, Meta(ge=0, le=MAX_SEATS - 1, title="Seat", description="The number of a seat, from 0.")
]
Points = Annotated[int, Meta(ge=0, le=99, description="Points claimed.")]
Game = Annotated[int, Meta(ge=1, le=MAX_GAMES, description="The number of a game, from 1.")]
Version = Annotated[
    int, Meta(ge=0, le=1_000_000, description="The number of entries in the match's log.")
]
PublicId = Annotated[
    str, Meta(pattern=r"^[a-z0-9]{1,10}\Z", description="The public id of a match or a player.")
]

# --- what clients send

LevelName = Annotated[
    str, Meta(pattern=r"^[a-z0-9_-]{1,40}\Z", description="The name of a computer player.")
]
PhraseName = Annotated[str, Meta(pattern=r"^[a-z_]{1,16}\Z", description="The name of a phrase.")]
InviteKey = Annotated[
    str,
    Meta(pattern=r"^[a-z0-9]{0,20}\Z", description="The key of an invitation or of a match."),
]
Token = Annotated[str, Meta(min_length=1, max_length=100, description="The program's token.")]

# --- what the server sends

Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(description="Seconds since 1970, by the server's clock.")]
Moment = Annotated[str, Meta(description="An ISO 8601 date and time.")]

Phase = Annotated[
    Literal["cut", "deal", "discard", "starter", "play", "show", "over"],
    named("Phase", "What the match is waiting for."),
]
Action = Annotated[
    Literal["discard", "play", "claim", "answer", "wait", "over"],
    named("Action", "What a seat has to do."),
]
Item = Annotated[Literal["hand", "crib"], named("Item", "What is being counted in the show.")]
AnyItem = Annotated[
    Literal["play", "hand", "crib"], named("AnyItem", "What points were claimed for.")
]
PartKind = Annotated[
    Literal[
        "fifteen",
        "thirty_one",
        "pair",
        "pair_royal",
        "double_pair_royal",
        "run",
        "flush",
        "nobs",
    ],
    named("PartKind", "A kind of scoring combination."),
]
PlayerKind = Annotated[
    Literal["person", "guest", "computer", "deleted"], named("PlayerKind", "The kind of player.")
]
