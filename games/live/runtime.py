"""The runtime: the components of one process, wired together once for its event loop."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from contextvars import Context
from datetime import datetime
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.db import Error as DatabaseError

from games.cluster import announce, online_status, outages
from games.live import connections, jit_warmup, rematches, turn_clock, unheard
from games.live.attendance import Attendance
from games.live.bot_runner import BotRunner
from games.live.changes import (
    ChangeStream,
    ChatChanged,
    ChatRead,
    Joined,
    Left,
    Moved,
    PeersChanged,
    RematchHeldUp,
    RematchMade,
    RematchWanted,
    SeatsChanged,
)
from games.live.chat_feed import ChatFeed
from games.live.correspondence_timers import CorrespondenceTimers
from games.live.entrances import Entrances
from games.live.hint_service import HintService
from games.live.idleness import Idleness
from games.live.lobby import Lobby
from games.live.match_cache import MatchCache
from games.live.peers import Peers
from games.live.presence import ALIVE_EVERY, Presence
from games.live.pulses import Pulses
from games.live.rematch_maker import RematchMaker
from games.live.table import Table
from games.live.turn_clock import TurnClock
from games.live.unheard import Unheard
from games.log.lookups import Lookups
from games.log.reader import Reader
from games.log.writer import Writer
from games.ops import daemons, true_time
from games.ops.loop_lag import LoopLag
from games.tables.attended import attend

logger = logging.getLogger(__name__)

PROCESSES = "cribbage:processes"

GREETED_AT_ONCE = 16
"""Sockets whose `hello` is answered at the same time: see `cribbage_site.admission`."""

READ_AGAIN_AT_ONCE = 8
"""Tables that are read again at the same time: Redis confirms hundreds of subscriptions together
when people come back after a restart."""


class Runtime:
    """The components of a process, for one event loop.

    Attributes:
        greetings: the turns of sockets whose `hello` is answered.
    """

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.writer = Writer()
        self._pulses = Pulses(self.writer)
        self.reader = Reader()
        self.lookups = Lookups()
        self.stream = ChangeStream()
        self.rematches = RematchMaker()
        self.matches = MatchCache(self.writer, self.reader, self.lookups, self.stream)
        self.peers = Peers()
        self.entrances = Entrances(self.peers, self.matches)
        self.presence = Presence(
            self.peers, self.matches.sockets, time.monotonic, settings.ABSENCE_GRACE
        )
        self.idleness = Idleness(self.presence, time.monotonic, settings.IDLE_LIMIT)
        self.attendance = Attendance(self.presence, self.idleness)
        self.clock = TurnClock(self.matches, self.lookups)
        self.correspondence = CorrespondenceTimers()
        self.chat = ChatFeed(self.lookups)
        self.bots = BotRunner(pause=settings.COMPUTER_PAUSE, apart=settings.COMPUTER_PROCESS)
        self.hints = HintService(time.monotonic)
        self.lobby = Lobby(self.presence.online_count)
        self._subscribe()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.greetings = asyncio.Semaphore(GREETED_AT_ONCE)
        self._reading_again = asyncio.Semaphore(READ_AGAIN_AT_ONCE)
        self._verbs: dict[str, Callable[..., None]] = {
            "version": self._on_version,
            announce.TABLE_CHANGED: self._on_table,
            "here": self._on_here,
            "who": self._on_who,
            "rematch": self._on_rematch,
            announce.CHAT_CHANGED: lambda table, *_: table.publish(ChatChanged()),
        }
        self._deaf_since = true_time.now()
        jit_warmup.start()
        self._lag = LoopLag()
        self._stop_listening = announce.listen(self._announced)
        self._start_daemons()
        if settings.REDIS_URL:
            self._connect_peers(settings.REDIS_URL)

    def _start_daemons(self) -> None:
        """Start the regular jobs."""
        for name, job, every, first in (
            ("clock", self.clock.start_timers, turn_clock.LOOK_EVERY, turn_clock.FIRST_LOOK),
            ("pulse", self._record_pulse, outages.EVERY, outages.FIRST),
            ("online", self._mark_online, online_status.EVERY, 0.0),
        ):
            self.start(daemons.repeat(name, job, every=every, first=first))

    def _subscribe(self) -> None:
        """Subscribe the components to changes at tables; sockets are notified before them."""
        on = self.stream.subscribe
        presence, attendance, clock = self.presence, self.attendance, self.clock
        days, chat, bots = self.correspondence, self.chat, self.bots
        on(Moved, self.peers.moved, attendance.moved, clock.changed, days.changed, bots.moved)
        on(SeatsChanged, presence.changed, attendance.changed, clock.changed, days.changed)
        on(SeatsChanged, chat.seats_changed, bots.changed)
        on(Joined, self.peers.joined, self.idleness.joined, presence.changed, attendance.changed)
        on(Joined, clock.changed, days.changed, chat.joined, bots.changed, self._look_for_rematch)
        on(Left, self.matches.left, presence.left, presence.changed, self.entrances.left)
        on(Left, attendance.left, clock.changed, days.changed)
        on(PeersChanged, attendance.changed, self._look_for_rematch)
        on(RematchWanted, attendance.changed)
        on(RematchHeldUp, lambda table, _: self.start(rematches.keep_trying(table, self)))
        on(RematchMade, self.peers.rematch_made)
        on(ChatChanged, chat.changed)
        on(ChatRead, rematches.withdraw)

    def _connect_peers(self, url: str) -> None:
        from games.cluster.bus import Bus  # a tenth of the start-up, which one process can save

        bus = Bus(
            url,
            (announce.LOBBY, announce.PLAYERS, PROCESSES),
            on_message=self._heard,
            on_subscribe=self._subscribed,
            on_reconnect=self._repeat_state,
            on_hearing=self._hearing_changed,
        )
        self.peers.bus = bus
        self.clock.pause()
        self.peers.is_alone = self.presence.is_alone
        bus.start()
        self.start(daemons.repeat("heartbeat", self._beat, every=ALIVE_EVERY))
        reading = Unheard(self.presence, self.matches, self._refresh)
        self.start(daemons.repeat("unheard", reading.read, every=unheard.EVERY))

    async def aclose(self) -> None:
        """Stop everything, and write pending moves."""
        self._closing = True
        self._stop_listening()
        self._lag.stop()
        self.attendance.aclose()
        self.lobby.aclose()
        self.hints.aclose()
        await self.bots.aclose()
        await self.chat.aclose()
        await self.clock.aclose()
        await self.correspondence.aclose()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.peers.bus is not None:
            await self.peers.bus.aclose()
        for batcher in (self.rematches, self.writer, self.reader, self.lookups):
            await asyncio.to_thread(batcher.close)

    async def _mark_online(self) -> None:
        """Mark the players with a socket in this process as online, and their open tables.

        Tables whose creators have left then disappear from the lobby.
        """
        await online_status.mark_connected(self.matches.players() | self.lobby.players())
        if hosts := self.matches.hosts() | self.lobby.players(looking=True):
            await database_sync_to_async(attend)(players=hosts)
        self.lobby.changed()

    def _announced(self, channel: str, message: str) -> None:
        """Pass an announcement from a thread of this process to the event loop."""
        try:
            # A new context: asgiref's markers in the thread's context would forbid database work.
            self.loop.call_soon_threadsafe(
                self._handle_message, channel, message, context=Context()
            )
        except RuntimeError:
            logger.info("the event loop has ended; %s was not announced", channel)

    def _heard(self, channel: str, message: str) -> None:
        """Act on a message from Redis, unless it is this process's own."""
        if not announce.is_echo(message):
            self._handle_message(channel, message)

    def _handle_message(self, channel: str, message: str) -> None:
        """Act on a message from another process or from a thread of this one."""
        try:
            self._dispatch(channel, *message.split(" "))
        except Exception:  # one bad message must not stop the others
            logger.exception("a message on %s could not be handled: %r", channel, message)

    def _dispatch(self, channel: str, verb: str, *words: str) -> None:
        if channel == announce.LOBBY:
            self.lobby.changed()
        elif channel == announce.PLAYERS:
            connections.end(verb, *words[:2])  # what follows says which process announced it
            if verb == announce.SESSION_ENDED:
                self.start(self._check_sessions(words[1]))
        elif channel == PROCESSES:
            if self.presence.record_heartbeat(*words):
                self._meet()
        elif (table := self.entrances.heard(channel, verb, *words)) is not None:
            self._verbs[verb](table, *words)

    def _on_version(self, table: Table, version: str) -> None:
        if int(version) > table.version:
            self.start(self._follow_log(table))

    def _on_table(self, table: Table, *_: str) -> None:
        self.start(self._refresh(table))
        self.correspondence.read_again(table)

    def _on_here(self, table: Table, process: str, seats: str, watchers: str) -> None:
        if self.presence.record_process(process):
            self._meet()
        before = self.presence.seats_at(table.pk, process)
        if self.presence.record_seats(table.pk, process, seats, watchers):
            self.idleness.returned(table, self.presence.seats_at(table.pk, process) - before)
            table.publish(PeersChanged())

    def _on_who(self, table: Table, process: str) -> None:
        if self.presence.record_process(process):
            self._meet()
        if process != self.presence.process:
            self.presence.announce(table)

    def _on_rematch(self, table: Table, seat: str, how: str = "") -> None:
        if table.rematch.get(int(seat)) is not (how == "swapped"):  # its own wishes come back
            self.start(rematches.hear_wish(table, self, seat=int(seat), swap=how == "swapped"))

    def _look_for_rematch(self, table: Table, _: Joined | PeersChanged) -> None:
        """Look whether everyone agrees on a rematch, after a player may have come back."""
        online = self.presence.online(table)[0]
        if table.wishes(online) and not table.meta.rematch:
            self.start(rematches.look_again(table, self.rematches, online=online))

    def _meet(self) -> None:
        """Exchange states with a process that is new, or that was silent for a while."""
        self._repeat_state()
        for table in tuple(self.matches.open.values()):
            self.presence.request_announcements(table)

    def _repeat_state(self) -> None:
        """Repeat what may have been lost with a connection, also of tables that players left."""
        for table in self.matches.all():
            self.peers.send_version(table)
            if table.meta.rematch:
                self.peers.rematch_made(table)
        for table in tuple(self.matches.open.values()):
            self.presence.announce(table)
            self.peers.repeat_wishes(table)

    def _hearing_changed(self) -> None:
        """Withdraw all offers of absent seats while this process is deaf, and renew them after."""
        if self.presence.deaf:
            logger.warning("other processes cannot be heard: nobody is judged here for now")
            self.clock.pause()
            self._deaf_since = true_time.now()
            self.start(self._report_deafness())
        else:
            self.start(self._resume_clock(self._deaf_since))
        self._peers_changed()

    def _peers_changed(self) -> None:
        """Have every table announce again who is there, and who may act for whom."""
        for table in tuple(self.matches.open.values()):
            table.publish(PeersChanged())

    async def _report_deafness(self) -> None:
        """Tell the other processes now that this one is deaf, not only at the next pulse."""
        try:
            await self._record_pulse()
        except DatabaseError:
            logger.exception("the other processes were not told that this one is deaf")

    async def _record_pulse(self) -> None:
        """Record that this process runs, and learn whether any is deaf or stuck."""
        deaf = await self._pulses.record(deaf=self.presence.deaf)
        if deaf is self.presence.others_deaf:
            return
        self.presence.others_deaf = deaf
        if self.presence.may_judge:
            self.clock.resume()
        else:
            self.clock.pause()
        self._peers_changed()

    async def _resume_clock(self, deaf_since: datetime) -> None:
        """Let ranked clocks start again, since players here may have missed their turn."""
        try:
            await database_sync_to_async(outages.record_deafness)(deaf_since)
        except DatabaseError:
            logger.exception("the time without other processes could not be stored")
        if self.presence.may_judge:
            self.clock.resume()
        else:
            self.clock.read_again()  # players see their new time at once

    def _subscribed(self, channel: str) -> None:
        """Catch up with what was published before the subscription took effect."""
        if channel == announce.LOBBY:
            self.lobby.changed()
        elif channel == announce.PLAYERS:
            self.start(self._check_sessions())
        elif channel != PROCESSES and (table := self.entrances.subscribed(channel)) is not None:
            self.start(self.read_again(table))

    async def read_again(self, table: Table) -> None:
        """Catch up with a table whose channel has just been subscribed to, when its turn comes."""
        async with self._reading_again:
            if not table.listeners:
                return
            self.presence.request_announcements(table)
            self.presence.announce(table)
            table.publish(ChatChanged())
            await self._refresh(table, always=True)

    async def _check_sessions(self, player: str | None = None) -> None:
        """End the sockets of sessions that are over, of one player or of all."""
        try:
            await connections.check(self.lookups, player=player)
        except DatabaseError:
            logger.exception("the sessions of open sockets could not be checked")

    async def _follow_log(self, table: Table) -> None:
        """Read and publish the moves that another process stored."""
        try:
            await table.follow_log()
        except DatabaseError:
            logger.exception("match %s could not be read", table.meta.public_id)

    async def _refresh(self, table: Table, *, always: bool = False) -> None:
        """Read log and seats again, and publish changes; with ``always``, the seats in any case."""
        await self._follow_log(table)
        try:
            await table.reload_seats(always=always)
        except DatabaseError:
            logger.exception("match %s could not be read", table.meta.public_id)

    async def _beat(self) -> None:
        """Publish this process's heartbeat, and forget processes without one."""
        if self.peers.bus is not None:
            alive = f"alive {self.presence.process} {self.matches.sockets()}"
            self.peers.bus.publish(PROCESSES, alive)
        for match in self.presence.drop_silent():
            if (table := self.matches.open.get(match)) is not None:
                table.publish(PeersChanged())

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task until this runtime is closed; one that is started later never runs."""
        task = asyncio.create_task(work)
        if self._closing:
            task.cancel()
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_current: Runtime | None = None


def runtime() -> Runtime:
    """Return the runtime of the running event loop; the first call creates it."""
    global _current  # noqa: PLW0603 - one for each process
    loop = asyncio.get_running_loop()
    if _current is None or _current.loop is not loop:
        _current = Runtime()
    return _current


async def shut_down() -> None:
    """Close the runtime of the running event loop."""
    global _current
    if _current is not None and _current.loop is asyncio.get_running_loop():
        current, _current = _current, None
        await current.aclose()
