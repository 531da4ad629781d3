"""The contract of the websockets: every message, its fields, its socket and its maximum size.

`MESSAGES` and `PROGRAM_MESSAGES` are the source for the parsers (`games.wire.protocol` and
`games.sockets.program_protocol`), the AsyncAPI document (`games.wire.asyncapi`), the tables of
docs/protocol.md and the browser's types (`scripts.protocol`), and the tests of what is sent.

Why msgspec rather than pydantic or dataclasses: parsing a move takes 0.9 of the time of the
hand-written parser that it replaced, it converts what orjson has parsed, so that the same input is
refused, and it generates JSON schemas. Pydantic took a quarter longer for the same fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from games.wire import commands as c
from games.wire import game_shapes as g
from games.wire import server_messages as s

MAX_FRAME = 4096
"""Maximum bytes of a message from a client; a longer one is refused unread."""

Socket = Literal["table", "lobby", "both", "program"]

Fields = type[Struct]
"""A class with the fields of a message's data."""

KB = 1024
GAME = 1024 * KB
"""Maximum bytes of a message with the events of a whole game.

If the server counts, a game of three takes at most 64 KiB. With manual counting, three people who
never claim a point play on for about a hundred hands; the longest such game took 0.9 MiB.
"""


@dataclass(frozen=True, slots=True)
class Message:
    """One type of message.

    Attributes:
        type: its name, the value of ``t``.
        socket: where it is sent: at a table, in the lobby, at both, or to and from programs.
        sender: who sends it.
        data: its fields.
        budget: its maximum bytes, even in the longest possible match.
        id: whether it has the id of a request: always, sometimes or never.
        body: the key that holds its fields; "" if they are at the top level.
    """

    type: str
    socket: Socket
    sender: Literal["client", "server"]
    data: Fields
    budget: int
    id: Literal["always", "sometimes", "never"] = "never"
    body: Literal["d", "view", ""] = "d"

    @property
    def about(self) -> str:
        """Its description: the docstring of the class of its fields."""
        return " ".join((self.data.__doc__ or "").split())


def _command(kind: str, data: Fields, socket: Socket = "table") -> Message:
    asks = issubclass(data, c.Request)
    return Message(kind, socket, "client", data, MAX_FRAME, "always" if asks else "sometimes")


def _answer(kind: str, data: Fields, budget: int, ident: Literal["always", "sometimes"]) -> Message:
    return Message(kind, "table", "server", data, budget, ident)


COMMANDS: tuple[Message, ...] = (
    _command("hello", c.Hello),
    _command("ping", c.Ping, "both"),
    _command("discard", c.DiscardCards),
    _command("play", c.PlayCard),
    _command("claim", c.ClaimPoints),
    _command("muggins", c.CallMuggins),
    _command("pass", c.PassClaim),
    _command("resign", c.GiveUp),
    _command("rematch", c.Rematch),
    _command("stand_in", c.StandIn),
    _command("claim_win", c.ClaimWin),
    _command("return", c.Return),
    _command("seen", c.See),
    _command("leave", c.Leave),
    _command("fill", c.Fill),
    _command("hint", c.AskHint),
    _command("history", c.AskHistory),
    _command("say", c.Say),
    _command("chat", c.SwitchChat),
    _command("mute", c.MuteSeat),
    _command("block", c.BlockSeat),
    _command("friends", c.AskFriends),
    _command("invite", c.Invite),
    _command("turn_down", c.TurnDown, "lobby"),
)
"""The messages that clients send at a table and in the lobby."""

MESSAGES: tuple[Message, ...] = (
    *COMMANDS,
    Message("view", "table", "server", g.WholeView, GAME),
    Message("steps", "table", "server", s.Steps, 48 * KB),
    Message("table", "table", "server", s.Table, 2 * KB),
    Message("returned", "table", "server", s.Returned, 256),
    Message("clock", "table", "server", s.Clock, 256),
    Message("due", "table", "server", s.Due, 256),
    _answer("ok", s.Ok, 128, "always"),
    _answer("hint", s.Hint, 4 * KB, "always"),
    _answer("history", s.History, GAME, "always"),
    Message("chat", "table", "server", s.Chat, 64 * KB),
    Message("said", "table", "server", s.ChatLine, 2 * KB),
    _answer("friends", s.Friends, 64 * KB, "always"),
    Message("lobby", "lobby", "server", s.Lobby, 64 * KB),
    Message("asked", "lobby", "server", s.Asked, 64 * KB),
    Message("error", "both", "server", s.Refusal, 1 * KB, "sometimes"),
    Message("pong", "both", "server", s.Pong, 64),
    Message("bye", "both", "server", s.Bye, 512),
)
"""All messages at a table and in the lobby."""

PROGRAM_MESSAGES: tuple[Message, ...] = (
    Message("token", "program", "client", c.ShowToken, MAX_FRAME),
    Message("join", "program", "client", c.Join, MAX_FRAME),
    Message("ping", "program", "client", c.Ping, MAX_FRAME),
    Message("cards", "program", "client", c.AnswerDiscard, MAX_FRAME, body=""),
    Message("card", "program", "client", c.AnswerPlay, MAX_FRAME, body=""),
    Message("ready", "program", "server", s.Ready, 512),
    Message("joined", "program", "server", s.Joined, 1 * KB),
    Message("discard", "program", "server", g.ProgramView, GAME, body="view"),
    Message("play", "program", "server", g.ProgramView, GAME, body="view"),
    Message("over", "program", "server", g.ProgramView, GAME, body="view"),
    Message("error", "program", "server", s.Refusal, 1 * KB),
    Message("pong", "program", "server", s.Pong, 64),
    Message("bye", "program", "server", s.Bye, 512),
)
"""All messages on a program's socket. Its answers have no ``t``; their key identifies them."""
