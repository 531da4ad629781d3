"""The websockets of a table and of the lobby: who is connected, and what each message does."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from channels.db import database_sync_to_async
from django.utils import timezone

from games import frames, protocol, seen, services, trail
from games.chat import Room
from games.clock import Deadline
from games.conversation import Told
from games.live import Live
from games.outbox import Send
from games.protocol import (
    Act,
    AskFriends,
    AskHint,
    ClaimWin,
    Command,
    Fill,
    Hello,
    Leave,
    Rematch,
    Return,
    StandIn,
    Talk,
    TurnDown,
)
from games.refusals import Refused
from games.runtime import runtime
from games.services import talk
from games.services.friends import turn_down
from games.sockets import FORBIDDEN, NOT_FOUND, Bye, Receive, Socket

logger = logging.getLogger(__name__)

HELLO_WITHIN = 15.0
"""Seconds in which a new connection has to say hello."""


class TableSocket(Socket[Command]):
    """A connection to one match: a seat's if the session's player sits there, else a watcher's."""

    kind = "table"

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self.runtime = runtime()
        self.seat: int | None = None
        self.player: int | None = getattr(scope.get("user"), "pk", None)
        self.version: int | None = None
        self._live: Live | None = None
        self._joined = False
        self._greeted = False  # until then hello's answer is owed, and nothing comes before it
        self._table = ""
        self._deadline: Deadline | None = None
        self._due = ""
        self._chat = Told()
        self._asking: asyncio.Task[None] | None = None
        self._timer = self._loop.call_later(HELLO_WITHIN, self._dropped_unless_joined)

    @property
    def live(self) -> Live:
        """The match."""
        if self._live is None:
            raise Bye("no_such_match", NOT_FOUND)
        return self._live

    async def opened(self) -> None:
        """Find the match, and the seat of whoever is connected."""
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        trail.follow(match=public_id, player=getattr(self.scope["user"], "public_id", ""))
        self._live = await self.runtime.matches.get(public_id)
        header = self.live.header
        self.seat = header.seat_of(self.player)
        if self.seat is None and not header.watchable:
            raise Bye("forbidden", FORBIDDEN)

    async def closed(self) -> None:
        """Leave the table."""
        self._timer.cancel()
        if self._asking is not None:
            self._asking.cancel()
        if self._joined:
            self._joined = False
            self.runtime.hub.leave(self.live, self)
            self.runtime.arrived(self.live)

    def tell(self, live: Live) -> None:
        """Send what is new."""
        if self._greeted and self.version != live.version:
            self.outbox.push(self._news(live))

    def tell_table(self, live: Live) -> None:
        """Send who is at the table, if that is not what the client has."""
        text = self.runtime.attendance.frame(live, self)
        if self._greeted and text != self._table:
            self._table = text
            self.outbox.push(text)

    def tell_clock(self, live: Live) -> None:
        """Send until when the decision has to be made, if the client does not know it."""
        if live.header.days is not None:
            self._tell_due(live, live.header.days)
            return
        deadline, limit = self.runtime.clock.deadline(live), live.header.clock
        if not self._greeted or deadline is None or limit is None or deadline == self._deadline:
            return
        self._deadline = deadline
        text = frames.clock(
            version=deadline.version,
            seats=deadline.seats,
            until=deadline.at,
            limit=limit,
            now=timezone.now(),
        )
        self.outbox.push(text)

    def _tell_due(self, live: Live, days: int) -> None:
        turn = self.runtime.deadlines.known(live)
        if not self._greeted or turn is None:
            return
        text = frames.due(
            version=turn.version, seats=turn.seats, until=turn.due, days=days, now=timezone.now()
        )
        if text != self._due:
            self._due = text
            self.outbox.push(text)

    def tell_chat(self, live: Live, room: Room) -> None:
        """Send what is new in the chat; those who watch are not told."""
        if self._greeted and self.seat is not None and self.player is not None:
            for text in self._chat.news(live.header, room, self.player):
                self.outbox.push(text)

    def refused(self) -> None:
        """Show the whole view."""
        self.version = self.live.version
        self.outbox.put(frames.view(self.live, self.seat))

    def read(self, text: str) -> Command:
        """Return the command that a message is."""
        return protocol.parse(text)

    async def command(self, command: Command) -> None:
        """Do what a message asks."""
        if isinstance(command, Hello):
            await self._hello(command)
            return
        if not self._joined:
            raise Refused("malformed", "hello comes first")
        if self.seat is None or self.player is None:
            raise Refused("not_seated")
        if isinstance(command, Act):
            if self.live.header.seats[self.seat].stand_in:
                raise Refused("not_seated", "the computer plays on here")
            version = await services.make_move(
                live=self.live,
                seat=self.seat,
                decision=command.make(self.seat),
                client_id=command.id,
            )
            self.outbox.put(frames.ok(command.id, version))
            return
        if isinstance(command, AskHint):
            self._ask_hint(command, self.seat, self.player)
            return
        if isinstance(command, AskFriends):
            found = await talk.invitable(live=self.live, player=self.player)
            self.outbox.put(frames.friends(found, command.id))
            return
        if isinstance(command, Talk):
            await talk.obey(live=self.live, player=self.player, command=command)
        else:
            await self._at_the_table(command, self.seat, self.player)
        self.outbox.put(frames.ok(command.id, self.live.version))

    async def _at_the_table(self, command: Command, seat: int, player: int) -> None:
        """Do what concerns seats and not cards."""
        live = self.live
        match command:
            case Rematch(swap=swap):
                await services.want_rematch(live=live, seat=seat, swap=swap)
            case StandIn(seat=absent):
                await services.let_computer_play(live=live, absent=absent, seat=seat)
            case ClaimWin(seat=absent):
                await services.claim_win(live=live, absent=absent, seat=seat)
            case Return():
                await services.return_to_seat(live=live, player=player)
            case Leave():
                await services.leave_table(live=live, player=player)
            case Fill(seat=empty, level=level):
                await services.fill_table(live=live, player=player, seat=empty, level=level)
            case _:
                raise Refused("unknown_type")

    def _ask_hint(self, command: AskHint, seat: int, player: int) -> None:
        """Have a hint worked out while the socket goes on; a resend waits for the first answer."""
        if self._asking is not None and not self._asking.done():
            if command.id != self._asking.get_name():
                raise Refused("too_many")
            return
        self._asking = asyncio.create_task(self._hint(command, seat, player), name=command.id)

    async def _hint(self, command: AskHint, seat: int, player: int) -> None:
        try:
            version, hint = await services.ask_hint(live=self.live, seat=seat, player=player)
            self.outbox.push(frames.hint(hint, version, command.id))
        except Refused as refusal:
            self.outbox.push(frames.error(refusal.code, refusal.detail, command.id))
        except Exception:  # whatever the analysis may meet: the asker is not left waiting
            logger.exception("no hint at match %s", self.live.header.public_id)
            self.outbox.push(frames.error("no_hint", "", command.id))

    async def _hello(self, hello: Hello) -> None:
        """Join, and send what the client has missed."""
        live, hub = self.live, self.runtime.hub
        self._greeted = False
        if not self._joined:
            self._joined = True
            hub.join(live, self)
            self._timer.cancel()
        await self.runtime.matches.catch_up(live)
        if (
            self.seat is not None
            and self.player is not None
            and live.header.seats[self.seat].stand_in
        ):
            await services.return_to_seat(live=live, player=self.player)
        self.version, self._greeted = hello.version, True
        self.outbox.put(self._news(live))
        self._table, self._deadline, self._due, self._chat = "", None, "", Told()
        self.tell_table(live)
        self.tell_clock(live)
        self.runtime.arrived(live)
        self.runtime.driver.wake(live)
        if self.seat is not None:
            self.runtime.conversations.came(live)

    def _news(self, live: Live) -> str:
        """Return the message that brings the client from its version to the present."""
        since, self.version = self.version, live.version
        if since is None or since > live.version:
            return frames.view(live, self.seat)
        return frames.steps(live, self.seat, since)

    def _dropped_unless_joined(self) -> None:
        if not self._joined:
            self.outbox.close()
            self._dropped()


class LobbySocket(Socket[Command]):
    """A connection to the lobby; everybody may look."""

    kind = "lobby"

    @property
    def player(self) -> int | None:
        """Primary key of who looks in, None for a visitor."""
        return getattr(self.scope.get("user"), "pk", None)

    @property
    def elsewhere(self) -> bool:
        """Whether he is on another page, where he is told alone who asks him to a table."""
        return bool(self.scope.get("query_string") == b"only=asked")

    async def opened(self) -> None:
        """Show the open tables, and to friends that he is here."""
        runtime().lobby.enter(self)
        if self.player is not None:
            await asyncio.to_thread(seen.note, [self.player])

    async def closed(self) -> None:
        """Leave the lobby."""
        runtime().lobby.leave(self)

    def show(self, text: str) -> None:
        """Send the open tables."""
        self.outbox.push(text)

    def read(self, text: str) -> Command:
        """Return the command that a message is."""
        return protocol.parse(text)

    async def command(self, command: Command) -> None:
        """The lobby takes nothing but pings, and that one cannot come to a friend's table."""
        if not isinstance(command, TurnDown):
            raise Refused("unknown_type")
        if self.player is not None:
            await database_sync_to_async(turn_down)(player=self.player, match=command.match)
        self.outbox.put(frames.ok(command.id, 0))
