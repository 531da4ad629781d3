"""What one process needs to play: made once for its event loop, and wired together here."""

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

from games import announce, hooks, outages, seen, warming
from games.adviser import Adviser
from games.attendance import Attendance
from games.bus import Bus
from games.clock import Clock
from games.conversation import Conversations
from games.deadlines import Deadlines
from games.driver import Driver
from games.hub import Hub
from games.judge import Judge
from games.live import Live, Matches
from games.lobby import Lobby
from games.post import Post
from games.presence import ALIVE_EVERY, Presence
from games.reader import Reader
from games.writer import Writer

logger = logging.getLogger(__name__)

PROCESSES = "cribbage:processes"


class Runtime:
    """The parts of a process, for one event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.writer = Writer()
        self.reader = Reader()
        self.hub = Hub()
        self.matches = Matches(self.reader, self.hub.listened)
        self.clock = Clock(self.matches, self._seats_changed, self.hub.tell_clock)
        self.deadlines = Deadlines(self.hub, self.hub.tell_clock)
        self.post = Post()
        self.presence = Presence(self.hub, time.monotonic, settings.ABSENCE_GRACE)
        self.attendance = Attendance(self.hub, self.presence)
        self.judge = Judge(
            self.writer, self.matches, self.hub, moved=self._moved, ended=self._ended
        )
        self.driver = Driver(self.judge, self.matches, self.hub, pause=settings.COMPUTER_PAUSE)
        self.adviser = Adviser(time.monotonic)
        self.conversations = Conversations(self.hub)
        self.lobby = Lobby(self.presence.online_count)
        self._tasks: set[asyncio.Task[None]] = set()
        self._verbs: dict[str, Callable[..., None]] = {
            "version": self._on_version,
            announce.TABLE_CHANGED: self._on_table,
            "here": self._on_here,
            "who": self._on_who,
            "rematch": self._on_rematch,
            announce.CHAT_CHANGED: self.conversations.changed,
        }
        self._collector = ThreadPoolExecutor(1, thread_name_prefix="collector")
        warming.start()
        self._stop_listening = announce.listen(self._announced)
        self._start(self.clock.keep_looking())
        self._start(outages.keep_beating())
        self._start(self.post.keep_sending())
        self._start(seen.keep_noting(self._players_here))
        if settings.REDIS_URL:
            channels = (announce.LOBBY, PROCESSES)
            bus = Bus(
                settings.REDIS_URL,
                channels,
                heard=self._heard,
                subscribed=self._subscribed,
                renewed=self._tell_again,
            )
            self.hub.bus = bus
            self.hub.alone = self.presence.alone
            bus.start()
            self._start(self._stay_alive(bus))

    async def aclose(self) -> None:
        """Stop everything; what is pending is written first."""
        self._stop_listening()
        self.attendance.aclose()
        self.lobby.aclose()
        self.adviser.aclose()
        await self.driver.aclose()
        await self.conversations.aclose()
        await self.clock.aclose()
        await self.deadlines.aclose()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.post.aclose()
        if self.hub.bus is not None:
            await self.hub.bus.aclose()
        await asyncio.to_thread(self._collector.shutdown)
        await asyncio.to_thread(self.writer.close)
        await asyncio.to_thread(self.reader.close)

    def _players_here(self) -> frozenset[int]:
        """Return who has a socket in this process, by primary key."""
        return self.hub.players() | self.lobby.players()

    def arrived(self, live: Live) -> None:
        """Tell everybody, everywhere, that somebody came to a table or left it."""
        self.presence.tell(live.pk)
        self.attendance.changed(live)
        self.clock.moved(live)
        self.deadlines.moved(live)

    def _moved(self, live: Live) -> None:
        """See to what follows from something new at a match: absent people, the clock."""
        self.attendance.moved(live)
        self.clock.moved(live)
        self.deadlines.moved(live)
        self.post.moved(live)

    def _ended(self, match: int) -> None:
        """Have those who asked for it told of a match that is over, off the event loop."""
        if hooks.asked():
            self.loop.run_in_executor(self._collector, _tell_finished, match)

    async def _seats_changed(self, live: Live) -> None:
        """Read the seats anew, and see that the match goes on."""
        await self.matches.refresh(live)
        self.attendance.changed(live)
        self.deadlines.moved(live)
        self.driver.wake(live)

    def _announced(self, channel: str, message: str) -> None:
        """Take an announcement of a thread of this process to the event loop."""
        try:
            # A context of its own: asgiref's marks of the thread's would forbid database work.
            self.loop.call_soon_threadsafe(self._heard, channel, message, context=Context())
        except RuntimeError:
            logger.info("the event loop has ended; %s was not told", channel)

    def _heard(self, channel: str, message: str) -> None:
        """Act on a message, of another process or of a thread of this one."""
        try:
            self._dispatch(channel, *message.split(" "))
        except Exception:  # one bad message must not end all listening
            logger.exception("a message that could not be acted on, on %s: %r", channel, message)

    def _dispatch(self, channel: str, verb: str, *words: str) -> None:
        if channel == announce.LOBBY:
            self.lobby.changed()
        elif channel == PROCESSES:
            if self.presence.heard_alive(*words):
                self._tell_again()
        else:
            live = self._listened(channel)
            if live is not None:
                self._verbs[verb](live, *words)

    def _listened(self, channel: str) -> Live | None:
        """Return the match of a channel, if somebody here listens to it."""
        live = self.matches.known(int(channel.rpartition(":")[2]))
        return live if live is not None and self.hub.listened(live.pk) else None

    def _on_version(self, live: Live, version: str) -> None:
        if int(version) > live.version:
            self._start(self._heal(live))

    def _on_table(self, live: Live) -> None:
        self._start(self._refresh(live))

    def _on_here(self, live: Live, process: str, seats: str, watchers: str) -> None:
        if self.presence.meets(process):
            self._tell_again()
        if self.presence.heard_here(live.pk, process, seats, watchers):
            self.attendance.changed(live)

    def _on_who(self, live: Live, process: str) -> None:
        if self.presence.meets(process):
            self._tell_again()
        if process != self.presence.process:
            self.presence.tell(live.pk)

    def _on_rematch(self, live: Live, seat: str, how: str = "") -> None:
        self.attendance.wants_rematch(live, int(seat), swap=how == "swapped")
        self.attendance.changed(live)

    def _tell_again(self) -> None:
        """Say where all matches are: to a process that is new, or after Redis was away."""
        for live in self.matches.all():
            self.hub.nudge(live)

    def _subscribed(self, channel: str) -> None:
        """Catch up with what was said before messages came in."""
        if channel == announce.LOBBY:
            self.lobby.changed()
        elif channel != PROCESSES:
            live = self._listened(channel)
            if live is not None:
                self.presence.ask(live.pk)
                self.presence.tell(live.pk)
                self._start(self._refresh(live))

    async def _heal(self, live: Live) -> None:
        """Read what another process wrote, tell it, and see that the match goes on."""
        try:
            news = await self.matches.catch_up(live)
        except DatabaseError:
            logger.exception("match %s could not be read", live.header.public_id)
            return
        if news:
            self.hub.tell(live)
            self.attendance.moved(live)
            self.clock.moved(live)
            self.deadlines.moved(live)
        self.driver.watch(live)

    async def _refresh(self, live: Live) -> None:
        """Read seats and log anew, and tell both."""
        try:
            await self.matches.refresh(live)
        except DatabaseError:
            logger.exception("match %s could not be read", live.header.public_id)
        await self._heal(live)
        self.attendance.changed(live)
        self.conversations.changed(live)
        self.deadlines.moved(live)
        self.driver.wake(live)

    async def _stay_alive(self, bus: Bus) -> None:
        while True:
            bus.publish(PROCESSES, f"alive {self.presence.process} {self.hub.sockets}")
            await asyncio.sleep(ALIVE_EVERY)
            for match in self.presence.forget_silent():
                live = self.matches.known(match)
                if live is not None and self.hub.listened(match):
                    self.attendance.changed(live)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _tell_finished(match: int) -> None:
    """Run the hooks in a thread, which keeps no connection."""
    try:
        hooks.finished(match)
    finally:
        connection.close()


_current: Runtime | None = None


def runtime() -> Runtime:
    """Return the parts that belong to the running event loop, made at the first call."""
    global _current  # noqa: PLW0603 - one for each process
    loop = asyncio.get_running_loop()
    if _current is None or _current.loop is not loop:
        _current = Runtime()
    return _current


async def shut_down() -> None:
    """Close the parts of the running event loop."""
    global _current
    if _current is not None and _current.loop is asyncio.get_running_loop():
        current, _current = _current, None
        await current.aclose()
