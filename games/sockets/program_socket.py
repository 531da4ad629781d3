"""The websocket of programs: people's own computer players, which play at ordinary tables.

A program authenticates with a token, takes a seat by an invitation, and is asked for each decision
in the same lines as a program of the arena. With manual counting, the server makes correct claims
and answers to claims for it, as for the site's own computers.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import Error as DatabaseError

from games.engine.illegal import IllegalMove
from games.engine.moves import Decision, Discard
from games.engine.state import Phase
from games.engine.view import View, view_for
from games.live import computers
from games.live.bot_runner import RETRY_AFTER
from games.live.changes import AttendanceChanged, Change, Moved, RematchWanted
from games.live.commands import make_move, return_to_seat, want_rematch
from games.live.runtime import runtime
from games.live.table import Table
from games.models import Match, Player
from games.models.moves import PROGRAM
from games.ops import log_context
from games.people.programs import authenticate_program, programs_of, token_digest
from games.sockets import program_protocol
from games.sockets.connection import FORBIDDEN, Bye, Receive, Socket
from games.sockets.program_protocol import Answer, Join, ProgramCommand, ShowToken
from games.sockets.send_queue import Send
from games.tables.tables import join_match
from games.wire.protocol import Ping
from games.wire.refusals import Refused

logger = logging.getLogger(__name__)

TOKEN_WITHIN = 15.0
"""Seconds in which a new connection has to send its token."""

TOO_SLOW = 4408
"""Close code after a decision that took too long."""

_KEY = tuple[object, ...]


@dataclass(slots=True)
class _Question:
    """A decision that the program was asked for, with a key that identifies it."""

    key: _KEY
    view: View
    asked_at: float
    end: asyncio.TimerHandle


class ProgramSocket(Socket[ProgramCommand]):
    """A connection of one program, at one table at a time."""

    kind = "program"

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self.runtime = runtime()
        self.seat: int | None = None
        self._program: Player | None = None
        self._token = ""
        self._table: Table | None = None
        self._question: _Question | None = None
        self._over = False
        self._counting = -1  # the version at which a claim is being made
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer = self._loop.call_later(TOKEN_WITHIN, self.end, Bye("bad_token", FORBIDDEN))

    @property
    def player(self) -> int | None:
        """The primary key of the program, once it has authenticated."""
        return None if self._program is None else self._program.pk

    async def opened(self) -> None:
        """Authenticate the program if the request's header has its token."""
        for name, value in self.scope["headers"]:
            if name == b"authorization":
                kind, _, token = value.decode("latin1").partition(" ")
                await self._let_in(token.strip() if kind.lower() == "bearer" else "")

    async def closed(self) -> None:
        """Leave the table."""
        self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        self._leave()

    def come_back(self) -> None:
        """End the connection for good: unlike a browser, a program has no other session."""
        self.log_out()

    def read(self, text: str) -> ProgramCommand:
        """Parse a message."""
        return program_protocol.parse(text)

    async def command(self, command: ProgramCommand) -> None:
        """Carry out a command, or take an answer."""
        match command:
            case ShowToken(token=token):
                await self._let_in(token)
            case Join(invite=invite, match=match):
                await self._join(invite or "", match or "")
            case Answer():
                await self._answer(command)
            case _:
                raise Refused("unknown_type")

    def notify(self, table: Table, change: Change) -> None:
        """Follow moves and seats; programs get neither chat nor clocks."""
        if table is not self._table:
            return
        if isinstance(change, Moved):
            self._follow_game(table)
        elif isinstance(change, AttendanceChanged):
            self._follow_seats(table)
        elif isinstance(change, RematchWanted) and self.seat not in table.rematch:
            self._agree_to_rematch()  # all wishes were dropped: it could not be started

    def _follow_game(self, table: Table) -> None:
        """Ask for the program's decision, or count for it; end if the match is over."""
        if self.seat is None:
            return
        view = view_for(table.state, self.seat)
        if table.state.phase is Phase.OVER:
            self._finish(view)
            return
        counted = computers.count_for(view)
        if counted is None:
            self._ask(view)
        elif self._counting != table.version:
            self._counting = table.version
            self._drop_question()
            self._start(self._count(table, counted, table.version))

    def _follow_seats(self, table: Table) -> None:
        """Join the rematch if there is one; ask for a decision if the match has begun."""
        meta = table.meta
        if meta.rematch and self._over:
            self._start(self._sit(meta.rematch))
        elif meta.status == Match.Status.ABANDONED:
            self.send_queue.push(program_protocol.over(view_for(table.state, self.seat)))
            self._leave()
        else:
            self._follow_game(table)

    def refused(self) -> None:
        """Repeat the question after an illegal answer; its time limit still runs."""
        if self._question is not None:
            self.send_queue.put(program_protocol.question(self._question.view))

    def not_done(self, command: ProgramCommand | Ping) -> None:
        """Repeat the question a moment after an answer that could not be stored."""
        if isinstance(command, Answer) and self._question is not None:
            self._loop.call_later(RETRY_AFTER, self._repeat, self._question)

    def _repeat(self, question: _Question) -> None:
        if question is self._question:
            self.send_queue.push(program_protocol.question(question.view))

    async def _let_in(self, token: str) -> None:
        if self._program is not None:
            raise Refused("malformed", "the token was already sent")
        self._token = token
        await self._check()
        self._timer.cancel()

    async def _check(self) -> None:
        """Check that the token is still valid; the first time, send `ready`.

        Raises:
            Bye: if it is not.
        """
        try:
            program = await database_sync_to_async(authenticate_program)(token=self._token)
        except Refused as refusal:
            raise Bye(refusal.code, FORBIDDEN) from refusal
        if self._program is None:
            owner = program.owner.name if program.owner else ""
            seconds = float(settings.PROGRAM_SECONDS)
            self.count_player(program.pk)
            self.send_queue.put(program_protocol.ready(program.name, owner, seconds))
            self.scope["login"] = (programs_of, token_digest(self._token))
        self._program = program

    async def _join(self, invite: str, match: str) -> None:
        if self._program is None:
            raise Refused("forbidden")
        await self._check()
        if invite:
            taken = await database_sync_to_async(join_match)(player=self._program, invite=invite)
            match = taken.public_id
        await self._sit(match)

    async def _sit(self, public_id: str) -> None:
        """Join the table of a match in which the program has a seat."""
        log_context.bind(match=public_id, player=self._program.public_id if self._program else "")
        table = await self.runtime.matches.get(public_id)
        seat = None if table is None else table.meta.seat_of(self.player)
        if table is None or seat is None:
            raise Refused("no_such_match")
        self._leave()
        self._table, self.seat, self._over, self._counting = table, seat, False, -1
        if table.meta.seats[seat].stand_in and self.player is not None:
            await return_to_seat(table=table, player=self.player)
        self.send_queue.push(program_protocol.joined(table.meta, seat))
        self._follow_game(table)
        first = not table.listeners
        table.join(self)
        if first and self.runtime.entrances.awaited(table.pk):
            # A browser's socket has subscribed: the confirmation may have come already.
            self.runtime.start(self.runtime.read_again(table))

    def _leave(self) -> None:
        self._drop_question()
        table, self._table, self.seat = self._table, None, None
        if table is not None:
            table.leave(self)

    def _ask(self, view: View) -> None:
        legal = view.legal
        if legal.action not in {"discard", "play"}:
            self._drop_question()
            return
        key: _KEY = (view.game, view.hand, legal.action, view.plays)
        if self._question is not None and self._question.key == key:
            return
        self._drop_question()
        self._question = _Question(key, view, self._loop.time(), self._start_limit())
        self.send_queue.push(program_protocol.question(view))

    def _start_limit(self) -> asyncio.TimerHandle:
        """Start the time limit of a decision, after which the connection ends."""
        too_slow = Bye("too_slow", TOO_SLOW)
        return self._loop.call_later(settings.PROGRAM_SECONDS, self.end, too_slow)

    def _drop_question(self) -> None:
        if self._question is not None:
            self._question.end.cancel()
            self._question = None

    async def _answer(self, answer: Answer) -> None:
        """Make the program's move, no faster than people can follow."""
        asked, table, seat = self._question, self._table, self.seat
        if asked is None or table is None or seat is None:
            raise Refused("not_your_turn")
        if answer.kind != asked.view.legal.action:
            raise IllegalMove("wrong_phase.asked", action=asked.view.legal.action)
        if answer.kind == "discard":
            await self._check()
            await self._move(table, Discard(seat, answer.cards))
            return
        play = computers.play_of(seat, answer.cards[0], asked.view)
        if play.card in asked.view.legal.cards:
            asked.end.cancel()
            passed = self._loop.time() - asked.asked_at
            await asyncio.sleep(max(0.0, settings.COMPUTER_PAUSE - passed))
        try:
            await self._move(table, play)
        except (Refused, IllegalMove, DatabaseError):
            if self._question is asked and asked.end.cancelled():
                asked.end = self._start_limit()
            raise

    async def _move(self, table: Table, decision: Decision) -> None:
        ident = f"{PROGRAM}{token_hex(8)}"
        await make_move(table=table, seat=decision.seat, decision=decision, client_id=ident)

    def _finish(self, view: View) -> None:
        """Send how the match ended, once, and agree to a rematch."""
        self._drop_question()
        if self._over or self._table is None or self.seat is None or self.player is None:
            return
        self._over = True
        self.send_queue.push(program_protocol.over(view))
        self._agree_to_rematch()

    def _agree_to_rematch(self) -> None:
        table, seat, player = self._table, self.seat, self.player
        if self._over and table is not None and seat is not None and player is not None:
            self._start(want_rematch(table=table, seat=seat, player=player))

    async def _count(self, table: Table, decision: Decision, version: int) -> None:
        """Make a claim, or answer one, unless the match has moved on in the meantime.

        It is tried again until it could be stored: no message of the program would cause it.
        """
        wait = settings.COMPUTER_PAUSE
        while table is self._table:
            await asyncio.sleep(wait)
            if table.version != version:
                return
            try:
                await self._move(table, decision)
            except (Refused, DatabaseError) as failure:
                logger.warning("a program's table: %s", failure)
                wait = RETRY_AFTER

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run ``work`` in the background; refusals are logged, since no message caused it."""

        async def guarded() -> None:
            try:
                await work
            except (Refused, IllegalMove, DatabaseError) as error:
                logger.info("a program's table: %s", error)
            except Exception:
                logger.exception("a program's table")

        task = asyncio.create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
