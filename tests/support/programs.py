"""A minimal program at a table of a real server."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect

from tests.support.contract import PROGRAM, check_message
from tests.support.servers import manage
from tests.support.waiting import DEADLINE, GAME_S

_MAKE = """
from games.models import Player
from games.people.programs import create_program
owner, _ = Player.objects.get_or_create(username="Margery", defaults={"name": "Margery"})
print(create_program(owner=owner, name="%s")[1])
"""
_REVOKE = """
from games.models import Player
from games.people.programs import revoke_token
revoke_token(program=Player.objects.get(name="%s"))
"""


def make_program(database_url: str, name: str = "Deep Crib") -> str:
    """Create a program owned by Margery; return its token."""
    return manage(database_url, "shell", "-v", "0", "-c", _MAKE % name).strip()


def revoke_program(database_url: str, name: str = "Deep Crib") -> None:
    """Revoke a program's token."""
    manage(database_url, "shell", "-v", "0", "-c", _REVOKE % name)


class Program:
    """One connection; it answers with the first legal cards.

    Attributes:
        heard: every message received, in order.
    """

    def __init__(self, url: str, token: str | None, **headers: str) -> None:
        self.url = url
        self.headers = dict(headers)
        if token is not None:
            self.headers["Authorization"] = f"Bearer {token}"
        self.heard: list[dict[str, Any]] = []
        self._socket: ClientConnection | None = None

    @property
    def socket(self) -> ClientConnection:
        """The open socket."""
        assert self._socket is not None, "not connected"
        return self._socket

    async def __aenter__(self) -> Self:
        self._socket = await connect(
            f"{self.url}/ws/bot/",
            additional_headers=self.headers,
            compression=None,
            proxy=None,
            max_size=None,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()

    async def say(self, message: dict[str, Any]) -> None:
        """Send one message."""
        await self.socket.send(json.dumps(message))

    async def join(self, **where: str) -> None:
        """Take a seat."""
        await self.say({"t": "join", "d": where})

    async def hear(self, *kinds: str, within: float = DEADLINE) -> dict[str, Any]:
        """Receive messages until one is of these kinds; return it."""
        async with asyncio.timeout(within):
            while True:
                text = str(await self.socket.recv())
                check_message(text, PROGRAM)
                message: dict[str, Any] = json.loads(text)
                self.heard.append(message)
                if message["t"] in kinds:
                    return message

    async def answer(self, question: dict[str, Any]) -> None:
        """Answer a question."""
        legal = question["view"]["legal"]
        if question["t"] == "discard":
            await self.say({"cards": legal["cards"][: legal["number"]]})
        else:
            await self.say({"card": legal["cards"][0]})

    async def play(self, *, within: float = GAME_S) -> dict[str, Any]:
        """Answer all questions until the match is over; return the final view."""
        async with asyncio.timeout(within):
            while True:
                message = await self.hear("discard", "play", "over", within=within)
                if message["t"] == "over":
                    view: dict[str, Any] = message["view"]
                    return view
                await self.answer(message)
