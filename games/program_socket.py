"""The websocket of programs: a person's own computer player, at a table like anybody.

It is let in by a token, takes a seat by an invitation, and is asked decision by decision, in the
lines that a program of the arena reads. Claims and answers to claims, where players count for
themselves, are made for it and made right, as for the site's own computers.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import Error as DatabaseError

from games import computers, program_protocol, services, trail
from games.chat import Room
from games.engine.illegal import IllegalMove
from games.engine.moves import Decision, Discard
from games.engine.state import Phase
from games.engine.view import View, view_for
from games.live import Live
from games.models import Match, Player
from games.outbox import Send
from games.program_protocol import Answer, Join, ProgramCommand, ShowToken
from games.refusals import Refused
from games.runtime import runtime
from games.services.programs import admit
from games.sockets import FORBIDDEN, Bye, Receive, Socket

logger = logging.getLogger(__name__)

TOKEN_WITHIN = 15.0
"""Seconds in which a new connection has to show its token."""

TOO_SLOW = 4408
"""Close code after a decision that took too long."""

_KEY = tuple[object, ...]


@dataclass(slots=True)
class _Question:
    """A decision that is asked for: what makes it this one, since when, and until when."""

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
        self.player: int | None = None
        self._program: Player | None = None
        self._token = ""
        self._live: Live | None = None
        self._question: _Question | None = None
        self._over = False
        self._counting = -1  # the version at which a claim is being made
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer = self._loop.call_later(TOKEN_WITHIN, self.end, Bye("bad_token", FORBIDDEN))

    async def opened(self) -> None:
        """Let the program in, if the request's header has its token."""
        for name, value in self.scope["headers"]:
            if name == b"authorization":
                kind, _, token = value.decode("latin1").partition(" ")
                await self._let_in(token.strip() if kind.lower() == "bearer" else "")

    async def closed(self) -> None:
        """Get up from the table."""
        self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        self._leave()

    def read(self, text: str) -> ProgramCommand:
        """Return what a message means."""
        return program_protocol.parse(text)

    async def command(self, command: ProgramCommand) -> None:
        """Do what a message asks, or take its answer."""
        match command:
            case ShowToken(token=token):
                await self._let_in(token)
            case Join(invite=invite, match=match):
                await self._join(invite, match)
            case Answer():
                await self._answer(command)
            case _:
                raise Refused("unknown_type")

    def tell(self, live: Live) -> None:
        """Ask what is to be decided, if that is new."""
        if live is not self._live or self.seat is None:
            return
        view = view_for(live.state, self.seat)
        if live.state.phase is Phase.OVER:
            self._finish(view)
            return
        counted = computers.count_for(view)
        if counted is None:
            self._ask(view)
        elif self._counting != live.version:
            self._counting = live.version
            self._forget()
            self._start(self._count(live, counted, live.version))

    def tell_chat(self, live: Live, room: Room) -> None:
        """Programs do not chat."""

    def tell_clock(self, live: Live) -> None:
        """Say nothing: a program has a time of its own for each question."""

    def tell_table(self, live: Live) -> None:
        """Go on to the rematch where there is one; ask where the match has begun."""
        if live is not self._live:
            return
        header = live.header
        if header.rematch and self._over:
            self._start(self._sit(header.rematch))
        elif header.status == Match.Status.ABANDONED:
            self.outbox.push(program_protocol.over(view_for(live.state, self.seat)))
            self._leave()
        else:
            self.tell(live)

    def refused(self) -> None:
        """Ask again, after an answer that the rules refused; the time goes on."""
        if self._question is not None:
            self.outbox.put(program_protocol.question(self._question.view))

    async def _let_in(self, token: str) -> None:
        if self._program is not None:
            raise Refused("malformed", "the token was shown already")
        self._token = token
        await self._check()
        self._timer.cancel()

    async def _check(self) -> None:
        """See that the token (still) lets the program in."""
        try:
            program = await database_sync_to_async(admit)(token=self._token)
        except Refused as refusal:
            raise Bye(refusal.code, FORBIDDEN) from refusal
        if self._program is None:
            owner = program.owner.name if program.owner else ""
            seconds = float(settings.PROGRAM_SECONDS)
            self.outbox.put(program_protocol.ready(program.name, owner, seconds))
        self._program, self.player = program, program.pk

    async def _join(self, invite: str, match: str) -> None:
        if self._program is None:
            raise Refused("forbidden")
        await self._check()
        if invite:
            taken = await database_sync_to_async(services.join_match)(
                player=self._program, invite=invite
            )
            match = taken.public_id
        await self._sit(match)

    async def _sit(self, public_id: str) -> None:
        """Sit down at a match in which the program has a seat."""
        trail.follow(match=public_id, player=self._program.public_id if self._program else "")
        live = await self.runtime.matches.get(public_id)
        seat = None if live is None else live.header.seat_of(self.player)
        if live is None or seat is None:
            raise Refused("no_such_match")
        self._leave()
        self._live, self.seat, self._over, self._counting = live, seat, False, -1
        self.runtime.hub.join(live, self)
        if live.header.seats[seat].stand_in and self.player is not None:
            await services.return_to_seat(live=live, player=self.player)
        self.outbox.push(program_protocol.joined(live.header, seat))
        self.tell(live)
        self.runtime.arrived(live)
        self.runtime.driver.wake(live)

    def _leave(self) -> None:
        self._forget()
        live, self._live, self.seat = self._live, None, None
        if live is not None:
            self.runtime.hub.leave(live, self)
            self.runtime.arrived(live)

    def _ask(self, view: View) -> None:
        legal = view.legal
        if legal.action not in {"discard", "play"}:
            self._forget()
            return
        key: _KEY = (view.game, view.hand, legal.action, view.plays)
        if self._question is not None and self._question.key == key:
            return
        self._forget()
        end = self._loop.call_later(settings.PROGRAM_SECONDS, self.end, Bye("too_slow", TOO_SLOW))
        self._question = _Question(key, view, self._loop.time(), end)
        self.outbox.push(program_protocol.question(view))

    def _forget(self) -> None:
        if self._question is not None:
            self._question.end.cancel()
            self._question = None

    async def _answer(self, answer: Answer) -> None:
        """Make the move that a program decided on, no faster than people can follow."""
        asked, live, seat = self._question, self._live, self.seat
        if asked is None or live is None or seat is None:
            raise Refused("not_your_turn")
        if answer.kind != asked.view.legal.action:
            raise IllegalMove("wrong_phase", f"a {asked.view.legal.action} was asked for")
        if answer.kind == "discard":
            await self._check()
            await self._move(live, Discard(seat, answer.cards))
            return
        play = computers.play_of(seat, answer.cards[0], asked.view)
        if play.card in asked.view.legal.cards:
            asked.end.cancel()
            passed = self._loop.time() - asked.asked_at
            await asyncio.sleep(max(0.0, settings.COMPUTER_PAUSE - passed))
        await self._move(live, play)

    async def _move(self, live: Live, decision: Decision) -> None:
        await services.make_move(live=live, seat=decision.seat, decision=decision)

    def _finish(self, view: View) -> None:
        """Tell how the match ended, once, and agree to another."""
        self._forget()
        if self._over or self._live is None or self.seat is None:
            return
        self._over = True
        self.outbox.push(program_protocol.over(view))
        self._start(services.want_rematch(live=self._live, seat=self.seat))

    async def _count(self, live: Live, decision: Decision, version: int) -> None:
        """Claim, or answer a claim, unless the match has gone on meanwhile."""
        await asyncio.sleep(settings.COMPUTER_PAUSE)
        if live.version == version:
            await self._move(live, decision)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside the listening; what is refused there concerns nobody."""

        async def guarded() -> None:
            try:
                await work
            except (Refused, IllegalMove, DatabaseError) as error:
                logger.info("a program's table: %s", error)

        task = asyncio.create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
