"""Commands: the messages that clients send, one class for each type.

A class has the fields of the message's data ``d``, and its `id`. The docstring is the message's
description in docs/protocol.md.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from games.engine.moves import Claim, Decision, Discard, Muggins, Pass, Play, Resign
from games.wire.fields import (
    CARDS,
    CardIn,
    Game,
    Ident,
    InviteKey,
    LevelName,
    PhraseName,
    Points,
    PublicId,
    Seat,
    Token,
    Version,
)


def check_cards(names: list[str]) -> None:
    """Check that these are names of cards.

    Raises:
        ValueError: if one is not; the message is then refused.
    """
    for name in names:
        if name not in CARDS:
            raise ValueError(f"no such card: {name[:20]!r}")


class Request(Struct, frozen=True, kw_only=True, gc=False):
    """A request: it has an id, which the answer repeats."""

    id: Ident


class Hello(Struct, frozen=True, gc=False):
    """The first message, sent again after a gap: answered by a `view` or `steps`."""

    version: Annotated[
        Version | None, Meta(description="The last known version; null for none.")
    ] = field(name="v", default=None)
    id: Ident = ""


class Ping(Struct, frozen=True, gc=False):
    """Answered by a `pong`."""

    id: Ident = ""


class Act(Request, frozen=True, gc=False):
    """A move; the seat comes from the connection, not from the message."""

    def make(self, seat: int) -> Decision:
        """Return the move, made by ``seat``."""
        raise NotImplementedError


class DiscardCards(Act, frozen=True, gc=False):
    """Discard two cards, or one with three seats."""

    cards: Annotated[list[CardIn], Meta(min_length=1, max_length=2)]

    def __post_init__(self) -> None:
        check_cards(self.cards)

    def make(self, seat: int) -> Decision:
        """Return the move, made by ``seat``."""
        return Discard(seat, tuple([CARDS[card] for card in self.cards]))


class PlayCard(Act, frozen=True, gc=False):
    """Play a card; with manual counting, `claim` is the points that it scores."""

    card: CardIn
    claim: Points | None = None

    def __post_init__(self) -> None:
        if self.card not in CARDS:
            check_cards([self.card])

    def make(self, seat: int) -> Decision:
        """Return the move, made by ``seat``."""
        return Play(seat, CARDS[self.card], self.claim)


class ClaimPoints(Act, frozen=True, gc=False):
    """With manual counting: claim points for the hand or crib being counted."""

    points: Points

    def make(self, seat: int) -> Decision:
        """Return the move, made by ``seat``."""
        return Claim(seat, self.points)


class CallMuggins(Act, frozen=True, gc=False):
    """Call muggins: take points that the last claim missed."""

    points: Points

    def make(self, seat: int) -> Decision:
        """Return the move, made by ``seat``."""
        return Muggins(seat, self.points)


class PassClaim(Act, frozen=True, gc=False):
    """Accept the claim."""

    def make(self, seat: int) -> Decision:
        """Return the move, made by ``seat``."""
        return Pass(seat)


class GiveUp(Act, frozen=True, gc=False):
    """Resign the match (two seats only)."""

    def make(self, seat: int) -> Decision:
        """Return the move, made by ``seat``."""
        return Resign(seat)


class Rematch(Request, frozen=True, gc=False):
    """Ask to play again after the match; it is created when all remaining people agree."""

    swap: Annotated[
        bool, Meta(description="Whether to repeat the same deals with the seats swapped.")
    ] = False


class Offer(Request, frozen=True, gc=False):
    """An action for an absent, idle or late player, refused if the match has moved on since."""

    seat: Seat
    version: Annotated[Version, Meta(description="The version for which it was offered.")] = field(
        name="v"
    )


class StandIn(Offer, frozen=True, gc=False):
    """Let a computer play for an absent, idle or late player, when offered."""


class ClaimWin(Offer, frozen=True, gc=False):
    """Claim the win from an absent, idle or late player, when offered (two seats only)."""


class Return(Request, frozen=True, gc=False):
    """Take your seat back from the computer; connecting does this too."""


class See(Request, frozen=True, gc=False):
    """Your open table, or the end by correspondence, is in view: back in the lobby; no notice."""


class Leave(Request, frozen=True, gc=False):
    """Leave: free the seat, close your own table or, with three seats, let a computer play on."""


class Fill(Request, frozen=True, gc=False):
    """Give an empty seat to a computer (the creator, while the match is waiting)."""

    seat: Seat
    level: LevelName


class AskHint(Request, frozen=True, gc=False):
    """Ask what the strongest computer would discard or play (on your turn)."""


class AskHistory(Request, frozen=True, gc=False):
    """Ask for the events of an earlier game of the match; watchers may ask too."""

    game: Game


class Say(Request, frozen=True, gc=False):
    """Write to the others at the table: either a `phrase` or a `text`."""

    phrase: PhraseName | None = None
    text: str | None = None

    def __post_init__(self) -> None:
        if (self.phrase is None) == (self.text is None):
            raise ValueError("expected either phrase (its name) or text")


class SwitchChat(Request, frozen=True, gc=False):
    """Switch chat on or off for yourself, at all tables and permanently."""

    on: bool


class MuteSeat(Request, frozen=True, gc=False):
    """Mute or unmute this player's chat, here and at later tables."""

    seat: Seat
    on: bool


class BlockSeat(Request, frozen=True, gc=False):
    """Block a player: no chat, friend requests, invitations or ranked games (with an account)."""

    seat: Seat


class AskFriends(Request, frozen=True, gc=False):
    """Ask which friends are online and can be invited (the creator, while waiting)."""


class Invite(Request, frozen=True, gc=False):
    """Invite a friend to this table (the creator, while waiting)."""

    player: PublicId


class TurnDown(Request, frozen=True, gc=False):
    """Decline a friend's invitation to their table."""

    match: PublicId


SocialCommand = Say | SwitchChat | MuteSeat | BlockSeat | AskFriends | Invite
"""Commands about the people at a table rather than the game."""

Command = (
    Hello | Ping | Act | Rematch | StandIn | ClaimWin | Return | See | Leave | Fill
    | AskHint | AskHistory | SocialCommand | TurnDown
)  # fmt: skip


# --- programs


class ShowToken(Struct, frozen=True, gc=False):
    """Authenticate the program, unless the request's header did."""

    token: Token
    id: str = ""


class Join(Struct, frozen=True, gc=False):
    """Take a seat by an `invite`, or return to the program's seat in the `match` with this id."""

    invite: InviteKey | None = ""
    match: InviteKey | None = ""
    id: str = ""

    def __post_init__(self) -> None:
        if bool(self.invite) == bool(self.match):
            raise ValueError("expected either invite or match")


class AnswerDiscard(Struct, frozen=True, gc=False):
    """The cards to discard, in answer to `discard`."""

    cards: Annotated[list[CardIn], Meta(min_length=1, max_length=2)]

    def __post_init__(self) -> None:
        check_cards(self.cards)


class AnswerPlay(Struct, frozen=True, gc=False):
    """The card to play, in answer to `play`."""

    card: CardIn

    def __post_init__(self) -> None:
        check_cards([self.card])
