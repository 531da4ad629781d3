"""Applications to compare: raw ASGI, ours, stock Channels, and a naive complete stack.

One ASGI application serves all by path, and the site itself under ``/ws/``.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from typing import Any, ClassVar, cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from django.conf import settings
from django.db import transaction
from django.urls import re_path
from django.utils import timezone

import cribbage_site.asgi as site
from games.cluster.bus import Bus
from games.engine import rules
from games.engine.moves import to_text
from games.engine.view import view_for
from games.live import dealing
from games.log.match_meta import load
from games.log.store import Entry, append
from games.log.writer import Writer
from games.models import Match, Move
from games.sockets.connection import Socket
from games.wire.protocol import Act, Command, Hello, parse
from games.wire.serializers import dumps, event_json, view_json

settings.CHANNEL_LAYERS = {
    name: {
        "BACKEND": f"channels_redis.{backend}",
        "CONFIG": {"hosts": [settings.REDIS_URL]},
    }
    for name, backend in (
        ("pubsub", "pubsub.RedisPubSubChannelLayer"),
        ("redis", "core.RedisChannelLayer"),
    )
}

VIEW = "v" * 400
"""As many bytes as a small message of the table."""

SLOW_S = 0.05
"""Seconds of processor time of a slow call."""

ECHO = dumps({"t": "echo", "d": VIEW})


async def raw_echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer each message with one of the same size, without a framework."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": ECHO})


_pairs: defaultdict[str, list[Any]] = defaultdict(list)


async def raw_pair(scope: Any, receive: Any, send: Any) -> None:
    """Answer to both sockets of a room: the least that a move for two can cost on this server."""
    both = _pairs[scope["url_route"]["kwargs"]["room"]]
    await receive()
    await send({"type": "websocket.accept"})
    both.append(send)
    while (await receive())["type"] == "websocket.receive":
        for one in both:
            await one({"type": "websocket.send", "text": ECHO})
    both.remove(send)


class Parsing(Socket[Command]):
    """Our consumer's base: parsing, rate limit and send queue."""

    kind = "measured"

    def read(self, text: str) -> Command:
        """Parse a message."""
        return parse(text)


class Echo(Parsing):
    """Our consumer with an echo."""

    async def command(self, command: Command) -> None:
        """Answer."""
        self.send_queue.put(ECHO)


class StockEcho(AsyncWebsocketConsumer):
    """Channels' consumer with an echo."""

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer."""
        await self.send(text_data=ECHO)


class Fan(Parsing):
    """Sends to all sockets of a room in this process, like `games.live.table`."""

    rooms: ClassVar[defaultdict[str, set[Fan]]] = defaultdict(set)

    async def opened(self) -> None:
        """Join the room."""
        self.room = self.scope["url_route"]["kwargs"]["room"]
        self.rooms[self.room].add(self)

    async def closed(self) -> None:
        """Leave the room."""
        self.rooms[self.room].discard(self)

    async def command(self, command: Command) -> None:
        """Send to the room."""
        self.tell(self.room)

    @classmethod
    def tell(cls, room: str) -> None:
        """Send to all sockets of a room in this process."""
        for socket in tuple(cls.rooms[room]):
            socket.send_queue.push(ECHO)


class FanAcross(Fan):
    """Sends to the sockets of a room in all processes, over our own bus."""

    rooms: ClassVar[defaultdict[str, set[Fan]]] = defaultdict(set)
    bus: Bus | None = None

    async def opened(self) -> None:
        """Join the room."""
        await super().opened()
        cls = type(self)
        if cls.bus is None:
            cls.bus = Bus(
                settings.REDIS_URL,
                ["bench"],
                on_message=cls.heard,
                on_subscribe=lambda _: None,
                on_reconnect=lambda: None,
            )
            cls.bus.start()
        cls.bus.subscribe(f"bench:{self.room}")

    async def command(self, command: Command) -> None:
        """Send to local sockets, and notify the other processes."""
        self.tell(self.room)
        if self.bus is not None:
            self.bus.publish(f"bench:{self.room}", f"version {os.getpid()}")

    @classmethod
    def heard(cls, channel: str, message: str) -> None:
        """Send to local sockets after a notification from another process."""
        if message != f"version {os.getpid()}":
            cls.tell(channel.rpartition(":")[2])


class StockFan(AsyncWebsocketConsumer):
    """Groups of a channel layer, with Channels' consumer."""

    channel_layer_alias = "pubsub"

    async def connect(self) -> None:
        """Join the room."""
        self.room = self.scope["url_route"]["kwargs"]["room"]
        await self.channel_layer.group_add(self.room, self.channel_name)
        await self.accept()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Send to the group."""
        await self.channel_layer.group_send(self.room, {"type": "told"})

    async def told(self, event: Any) -> None:
        """Send the message."""
        await self.send(text_data=ECHO)


class Durable(Fan):
    """Stores each message as a move before sending, with our Writer."""

    rooms: ClassVar[defaultdict[str, set[Fan]]] = defaultdict(set)
    sequences: ClassVar[defaultdict[str, int]] = defaultdict(int)
    writer: Writer | None = None

    def entry(self) -> Entry:
        """Return the next entry of the room's match."""
        sequence = self.sequences[self.room]
        self.sequences[self.room] += 1
        return Entry(int(self.room), sequence, 0, "0 play 5H", "bench-1", timezone.now())

    async def command(self, command: Command) -> None:
        """Store, then send."""
        cls = type(self)
        if cls.writer is None:
            cls.writer = Writer()
        if not await cls.writer.append(self.entry()):
            raise RuntimeError("another process writes to this match")
        self.tell(self.room)


class SingleInsert(Durable):
    """One INSERT and commit per move, in the database thread."""

    rooms: ClassVar[defaultdict[str, set[Fan]]] = defaultdict(set)
    sequences: ClassVar[defaultdict[str, int]] = defaultdict(int)

    async def command(self, command: Command) -> None:
        """Store, then send."""
        await database_sync_to_async(append)([self.entry()])
        self.tell(self.room)


class LockedRow(Durable):
    """The common way: lock the match, update it, insert the move."""

    rooms: ClassVar[defaultdict[str, set[Fan]]] = defaultdict(set)
    sequences: ClassVar[defaultdict[str, int]] = defaultdict(int)

    async def command(self, command: Command) -> None:
        """Store, then send."""
        await database_sync_to_async(self.store)(self.entry())
        self.tell(self.room)

    @staticmethod
    def store(entry: Entry) -> None:
        """Write with the ORM in one transaction."""
        with transaction.atomic():
            match = Match.objects.select_for_update().get(pk=entry.match)
            match.started_at = entry.at
            match.save(update_fields=["started_at"])
            Move.objects.create(
                match=match,
                sequence=entry.sequence,
                seat=entry.seat,
                text=entry.text,
                client_id=entry.client_id,
                at=entry.at,
            )


class Naive(AsyncWebsocketConsumer):
    """A complete table the common way: Channels' consumer, RedisChannelLayer, select_for_update.

    It uses our engine and keeps states in memory, so that only the stack differs.
    """

    channel_layer_alias = "redis"
    states: ClassVar[dict[int, Any]] = {}

    async def connect(self) -> None:
        """Join the table; the seat is in the path."""
        kwargs = self.scope["url_route"]["kwargs"]
        self.seat = int(kwargs["seat"])
        meta = await database_sync_to_async(load)(public_id=kwargs["room"])
        if meta is None:
            raise RuntimeError("no such match")
        self.meta = meta
        await self.channel_layer.group_add(self.meta.public_id, self.channel_name)
        await self.accept()
        state = await database_sync_to_async(self.judge)(None)
        await self.send(dumps({"t": "view", "d": view_json(view_for(state, self.seat), log=True)}))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Judge, store and send a move."""
        command = parse(text_data or "")
        if isinstance(command, Act):
            await database_sync_to_async(self.judge)(command)
            event = {"type": "told"}
            await self.channel_layer.group_send(self.meta.public_id, event)

    async def told(self, event: Any) -> None:
        """Send this seat's view."""
        state = self.states[self.meta.pk]
        view = view_json(view_for(state, self.seat))
        await self.send(dumps({"t": "steps", "d": {"v": state.sequence, "view": view}}))

    def judge(self, command: Act | None) -> Any:
        """Apply a move and the deals that follow, in one transaction."""
        pk = self.meta.pk
        with transaction.atomic():
            match = Match.objects.select_for_update().get(pk=pk)
            state = self.states.get(pk) or rules.start(self.meta.ruleset)
            if command is not None:
                state = self.write(match, state, command.make(self.seat), command.id)
            while (drawn := dealing.draw(state)) is not None:
                state = self.write(match, state, drawn, "")
            match.started_at = timezone.now()
            match.save(update_fields=["started_at"])
        self.states[pk] = state
        return state

    def write(self, match: Match, state: Any, move: Any, ident: str) -> Any:
        """Judge and insert one move."""
        step = rules.apply(state, move)
        for event in step.events:
            event_json(event)
        seat = getattr(move, "seat", None)
        Move.objects.create(
            match=match, sequence=state.sequence, seat=seat, text=to_text(move), client_id=ident
        )
        return step.state


class Slow(Socket[Command]):
    """Reads and builds objects for 50 ms, like a page with a long list."""

    kind = "slow"

    def read(self, text: str) -> Command:
        """Accept any message."""
        return Hello(None)

    async def command(self, command: Command) -> None:
        """Make the call, and answer."""
        await database_sync_to_async(self.call)()
        self.send_queue.put("{}")

    @staticmethod
    def call() -> None:
        """Work with the interpreter lock held, which `pg_sleep` would release."""
        started = time.thread_time()
        while time.thread_time() - started < SLOW_S:
            list(Match.objects.select_related("created_by")[:50])


_ROOM = r"(?P<room>[a-z0-9]+)/"
_apps = URLRouter(
    [
        re_path("^raw/", cast(Any, raw_echo)),
        re_path(f"^rawpair/{_ROOM}", cast(Any, raw_pair)),
        re_path("^ours/", cast(Any, Echo.as_asgi())),
        re_path("^slow/", cast(Any, Slow.as_asgi())),
        re_path("^stock/", cast(Any, StockEcho.as_asgi())),
        re_path(f"^fan/{_ROOM}", cast(Any, Fan.as_asgi())),
        re_path(f"^across/{_ROOM}", cast(Any, FanAcross.as_asgi())),
        re_path(f"^stockfan/{_ROOM}", cast(Any, StockFan.as_asgi())),
        re_path(f"^durable/{_ROOM}", cast(Any, Durable.as_asgi())),
        re_path(f"^insert/{_ROOM}", cast(Any, SingleInsert.as_asgi())),
        re_path(f"^locked/{_ROOM}", cast(Any, LockedRow.as_asgi())),
        re_path(f"^naive/{_ROOM}(?P<seat>[0-2])/", cast(Any, Naive.as_asgi())),
    ]
)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Serve the site at its own paths, and the applications to compare at the others."""
    if scope["type"] == "websocket" and not scope["path"].startswith("/ws/"):
        await _apps(scope, receive, send)
    else:
        await site.application(scope, receive, send)
