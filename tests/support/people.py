"""Matches in the test's database, logged-in browsers, and table sockets without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import orjson
from django.test import Client

from cribbage_site.session import players
from games.bots import levels
from games.engine.state import Ruleset
from games.live.runtime import shut_down
from games.models import Match, Player
from games.people.accounts import create_guest
from games.sockets.consumers import TableSocket
from games.tables.tables import create_match, join_match

WITHIN = 240.0
"""Time limit in seconds for a scenario: a computer's first move may wait for compilation."""


def as_(player: Player) -> Client:
    """Return a browser in which this player is logged in."""
    client = Client()
    client.force_login(player)
    return client


def make_match(**rules: Any) -> tuple[Match, list[Player]]:
    """Create a match with guests in all seats; return the match and the guests in order."""
    people = [create_guest() for _ in range(rules.get("players", 2))]
    match = create_match(creator=people[0], ruleset=Ruleset(**rules))
    for person in people[1:]:
        join_match(player=person, invite=match.invite)
    return Match.objects.get(pk=match.pk), people


def make_computer_match(**rules: Any) -> tuple[Match, Player]:
    """Create a match of one guest against computers."""
    person = create_guest()
    ruleset = Ruleset(**rules)
    computers = {seat: levels()[0].name for seat in range(1, ruleset.players)}
    match = create_match(creator=person, ruleset=ruleset, computers=computers)
    return match, person


def run(scenario: Coroutine[Any, Any, None]) -> None:
    """Run a scenario on a new event loop, and shut the site's runtime down afterwards."""

    async def whole() -> None:
        try:
            async with asyncio.timeout(WITHIN):
                await scenario
        finally:
            await shut_down()

    asyncio.run(whole())


class Wire:
    """A connection to a table without a server, by calling the consumer's ASGI interface.

    With ``session``, the key of the browser's session, the site can check whether it is over.
    """

    def __init__(self, match: Match, player: Player | None, *, session: str = "") -> None:
        self.closed: int | None = None
        self.heard: list[str] = []
        self._scope: dict[str, Any] = {
            "type": "websocket",
            "user": player,
            "url_route": {"kwargs": {"public_id": match.public_id}},
        }
        if session:
            self._scope["login"] = (players, session)
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._out: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def open(self, *, version: int | None = None, hello: bool = True) -> Wire:
        """Connect and say hello."""
        self._in.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(TableSocket(self._scope, self._in.get, self._send).run())
        if hello:
            self.send({"t": "hello", "d": {"v": version}})
        return self

    @property
    def kinds(self) -> set[str]:
        """Return the types of all messages received."""
        return {orjson.loads(text)["t"] for text in self.heard}

    def send(self, message: dict[str, Any]) -> None:
        """Send a message to the site."""
        self._in.put_nowait({"type": "websocket.receive", "text": orjson.dumps(message).decode()})

    async def hear(self, kind: str, **wanted: Any) -> dict[str, Any]:
        """Return the data of the next message of this kind whose fields are as wanted."""
        while True:
            message = await self._out.get()
            data: dict[str, Any] = message.get("d", {})
            if message["t"] == kind and all(data.get(k) == v for k, v in wanted.items()):
                return data

    async def ask(self, kind: str, ident: str = "a-1", **data: Any) -> dict[str, Any]:
        """Send a message with an id; return the message that answers it."""
        self.send({"t": kind, "d": data, "id": ident})
        while True:
            message = await self._out.get()
            if message.get("id") == ident:
                return message

    async def hang_up(self) -> None:
        """Close the connection."""
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self.ended()

    async def ended(self) -> None:
        """Wait until the site has closed the connection."""
        if self._task is not None:
            await self._task

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.close":
            self.closed = message["code"]
        elif message["type"] == "websocket.send":
            self.heard.append(message["text"])
            self._out.put_nowait(orjson.loads(message["text"]))
