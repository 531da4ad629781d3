"""Load clients that play real matches by always taking the first legal choice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.wsload import Room, Socket, connect


class GameRoom(Room):
    """The people of a real match; a move is one decision.

    Attributes:
        meter: returns the processor time that the server has used so far.
        used: what it used during each wait, seconds.
    """

    meter: Callable[[], float] | None = None

    def __init__(self, sockets: Sequence[Socket]) -> None:
        super().__init__(sockets, lambda _: b"")
        self._listen()
        self._views: list[dict[str, Any]] = [{} for _ in sockets]
        self._version = -1
        self._asked = False
        self._number = 0
        self._last = self._before = 0.0
        self.used: list[float] = []
        self.ended = asyncio.Event()

    @property
    def seated(self) -> bool:
        """Whether everybody has a view.

        Raises:
            ConnectionError: if the server has closed a socket.
        """
        if any(socket.closed for socket in self.sockets):
            raise ConnectionError("a socket was closed")
        return all(self._views)

    def _listen(self) -> None:
        for seat, socket in enumerate(self.sockets):
            socket.heard = lambda text, seat=seat: self._take(seat, text)  # type: ignore[misc]

    def _send(self) -> None:
        """Play the next move, once both players have received the last one."""
        versions = {view.get("v") for view in self._views}
        if not self._running or self._asked or len(versions) != 1 or versions == {None}:
            return
        for seat, view in enumerate(self._views):
            legal = view["legal"]
            if legal["action"] in {"discard", "play"}:
                self._number += 1
                cards = legal["cards"][: legal["number"]]
                data = {"cards": cards} if legal["action"] == "discard" else {"card": cards[0]}
                message = {"t": legal["action"], "d": data, "id": f"g-{self._number}"}
                self._asked = True
                self._before = self.meter() if self.meter else 0.0
                self._sent = self._last = asyncio.get_running_loop().time()
                self.sockets[seat].send(json.dumps(message).encode())
                return

    def _take(self, seat: int, text: bytes) -> None:
        message = json.loads(text)
        if message["t"] == "error":
            raise RuntimeError(text.decode())
        data = message.get("d", {})
        if message["t"] == "table":
            self._take_table(data)
        view = data if message["t"] == "view" else data.get("view")
        if view is None:
            return
        self._views[seat] = view
        if len({each.get("v") for each in self._views}) == 1:
            if self._asked:
                self.waits.append(asyncio.get_running_loop().time() - self._sent)
                if self.meter:
                    self.used.append(self.meter() - self._before)
            self._asked = False
            if view["phase"] == "over":
                self._end()
            self._play_on()

    def _take_table(self, data: dict[str, Any]) -> None:
        """Take a `table` message."""

    def _end(self) -> None:
        """Note that the match is over."""
        self.ended.set()

    def _play_on(self) -> None:
        """Play the next move now, or later if a pace was requested."""
        loop = asyncio.get_running_loop()
        wait = self._last + self._gap - loop.time()
        if wait <= 0:
            self._send()
        elif not self._asked:
            loop.call_later(wait, self._send)


class LifeRoom(GameRoom):
    """The people of a table who play one match after another: each ends with a rematch.

    Both then leave their sockets and open new ones at the next match, as browsers do.

    Attributes:
        lives: the matches that were played to their end.
        moving: whether they are on their way to the next match.
    """

    def __init__(self, sockets: Sequence[Socket], *, port: int, cookies: Sequence[str]) -> None:
        super().__init__(sockets)
        self._port, self._cookies = port, cookies
        self._move: asyncio.Task[None] | None = None
        self.lives = 0

    @property
    def moving(self) -> bool:
        """Whether the match is over and no player has received a view of the next one."""
        return self.ended.is_set()

    def _end(self) -> None:
        """Ask for a rematch at both seats."""
        if self.moving:
            return
        super()._end()
        self.lives += 1
        for socket in self.sockets:
            socket.send(json.dumps({"t": "rematch", "id": f"again-{self.lives}"}).encode())

    def _take_table(self, data: dict[str, Any]) -> None:
        following = data["rematch"]["match"]
        if following and self.moving and self._move is None:
            self._move = asyncio.create_task(self._go_on(following))

    async def _go_on(self, match: str) -> None:
        """Close the sockets, and open new ones at another match."""
        for socket in self.sockets:
            socket.heard = lambda _: None
            socket.leave()
        self._views = [{} for _ in self._cookies]
        address = f"/ws/t/{match}/"
        self.sockets = await asyncio.gather(
            *(connect(self._port, address, cookie) for cookie in self._cookies)
        )
        self._listen()
        self._move = None
        self.ended.clear()
        for socket in self.sockets:
            socket.send(b'{"t":"hello","d":{"v":null}}')


class BriefRoom(LifeRoom):
    """The people of a table who resign every match at once; a move is a whole match."""

    def _send(self) -> None:
        """Resign the match for the first player, once both have received their cards."""
        versions = {view.get("v") for view in self._views}
        if not self._running or self._asked or len(versions) != 1 or versions == {None}:
            return
        if any(view["legal"]["action"] == "discard" for view in self._views):
            self._number += 1
            self._asked = True
            self._sent = self._last = asyncio.get_running_loop().time()
            message = {"t": "resign", "d": {}, "id": f"g-{self._number}"}
            self.sockets[0].send(json.dumps(message).encode())
