"""The runtime: the components of one process, wired together once for its event loop."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection

from games import hooks
from games.cluster import announce, online_status, outages
from games.cluster.bus import Bus
from games.correspondence.delivery import NoticeDelivery
from games.live import jit_warmup
from games.live.attendance import Attendance
from games.live.bot_runner import BotRunner
from games.live.changes import (
    ChangeStream,
    ChatChanged,
    Ended,
    Joined,
    Left,
    Moved,
    PeersChanged,
    RematchWanted,
    SeatsChanged,
)
from games.live.chat_feed import ChatFeed
from games.live.correspondence_timers import CorrespondenceTimers
from games.live.hint_service import HintService
from games.live.lobby import Lobby
from games.live.match_cache import MatchCache
from games.live.peers import Peers
from games.live.presence import ALIVE_EVERY, Presence
from games.live.table import Table
from games.live.turn_clock import TurnClock
from games.log.reader import Reader
from games.log.writer import Writer

logger = logging.getLogger(__name__)

PROCESSES = "cribbage:processes"


class Runtime:
    """The components of a process, for one event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.writer = Writer()
        self.reader = Reader()
        self.stream = ChangeStream()
        self.matches = MatchCache(self.writer, self.reader, self.stream)
        self.peers = Peers()
        self.presence = Presence(
            self.peers, self.matches.sockets, time.monotonic, settings.ABSENCE_GRACE
        )
        self.attendance = Attendance(self.presence)
        self.clock = TurnClock(self.matches)
        self.correspondence = CorrespondenceTimers()
        self.chat = ChatFeed()
        self.notices = NoticeDelivery()
        self.bots = BotRunner(pause=settings.COMPUTER_PAUSE)
        self.hints = HintService(time.monotonic)
        self.lobby = Lobby(self.presence.online_count)
        self._subscribe()
        self._tasks: set[asyncio.Task[None]] = set()
        self._verbs: dict[str, Callable[..., None]] = {
            "version": self._on_version,
            announce.TABLE_CHANGED: self._on_table,
            "here": self._on_here,
            "who": self._on_who,
            "rematch": self._on_rematch,
            announce.CHAT_CHANGED: lambda table: table.publish(ChatChanged()),
        }
        self._collector = ThreadPoolExecutor(1, thread_name_prefix="collector")
        jit_warmup.start()
        self._stop_listening = announce.listen(self._announced)
        self._start(self.clock.keep_looking())
        self._start(outages.keep_pulsing())
        self._start(self.notices.keep_sending())
        self._start(online_status.keep_marking(self._players_here))
        if settings.REDIS_URL:
            self._connect_peers(settings.REDIS_URL)

    def _subscribe(self) -> None:
        """Subscribe the components to changes at tables; sockets are notified before them."""
        on = self.stream.subscribe
        presence, attendance, clock = self.presence, self.attendance, self.clock
        days, chat, bots = self.correspondence, self.chat, self.bots
        on(
            Moved,
            self.peers.moved,
            attendance.moved,
            clock.changed,
            days.changed,
            self._notify_away,
            bots.moved,
        )
        on(Ended, self._collect)
        on(
            SeatsChanged,
            attendance.changed,
            clock.changed,
            days.changed,
            chat.changed,
            bots.changed,
        )
        on(
            Joined,
            self.peers.joined,
            presence.changed,
            attendance.changed,
            clock.changed,
            days.changed,
            chat.joined,
            bots.changed,
        )
        on(
            Left,
            self.matches.left,
            presence.changed,
            self.peers.left,
            attendance.changed,
            clock.changed,
            days.changed,
        )
        on(PeersChanged, attendance.changed)
        on(RematchWanted, attendance.changed)
        on(ChatChanged, chat.changed)

    def _connect_peers(self, url: str) -> None:
        bus = Bus(
            url,
            (announce.LOBBY, PROCESSES),
            on_message=self._handle_message,
            on_subscribe=self._subscribed,
            on_reconnect=self._send_versions,
        )
        self.peers.bus = bus
        self.peers.is_alone = self.presence.is_alone
        bus.start()
        self._start(self._send_heartbeats(bus))

    async def aclose(self) -> None:
        """Stop everything, and write pending moves."""
        self._stop_listening()
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
        await self.notices.aclose()
        if self.peers.bus is not None:
            await self.peers.bus.aclose()
        await asyncio.to_thread(self._collector.shutdown)
        await asyncio.to_thread(self.writer.close)
        await asyncio.to_thread(self.reader.close)

    def _players_here(self) -> frozenset[int]:
        """Return the primary keys of the players with a socket in this process."""
        return self.matches.players() | self.lobby.players()

    def _notify_away(self, table: Table, change: Moved) -> None:
        """Notify players of a correspondence match that it is their turn."""
        if change.own and table.meta.days is not None:
            self.notices.match_moved(table.pk)

    def _collect(self, table: Table, _: Ended) -> None:
        """Run the hooks for a finished match, off the event loop."""
        if hooks.has_finished_hooks():
            self.loop.run_in_executor(self._collector, _run_finished_hooks, table.pk)

    def _announced(self, channel: str, message: str) -> None:
        """Pass an announcement from a thread of this process to the event loop."""
        try:
            # A new context: asgiref's markers in the thread's context would forbid database work.
            self.loop.call_soon_threadsafe(
                self._handle_message, channel, message, context=Context()
            )
        except RuntimeError:
            logger.info("the event loop has ended; %s was not announced", channel)

    def _handle_message(self, channel: str, message: str) -> None:
        """Act on a message from another process or from a thread of this one."""
        try:
            self._dispatch(channel, *message.split(" "))
        except Exception:  # one bad message must not stop the others
            logger.exception("a message on %s could not be handled: %r", channel, message)

    def _dispatch(self, channel: str, verb: str, *words: str) -> None:
        if channel == announce.LOBBY:
            self.lobby.changed()
        elif channel == PROCESSES:
            if self.presence.record_heartbeat(*words):
                self._send_versions()
        else:
            table = self._open_table(channel)
            if table is not None:
                self._verbs[verb](table, *words)

    def _open_table(self, channel: str) -> Table | None:
        """Return the table of a channel, if it has listeners here."""
        return self.matches.open.get(int(channel.rpartition(":")[2]))

    def _on_version(self, table: Table, version: str) -> None:
        if int(version) > table.version:
            self._start(self._follow_log(table))

    def _on_table(self, table: Table) -> None:
        self._start(self._refresh(table))

    def _on_here(self, table: Table, process: str, seats: str, watchers: str) -> None:
        if self.presence.record_process(process):
            self._send_versions()
        if self.presence.record_seats(table.pk, process, seats, watchers):
            table.publish(PeersChanged())

    def _on_who(self, table: Table, process: str) -> None:
        if self.presence.record_process(process):
            self._send_versions()
        if process != self.presence.process:
            self.presence.announce(table)

    def _on_rematch(self, table: Table, seat: str, how: str = "") -> None:
        table.rematch[int(seat)] = how == "swapped"
        table.publish(RematchWanted())

    def _send_versions(self) -> None:
        """Announce the versions of all matches, to a new process or after an outage of Redis."""
        for table in self.matches.all():
            self.peers.send_version(table)

    def _subscribed(self, channel: str) -> None:
        """Catch up with what was published before the subscription took effect."""
        if channel == announce.LOBBY:
            self.lobby.changed()
        elif channel != PROCESSES:
            table = self._open_table(channel)
            if table is not None:
                self.presence.request_announcements(table)
                self.presence.announce(table)
                table.publish(ChatChanged())
                self._start(self._refresh(table, always=True))

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

    async def _send_heartbeats(self, bus: Bus) -> None:
        while True:
            bus.publish(PROCESSES, f"alive {self.presence.process} {self.matches.sockets()}")
            await asyncio.sleep(ALIVE_EVERY)
            for match in self.presence.drop_silent():
                table = self.matches.open.get(match)
                if table is not None:
                    table.publish(PeersChanged())

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _run_finished_hooks(match: int) -> None:
    """Run the hooks in a worker thread, and close its database connection."""
    try:
        hooks.finished(match)
    finally:
        connection.close()


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
