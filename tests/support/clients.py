"""A minimal table client: it plays legal moves at random and records every message."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import ssl
from collections.abc import Callable
from functools import partial
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.support.contract import check_message
from tests.support.waiting import DEADLINE, GAME_S

_names = itertools.count()


class Client:
    """One player or watcher at one match.

    Attributes:
        heard: every text received, in order.
        view: the newest view; ``version`` is its number.
        table: the newest table message.
        acknowledged: client id -> version, for each accepted move.
        sent: client id -> message, for each move sent.
        refused: the codes of the errors received.

    ``claim`` is what it claims for each hand and play; by chance if it is None.
    """

    cookie_name = "sessionid"
    tls: ssl.SSLContext | None = None
    origin = ""
    patience = DEADLINE

    def __init__(
        self, url: str, match: str, cookie: str | None, *, seed: int = 0, claim: int | None = None
    ) -> None:
        self.url = url
        self.match = match
        self.cookie = cookie
        self.name = f"c{next(_names)}"
        self.heard: list[str] = []
        self.view: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.acknowledged: dict[str, int] = {}
        self.sent: dict[str, dict[str, Any]] = {}
        self.refused: list[str] = []
        self.steps: list[tuple[int, int]] = []
        self._random = random.Random(seed)
        self._claim = claim
        self._count = 0
        self._socket: ClientConnection | None = None
        self._waiting_for: str | None = None

    @property
    def socket(self) -> ClientConnection:
        """The open socket."""
        assert self._socket is not None, "not connected"
        return self._socket

    @property
    def version(self) -> int | None:
        """The version of the newest view."""
        return self.view.get("v")

    @property
    def over(self) -> bool:
        """Whether the match has ended, as far as this client knows."""
        return self.view.get("phase") == "over"

    async def connect(self, *, hello: bool = True) -> Self:
        """Open the socket and say hello with the last version known."""
        headers = {"Cookie": f"{self.cookie_name}={self.cookie}"} if self.cookie else {}
        self._socket = await connect(
            f"{self.url}/ws/t/{self.match}/",
            origin=self.origin or self.url.replace("ws", "http", 1),  # type: ignore[arg-type]
            ssl=self.tls,
            additional_headers=headers,
            open_timeout=self.patience,
            compression=None,
            proxy=None,
            max_size=None,
        )
        if hello:
            await self.send("hello", {"v": self.version})
        return self

    async def __aenter__(self) -> Self:
        return await self.connect()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the socket."""
        if self._socket is not None:
            await self._socket.close()

    async def send(self, kind: str, data: dict[str, Any] | None = None, ident: str = "") -> None:
        """Send one message."""
        message: dict[str, Any] = {"t": kind, "d": data or {}}
        if ident:
            message["id"] = ident
        await self.socket.send(json.dumps(message))

    async def act(self, kind: str, data: dict[str, Any] | None = None) -> str:
        """Send a message with an id; return the id."""
        self._count += 1
        ident = f"{self.name}-{self._count}"
        self.sent[ident] = {"t": kind, "d": data or {}, "id": ident}
        self._waiting_for = ident
        await self.socket.send(json.dumps(self.sent[ident]))
        return ident

    async def hear(self, *, within: float = DEADLINE) -> dict[str, Any]:
        """Receive one message and update the client's state."""
        text = await asyncio.wait_for(self.socket.recv(), within)
        assert isinstance(text, str)
        self.heard.append(text)
        check_message(text)
        message: dict[str, Any] = json.loads(text)
        self._take(message)
        return message

    async def hear_until(
        self, wanted: Callable[[dict[str, Any]], bool], *, within: float = DEADLINE
    ) -> dict[str, Any]:
        """Receive messages until one satisfies ``wanted``; return it."""
        async with asyncio.timeout(within):
            while True:
                message = await self.hear(within=within)
                if wanted(message):
                    return message

    async def see(self, wanted: Callable[[], bool], *, within: float = DEADLINE) -> None:
        """Receive messages until ``wanted`` is true, which it may be already."""
        async with asyncio.timeout(within):
            while not wanted():
                await self.hear(within=within)

    async def hear_view(self, *, within: float = DEADLINE) -> dict[str, Any]:
        """Receive messages until the view has arrived or changed; return it."""
        await self.hear_until(lambda m: m["t"] in {"view", "steps"}, within=within)
        return self.view

    async def refusal(self) -> str:
        """Receive messages until one is an error; return its code."""
        message = await self.hear_until(lambda m: m["t"] == "error")
        return str(message["d"]["code"])

    async def play(
        self, *, until: Callable[[], bool] | None = None, within: float = GAME_S
    ) -> None:
        """Play legal moves until the match is over or ``until`` is true."""
        async with asyncio.timeout(within):
            while not self.over and not (until and until()):
                await self._offer()
                await self.hear(within=within)

    async def play_through(self, ports: Callable[[], str], *, within: float = GAME_S) -> None:
        """Play to the end whatever happens to the server, reconnecting and resending."""
        async with asyncio.timeout(within):
            while not self.over:
                try:
                    self.url = ports()
                    await self.connect()
                    await self._resend()
                    await self.play(within=within)
                except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                    await asyncio.sleep(0.1)

    async def _resend(self) -> None:
        if self._waiting_for is not None:
            await self.socket.send(json.dumps(self.sent[self._waiting_for]))

    async def _offer(self) -> None:
        if self._waiting_for is not None or not self.view:
            return
        legal = self.view["legal"]
        match legal["action"]:
            case "discard":
                cards = self._random.sample(legal["cards"], legal["number"])
                await self.act("discard", {"cards": cards})
            case "play":
                data: dict[str, Any] = {"card": self._random.choice(legal["cards"])}
                if legal["claims"]:
                    data["claim"] = self._points(0, 2, 3)
                await self.act("play", data)
            case "claim":
                await self.act("claim", {"points": self._points(*range(13))})
            case "answer" if self._random.random() < 0.5:
                await self.act("muggins", {"points": self._random.randrange(1, 5)})
            case "answer":
                await self.act("pass")

    def _points(self, *allowed: int) -> int:
        return self._random.choice(allowed) if self._claim is None else self._claim

    def _take(self, message: dict[str, Any]) -> None:
        kind, data = message["t"], message.get("d", {})
        if kind == "view":
            self.view = data
        elif kind == "steps":
            if self.version is not None:
                assert data["from"] == self.version, "a gap between two messages"
            assert len(data["events"]) == data["v"] - data["from"]
            self.steps.append((data["from"], data["v"]))
            self.view = data["view"]
        elif kind == "table":
            self.table = data
        elif kind == "ok":
            self.acknowledged[message["id"]] = data["v"]
        elif kind == "error":
            self.refused.append(data["code"])
        if kind in {"ok", "error"} and message.get("id") == self._waiting_for:
            self._waiting_for = None


async def play_match(*clients: Client, within: float = GAME_S, points: int | None = None) -> None:
    """Connect all clients and play their match, to the end or until somebody has ``points``."""

    def reached(client: Client) -> bool:
        scores = client.view.get("scores", [0])
        return points is not None and max(scores) >= points

    for client in clients:
        await client.connect()
    await asyncio.gather(
        *(client.play(until=partial(reached, client), within=within) for client in clients)
    )
