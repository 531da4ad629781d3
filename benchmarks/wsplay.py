"""Load client that plays real matches by always taking the first legal choice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from benchmarks.wsload import Room, Socket


class GameRoom(Room):
    """The people of a real match; a move is one decision."""

    def __init__(self, sockets: Sequence[Socket]) -> None:
        super().__init__(sockets, lambda _: b"")
        for seat, socket in enumerate(sockets):
            socket.heard = lambda text, seat=seat: self._take(seat, text)  # type: ignore[misc]
        self._views: list[dict[str, Any]] = [{} for _ in sockets]
        self._version = -1
        self._asked = False
        self._number = 0
        self._last = 0.0
        self.ended = asyncio.Event()

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
                self._sent = self._last = asyncio.get_running_loop().time()
                self.sockets[seat].send(json.dumps(message).encode())
                return

    def _take(self, seat: int, text: bytes) -> None:
        message = json.loads(text)
        if message["t"] == "error":
            raise RuntimeError(text.decode())
        data = message.get("d", {})
        view = data if message["t"] == "view" else data.get("view")
        if view is None:
            return
        self._views[seat] = view
        if len({each.get("v") for each in self._views}) == 1:
            if self._asked:
                self.waits.append(asyncio.get_running_loop().time() - self._sent)
            self._asked = False
            if view["phase"] == "over":
                self.ended.set()
            self._play_on()

    def _play_on(self) -> None:
        """Play the next move now, or later if a pace was requested."""
        loop = asyncio.get_running_loop()
        wait = self._last + self._gap - loop.time()
        if wait <= 0:
            self._send()
        elif not self._asked:
            loop.call_later(wait, self._send)
