"""The applications that are measured: raw, ours, stock Channels, and a naive whole stack.

One ASGI application with all of them, by path; under ``/ws/`` is the site itself.
"""

from __future__ import annotations

import os
from collections import defaultdict
from typing import Any, ClassVar

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from django.conf import settings
from django.db import connection, transaction
from django.urls import re_path
from django.utils import timezone

import cribbage_site.asgi as site
from games import chance
from games.bus import Bus
from games.engine import rules
from games.engine.moves import to_text
from games.engine.view import view_for
from games.headers import load
from games.models import Match, Move
from games.protocol import Act, Command, Hello, parse
from games.sockets import Socket
from games.store import Entry, append
from games.wire import dumps, event_json, view_json
from games.writer import Writer

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
"""As many bytes as a small message of the table has."""

ECHO = dumps({"t": "echo", "d": VIEW})


async def raw_echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer each message with one of the same size, with nothing between."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": ECHO})


class Parsing(Socket[Command]):
    """Our consumer's frame: parsed, rate-limited, through the outbox."""

    kind = "measured"

    def read(self, text: str) -> Command:
        """Return the command that a message is."""
        return parse(text)


class Echo(Parsing):
    """Our consumer with nothing behind it."""

    async def command(self, command: Command) -> None:
        """Answer."""
        self.outbox.put(ECHO)


class StockEcho(AsyncWebsocketConsumer):
    """The consumer that Channels comes with."""

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer."""
        await self.send(text_data=ECHO)


class Fan(Parsing):
    """Tells all sockets of a room in this process, as `games.hub` does."""

    rooms: ClassVar[defaultdict[str, set[Fan]]] = defaultdict(set)

    async def opened(self) -> None:
        """Join the room."""
        self.room = self.scope["url_route"]["kwargs"]["room"]
        self.rooms[self.room].add(self)

    async def closed(self) -> None:
        """Leave it."""
        self.rooms[self.room].discard(self)

    async def command(self, command: Command) -> None:
        """Tell everybody."""
        self.tell(self.room)

    @classmethod
    def tell(cls, room: str) -> None:
        """Send to everybody of a room in this process."""
        for socket in tuple(cls.rooms[room]):
            socket.outbox.push(ECHO)


class FanAcross(Fan):
    """Tells the sockets of a room in all processes, by our own bus."""

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
                heard=cls.heard,
                subscribed=lambda _: None,
                renewed=lambda: None,
            )
            cls.bus.start()
        cls.bus.subscribe(f"bench:{self.room}")

    async def command(self, command: Command) -> None:
        """Tell those here, and nudge the others."""
        self.tell(self.room)
        if self.bus is not None:
            self.bus.publish(f"bench:{self.room}", f"version {os.getpid()}")

    @classmethod
    def heard(cls, channel: str, message: str) -> None:
        """Tell those here of what happened elsewhere."""
        if message != f"version {os.getpid()}":
            cls.tell(channel.rpartition(":")[2])


class StockFan(AsyncWebsocketConsumer):
    """Groups of a channel layer, with the consumer that Channels comes with."""

    channel_layer_alias = "pubsub"

    async def connect(self) -> None:
        """Join the room."""
        self.room = self.scope["url_route"]["kwargs"]["room"]
        await self.channel_layer.group_add(self.room, self.channel_name)
        await self.accept()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Tell everybody."""
        await self.channel_layer.group_send(self.room, {"type": "told"})

    async def told(self, event: Any) -> None:
        """Send what was told."""
        await self.send(text_data=ECHO)


class Durable(Fan):
    """Stores each message as a move before telling: our Writer."""

    rooms: ClassVar[defaultdict[str, set[Fan]]] = defaultdict(set)
    sequences: ClassVar[defaultdict[str, int]] = defaultdict(int)
    writer: Writer | None = None

    def entry(self) -> Entry:
        """Return the next entry of the room's match."""
        sequence = self.sequences[self.room]
        self.sequences[self.room] += 1
        return Entry(int(self.room), sequence, 0, "0 play 5H", "bench-1", timezone.now())

    async def command(self, command: Command) -> None:
        """Store, then tell."""
        cls = type(self)
        if cls.writer is None:
            cls.writer = Writer()
        if not await cls.writer.append(self.entry()):
            raise RuntimeError("somebody else writes to this match")
        self.tell(self.room)


class SingleInsert(Durable):
    """One INSERT and commit for each move, in the thread for database work."""

    rooms: ClassVar[defaultdict[str, set[Fan]]] = defaultdict(set)
    sequences: ClassVar[defaultdict[str, int]] = defaultdict(int)

    async def command(self, command: Command) -> None:
        """Store, then tell."""
        await database_sync_to_async(append)([self.entry()])
        self.tell(self.room)


class LockedRow(Durable):
    """The common way: lock the match, change it, insert the move."""

    rooms: ClassVar[defaultdict[str, set[Fan]]] = defaultdict(set)
    sequences: ClassVar[defaultdict[str, int]] = defaultdict(int)

    async def command(self, command: Command) -> None:
        """Store, then tell."""
        await database_sync_to_async(self.store)(self.entry())
        self.tell(self.room)

    @staticmethod
    def store(entry: Entry) -> None:
        """Write in one transaction, by the ORM."""
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
    """A whole table the common way: Channels' consumer and RedisChannelLayer, select_for_update.

    It judges with our engine and keeps states in memory, so that what differs is the stack.
    """

    channel_layer_alias = "redis"
    states: ClassVar[dict[int, Any]] = {}

    async def connect(self) -> None:
        """Join the table; the seat comes with the address."""
        kwargs = self.scope["url_route"]["kwargs"]
        self.seat = int(kwargs["seat"])
        self.header = await database_sync_to_async(load)(public_id=kwargs["room"])
        await self.channel_layer.group_add(self.header.public_id, self.channel_name)
        await self.accept()
        state = await database_sync_to_async(self.judge)(None)
        await self.send(dumps({"t": "view", "d": view_json(view_for(state, self.seat), log=True)}))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Judge, store, tell."""
        command = parse(text_data or "")
        if isinstance(command, Act):
            await database_sync_to_async(self.judge)(command)
            event = {"type": "told"}
            await self.channel_layer.group_send(self.header.public_id, event)

    async def told(self, event: Any) -> None:
        """Send this seat's view."""
        state = self.states[self.header.pk]
        view = view_json(view_for(state, self.seat))
        await self.send(dumps({"t": "steps", "d": {"v": state.sequence, "view": view}}))

    def judge(self, command: Act | None) -> Any:
        """Take a move, and what chance brings, in one transaction."""
        pk = self.header.pk
        with transaction.atomic():
            match = Match.objects.select_for_update().get(pk=pk)
            state = self.states.get(pk) or rules.start(self.header.ruleset)
            if command is not None:
                state = self.write(match, state, command.make(self.seat), command.id)
            while (drawn := chance.draw(state)) is not None:
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
    """Makes a call of 50 ms to the database, as a page with a bad query would."""

    kind = "slow"

    def read(self, text: str) -> Command:
        """Take anything."""
        return Hello(None)

    async def command(self, command: Command) -> None:
        """Call, and answer."""
        await database_sync_to_async(self.call)()
        self.outbox.put("{}")

    @staticmethod
    def call() -> None:
        """Have the database wait."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.05)")


_ROOM = r"(?P<room>[a-z0-9]+)/"
_apps = URLRouter(
    [
        re_path("^raw/", raw_echo),
        re_path("^ours/", Echo.as_asgi()),
        re_path("^slow/", Slow.as_asgi()),
        re_path("^stock/", StockEcho.as_asgi()),
        re_path(f"^fan/{_ROOM}", Fan.as_asgi()),
        re_path(f"^across/{_ROOM}", FanAcross.as_asgi()),
        re_path(f"^stockfan/{_ROOM}", StockFan.as_asgi()),
        re_path(f"^durable/{_ROOM}", Durable.as_asgi()),
        re_path(f"^insert/{_ROOM}", SingleInsert.as_asgi()),
        re_path(f"^locked/{_ROOM}", LockedRow.as_asgi()),
        re_path(f"^naive/{_ROOM}(?P<seat>[0-2])/", Naive.as_asgi()),
    ]
)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Serve the site itself under its own addresses, and what is measured under the others."""
    if scope["type"] == "websocket" and not scope["path"].startswith("/ws/"):
        await _apps(scope, receive, send)
    else:
        await site.application(scope, receive, send)
