"""The websockets of tables: they carry out commands and send what changes."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from channels.db import database_sync_to_async

from games.archive import access, selectors
from games.engine.moves import Resign
from games.live import commands, messages, social_commands
from games.live.changes import AttendanceChanged, Change, ChatRead, DeadlineSet, Moved
from games.live.chat_feed import ChatDelivery
from games.live.runtime import runtime
from games.live.table import Table
from games.live.turn_clock import Deadline
from games.log.match_meta import MatchMeta
from games.models import Match
from games.ops import log_context, true_time
from games.people.chat import Room
from games.sockets.connection import (
    AFTER_LOGIN,
    FORBIDDEN,
    NOT_FOUND,
    RESTART,
    Bye,
    Receive,
    Socket,
)
from games.sockets.send_queue import Send
from games.wire import protocol
from games.wire.protocol import (
    Act,
    AskFriends,
    AskHint,
    AskHistory,
    Command,
    Hello,
    SocialCommand,
)
from games.wire.refusals import Refused

logger = logging.getLogger(__name__)

GREETING = 0.05
"""Seconds for which the next socket waits for this one's `hello`, which takes longer to answer than
everything before it."""

HELLO_WITHIN = 15.0
"""Seconds in which a connection has to send `hello`, from when its table has been found."""


class TableSocket(Socket[Command]):
    """A connection to one match, as a player if the session's player has a seat, else a watcher."""

    kind = "table"

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self.runtime = runtime()
        self.version: int | None = None
        self._opened: Table | None = None
        self._seated_by: MatchMeta | None = None
        self._seat: int | None = None
        self._joined = False
        self._entered: int | None = None  # the match that it is about to join
        self._greeted = False  # nothing is sent before the answer to `hello`
        self._plays = False  # whether the player has had a seat since the match began
        self._table = ""
        self._deadline: Deadline | None = None
        self._due = ""
        self._chat = ChatDelivery()
        self._asking: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._next: asyncio.TimerHandle | None = None

    @property
    def seat(self) -> int | None:
        """The seat that the player has now; None for a watcher, and after leaving a waiting table.

        It is looked up whenever the seats have changed: one that was left may have a new player,
        who has other cards.
        """
        if self._opened is None:
            return None
        meta = self._opened.meta
        if meta is not self._seated_by:  # asked several times for each move
            self._seated_by, self._seat = meta, meta.seat_of(self._player)
        return self._seat

    @property
    def table(self) -> Table:
        """The table that this socket is connected to."""
        if self._opened is None:
            raise Bye("no_such_match", NOT_FOUND)
        return self._opened

    async def opened(self) -> None:
        """Find the match and the player's seat.

        Raises:
            Bye: if there is no such match, or the client may not watch it.
        """
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        log_context.bind(match=public_id, player=getattr(self.scope["user"], "public_id", ""))
        entrances, known = self.runtime.entrances, self.runtime.matches.key_of(public_id)
        if known is None:
            self._opened = await self.runtime.matches.find(public_id)  # `hello` reads the log
        else:
            self._enter(known)
            self._opened = await entrances.find(known, public_id)
        self._check_admission()
        if self.seat is None and self.table.meta.status == Match.Status.FINISHED:
            await self._check_replay(public_id)
        if known is None:
            self._enter(self.table.pk)
        # Not before: a busy server reads a `hello` that was sent in time only now.
        self._start_timer()

    def _may_stay(self) -> bool:
        return self.seat is not None or self.table.meta.watchable

    def _check_admission(self) -> None:
        """Raise `Bye` if the client may not be here as who they are now."""
        if self._lost_seat():
            raise Bye("restart", RESTART, retry=AFTER_LOGIN)
        if not self._may_stay():
            raise Bye("forbidden", FORBIDDEN)

    def _lost_seat(self) -> bool:
        """Return whether this player had a seat in the match, which had begun, and has none now.

        A guest has then logged in to an account, and this process has not heard of it yet. As long
        as the player has a seat, it is noted.
        """
        if self.seat is not None:
            self._plays = self.table.meta.status != Match.Status.WAITING
            return False
        return self._plays

    async def _check_replay(self, public_id: str) -> None:
        """Refuse a watcher who comes after the end, if the players don't show their matches."""
        viewer = None if self.player is None else self.scope["user"]
        match = await database_sync_to_async(selectors.match_by_id)(public_id=public_id)
        shown = match is not None and await database_sync_to_async(access.may_see)(match, viewer)
        if not shown:
            raise Bye("forbidden", FORBIDDEN)

    def opening_ends(self) -> None:
        """Let the next socket open once this one is greeted, or has sent no `hello` for a while."""
        self._next = self._loop.call_later(GREETING, super().opening_ends)

    async def closed(self) -> None:
        """Leave the table."""
        self._stop_timer()
        if self._next is not None:
            self._next.cancel()
            self._next = None  # a timer that has fired still refers to this socket
        if self._asking is not None:
            self._asking.cancel()
        self._pass_entrance()
        if self._joined:
            self.table.leave(self)

    def notify(self, table: Table, change: Change) -> None:
        """Send the messages that follow from a change at the table."""
        if not self._greeted:
            return
        try:
            self._check_admission()
        except Bye as bye:
            self._greeted = False
            self.runtime.start(self.send_away(bye))
            return
        match change:
            case Moved():
                if self.version != table.version:
                    self.send_queue.push(self._update_message(table))
            case AttendanceChanged(message_for=message_for):
                self._send_table(message_for(self))
            case DeadlineSet():
                self._send_deadline(table)
            case ChatRead(room=room):
                self._send_chat(table, room)

    def _send_table(self, text: str) -> None:
        """Send a `table` message if it differs from the last one."""
        if text != self._table:
            self._table = text
            self.send_queue.push(text)

    def _send_deadline(self, table: Table) -> None:
        """Send the time limit of the current decision, if the client does not know it."""
        if table.meta.days is not None:
            self._send_due(table, table.meta.days)
            return
        deadline, limit = self.runtime.clock.deadline(table), table.meta.clock
        if deadline is None or limit is None or deadline == self._deadline:
            return
        self._deadline = deadline
        text = messages.clock(
            version=deadline.version,
            seats=deadline.seats,
            until=deadline.at,
            limit=limit,
            now=true_time.now(),
        )
        self.send_queue.push(text)

    def _send_due(self, table: Table, days: int) -> None:
        turn = self.runtime.correspondence.cached(table)
        if turn is None:
            return
        seated = self.seat is not None
        text = messages.due(turn, days=days, now=true_time.now(), to_player=seated)
        if text != self._due:
            self._due = text
            self.send_queue.push(text)

    def _send_chat(self, table: Table, room: Room) -> None:
        """Send what is new in the chat; watchers do not get it."""
        if self.seat is not None and self.player is not None:
            for text in self._chat.updates(table.meta, room, self.player):
                self.send_queue.push(text)

    def refused(self) -> None:
        """Send the whole view."""
        self.version = self.table.version
        self.send_queue.put(messages.view(self.table, self.seat))

    def read(self, text: str) -> Command:
        """Parse a message."""
        return protocol.parse(text)

    async def command(self, command: Command) -> None:
        """Carry out a command."""
        if isinstance(command, Hello):
            await self._greet(command)
            return
        if not self._joined:
            raise Refused("malformed", "the first message must be hello")
        if isinstance(command, AskHistory):
            self.send_queue.put(messages.history(self.table, command.game, command.id))
            return
        seat, player = self.seat, self.player
        if seat is None or player is None:
            raise Refused("not_seated")
        if isinstance(command, Act):
            decision = command.make(seat)
            resent = self.table.meta.ranked and isinstance(decision, Resign)
            if self.table.meta.seats[seat].stand_in and not resent:
                raise Refused("not_seated", "a computer is playing for this seat")
            version = await commands.make_move(
                table=self.table, seat=seat, decision=decision, client_id=command.id
            )
            self.send_queue.put(messages.ok(command.id, version))
            return
        if isinstance(command, AskHint):
            self._ask_hint(command, seat, player)
            return
        if isinstance(command, AskFriends):
            found = await social_commands.invitable(table=self.table, player=player)
            self.send_queue.put(messages.friends(found, command.id))
            return
        if isinstance(command, SocialCommand):
            await social_commands.handle_command(table=self.table, player=player, command=command)
        else:
            await commands.handle_command(
                table=self.table, seat=seat, player=player, command=command
            )
        self.send_queue.put(messages.ok(command.id, self.table.version))

    def _ask_hint(self, command: AskHint, seat: int, player: int) -> None:
        """Compute a hint in the background; a resent request waits for the first one's answer."""
        if self._asking is not None and not self._asking.done():
            if command.id != self._asking.get_name():
                raise Refused("too_many")
            return
        self._asking = asyncio.create_task(self._hint(command, seat, player), name=command.id)

    async def _hint(self, command: AskHint, seat: int, player: int) -> None:
        try:
            version, hint = await commands.ask_hint(table=self.table, seat=seat, player=player)
            self.send_queue.push(messages.hint(hint, version, command.id))
        except Refused as refusal:
            self.send_queue.push(messages.error(refusal.code, refusal.detail, command.id))
        except Exception:  # if the analysis fails, the player still gets an answer
            logger.exception("match %s: a hint failed", self.table.meta.public_id)
            self.send_queue.push(messages.error("no_hint", "", command.id))

    async def _greet(self, hello: Hello) -> None:
        """Answer a `hello` when its turn comes; then the next socket may open."""
        self._stop_timer()  # a busy server may take long to get to it, and to read the log
        if self._next is not None:
            self._next.cancel()
        try:
            async with self.runtime.greetings:
                await self._hello(hello)
        finally:
            super().opening_ends()

    async def _hello(self, hello: Hello) -> None:
        """Join, and send what the client has missed."""
        table = self.table
        self._greeted = False
        try:
            news, substitute = await self._prepare(table)
        except Exception:
            self._start_timer()
            raise
        try:
            self._check_admission()
        except Bye as bye:
            raise await self.reason_for(bye) from bye
        self.version, self._greeted = hello.version, True
        self.send_queue.put(self._update_message(table))
        self._table, self._deadline, self._due, self._chat = "", None, "", ChatDelivery()
        self._joined = True
        first = not table.listeners
        table.join(self)
        if first and self._entered is not None:
            self._look_for_news(table, news)
        self._pass_entrance()
        if not self._table:  # at a crowded table its turn comes later
            self._send_table(self.runtime.attendance.message_for(table, self))
        if substitute:
            self.send_queue.put(messages.returned(substitute))
        self._send_deadline(table)

    async def _prepare(self, table: Table) -> tuple[int | None, str]:
        """Read the log, and for the first socket the seats; take the seat back from a substitute.

        Return what `Entrances.read` returned, and the substitute's name, or "".
        """
        news = None
        if self._entered is not None:
            news = await self.runtime.entrances.read(table)
        await table.update()
        seat = self.seat
        substitute = "" if seat is None else table.meta.seats[seat].stand_in
        if seat is None or self.player is None or not substitute:
            return news, ""
        with self.runtime.presence.returning(table, seat):
            await commands.return_to_seat(table=table, player=self.player)
        return news, "" if table.meta.seats[seat].stand_in else substitute

    def _enter(self, match: int) -> None:
        """Be about to join a match."""
        self._entered = match
        self.runtime.entrances.enter(match)

    def _look_for_news(self, table: Table, news: int | None) -> None:
        """Read the table again if there was news since it was read for its first listener."""
        now = self.runtime.entrances.news(table.pk)
        if now is None:
            return  # the confirmation of the subscription is still to come
        if now == news:
            self.runtime.presence.request_announcements(table)
        else:
            self.runtime.start(self.runtime.read_again(table))

    def _pass_entrance(self) -> None:
        """Be no longer about to join: the table was joined, or never will be."""
        match, self._entered = self._entered, None
        if match is not None:
            self.runtime.entrances.leave(match)

    def _update_message(self, table: Table) -> str:
        """Return the message that brings the client from its version to the current one."""
        since, self.version = self.version, table.version
        if since is None or since > table.version:
            return messages.view(table, self.seat)
        return messages.steps(table, self.seat, since)

    def _start_timer(self) -> None:
        self._timer = self._loop.call_later(HELLO_WITHIN, self._drop_unless_joined)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _drop_unless_joined(self) -> None:
        if not self._joined:
            self.send_queue.close()
            self._dropped()
