"""The messages that the server sends, one class for each type, and the objects within them.

A class has the fields of the message's data ``d``; all are always present. The docstring is the
message's description in docs/protocol.md. The server does not build its messages from these
classes; tests check every message against them.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from games.wire.fields import Card, Count, Moment, PlayerKind, Seat, Seconds
from games.wire.game_shapes import GameEvent, Ruleset, SeatView, Shape


class Steps(Shape, frozen=True, rename={"from_": "from"}):
    """The events since a version, one list for each move, and the view after them."""

    from_: int
    v: int
    events: list[list[GameEvent]]
    view: SeatView


class History(Shape, frozen=True):
    """Answers `history`: the events of an earlier game of the match, starting with its cut."""

    game: Count
    events: list[GameEvent]


# --- the table


class TableSeat(Shape, frozen=True):
    """A seat and its player; an empty seat has only `seat`, and null as its `name`.

    In an imported game, a player without an account here has only `seat` and `name`.
    """

    seat: Seat
    name: str | None
    kind: PlayerKind | UnsetType = UNSET
    player: str | UnsetType = UNSET
    online: bool | UnsetType = UNSET
    stand_in: Annotated[
        str | UnsetType | None, Meta(description="The computer that substitutes for the player.")
    ] = UNSET
    left: Annotated[
        Literal["left", "timed_out"] | UnsetType | None,
        Meta(description="How the player lost the seat for good, in a ranked match."),
    ] = UNSET
    owner: Annotated[
        str | UnsetType | None, Meta(description="The person who owns this program.")
    ] = UNSET
    preparing: Annotated[
        bool | UnsetType,
        Meta(description="Whether this computer is still being compiled for its first move."),
    ] = UNSET


class AbsentPlayer(Shape, frozen=True):
    """A player who has to act but is not connected, or has not acted for long."""

    seat: Seat
    v: Annotated[int, Meta(description="The version that waits for them; requests repeat it.")]
    since: Annotated[int, Meta(description="Seconds since they left, or had to act.")]
    can_stand_in: bool
    can_claim: bool
    offer_in: Annotated[int | None, Meta(description="Seconds until the others may act.")]


class RematchOffer(Shape, frozen=True):
    """The seats that want to play again."""

    wanted: list[Seat]
    swapped: Annotated[list[Seat], Meta(description="With the same deals and the seats swapped.")]
    can_swap: bool
    offered: Annotated[
        bool, Meta(description="Whether there can be a rematch: not after a standard game.")
    ]
    possible: Annotated[
        bool,
        Meta(
            description="Whether all players could agree: none is banned or deleted, and they"
            " played here."
        ),
    ]
    stalled: Annotated[
        bool,
        Meta(description="Whether the rematch that all want couldn't start; any can ask again."),
    ]
    match: Annotated[
        str | None,
        Meta(description="The next match, once it is created, if the recipient may see it."),
    ]


class Duplicate(Shape, frozen=True):
    """The match whose deals are repeated with the seats swapped."""

    match: str
    scores: list[Count]


class Table(Shape, frozen=True):
    """The seats, who is connected, and what is offered; sent whenever that changes."""

    match: str
    status: Literal["waiting", "playing", "finished", "abandoned"]
    seats: list[TableSeat]
    creator: Annotated[bool, Meta(description="Whether the recipient created the match.")]
    you: Seat | None
    watchers: Count
    hints: bool
    claimed: Annotated[
        Literal["absent", "idle", "late"] | None,
        Meta(description="Why the win was claimed from a player; null if it was not."),
    ]
    invite: str | None
    rematch: RematchOffer
    duplicate: Duplicate | None
    absent: list[AbsentPlayer]
    idle: Annotated[
        list[AbsentPlayer],
        Meta(description="Connected players who have not acted for long, the recipient included."),
    ]


class Returned(Shape, frozen=True):
    """A computer had the recipient's seat while they were away; they have it back."""

    computer: Annotated[str, Meta(description="Its name.")]


class Clock(Shape, frozen=True):
    """The time limit of the current decision in a match with a clock."""

    v: int
    seats: list[Seat]
    limit: Annotated[int, Meta(description="Seconds for each decision.")]
    until: Seconds
    now: Seconds


class DueSeat(Shape, frozen=True):
    """A seat that has to decide in a correspondence match, and its deadline."""

    seat: Seat
    until: Seconds
    late: Annotated[bool, Meta(description="Whether the deadline has passed.")]
    away: Annotated[
        Seconds | None,
        Meta(
            description="When its player's days off end; null if they are there, and to watchers."
        ),
    ]


class Due(Shape, frozen=True):
    """The time limits of the current decision in a correspondence match."""

    v: int
    days: Annotated[int, Meta(description="Days for each decision.")]
    seats: list[DueSeat]


class Ok(Shape, frozen=True):
    """The request with this `id` was accepted; `v` is the version after it."""

    v: int


class Hint(Shape, frozen=True):
    """Answers `hint`; sent only to the player who asked."""

    v: int
    action: Literal["discard", "play"]
    cards: list[Card]
    advice: str
    reasons: list[str]


# --- the chat


class ChatLine(Shape, frozen=True):
    """One new line of the chat: a phrase, by its name, or a text."""

    n: Annotated[int, Meta(description="A number that increases with each line.")]
    seat: Seat | None
    name: str
    own: bool
    phrase: str | None
    text: str | None
    at: Moment


class Barred(Shape, frozen=True):
    """A moderator has muted the recipient."""

    until: Moment
    reason: str


class Chat(Shape, frozen=True):
    """The chat as a seat may see it; sent on joining, and when more than a line has changed."""

    mode: Literal["free", "phrases", "none"]
    on: bool
    silent: list[Seat]
    muted: list[Seat]
    blocked: list[Seat]
    barred: Barred | None
    lines: list[ChatLine]


class OnlineFriend(Shape, frozen=True):
    """A friend who is online and can be invited."""

    player: str
    name: str
    asked: bool
    declined: bool


class Friends(Shape, frozen=True):
    """Answers `friends`: those online, whether `asked` before, and whether they `declined`."""

    friends: list[OnlineFriend]


# --- any socket


class Refusal(Shape, frozen=True):
    """A refusal, with the `id` of the request that it answers, if any."""

    code: str
    message: Annotated[str, Meta(description="A sentence for people.")]


class Bye(Shape, frozen=True):
    """The server is closing the connection."""

    code: str
    message: Annotated[str, Meta(description="A sentence for people.")]
    retry: Annotated[int | UnsetType, Meta(description="Seconds after which to try again.")] = UNSET


class Pong(Shape, frozen=True):
    """Answers `ping`."""


# --- the lobby


class LobbyTable(Shape, frozen=True):
    """A table in the lobby's list."""

    match: str
    creator: str
    players: Literal[2, 3]
    free: Annotated[int, Meta(description="The number of empty seats.")]
    target: Literal[61, 121]
    counting: Literal["auto", "manual"]
    muggins: bool
    games: Count
    join: Annotated[str, Meta(description="The address for taking a seat.")]
    created: Moment


class Lobby(Shape, frozen=True):
    """The open tables; `online` is the number of sockets at tables."""

    tables: list[LobbyTable]
    online: Count


class Invitation(Shape, frozen=True):
    """A friend's invitation to a table."""

    match: str
    by: str
    join: Annotated[str, Meta(description="The address for taking a seat.")]
    left: Annotated[int, Meta(description="Seconds until it expires.")]


class Asked(Shape, frozen=True):
    """The player's invitations to friends' tables; sent on connecting, and when they change."""

    tables: list[Invitation]


# --- programs


class Ready(Shape, frozen=True):
    """The token was accepted; `seconds` is the time for each decision."""

    name: str
    owner: str
    seconds: Annotated[float, Meta(description="Seconds for each decision.")]


class ProgramSeat(Shape, frozen=True):
    """A seat at a program's table."""

    name: str | None
    kind: PlayerKind | None


class Joined(Shape, frozen=True):
    """The program has a seat; also sent for a rematch, to which it agrees automatically."""

    match: str
    seat: Seat
    ruleset: Ruleset
    seats: list[ProgramSeat]
