"""The websockets of the lobby, which send what is offered and who invites the player."""

from __future__ import annotations

import asyncio

from channels.db import database_sync_to_async

from games.cluster import online_status
from games.live import messages
from games.live.runtime import runtime
from games.sockets.connection import Socket
from games.tables.invitations import turn_down
from games.wire import protocol
from games.wire.protocol import Command, TurnDown
from games.wire.refusals import Refused


class LobbySocket(Socket[Command]):
    """A connection to the lobby, open to everyone."""

    kind = "lobby"

    @property
    def elsewhere(self) -> bool:
        """Whether the socket is on another page, which gets only friends' invitations."""
        return bool(self.scope.get("query_string") == b"only=asked")

    async def opened(self) -> None:
        """Enter the lobby, and mark the player as online."""
        runtime().lobby.enter(self)
        if self.player is not None:
            await asyncio.to_thread(online_status.mark_online, [self.player])

    async def closed(self) -> None:
        """Leave the lobby."""
        runtime().lobby.leave(self)

    def show(self, text: str) -> None:
        """Send a message."""
        self.send_queue.push(text)

    def read(self, text: str) -> Command:
        """Parse a message."""
        return protocol.parse(text)

    async def command(self, command: Command) -> None:
        """Decline a friend's invitation: the lobby's only command apart from `ping`."""
        if not isinstance(command, TurnDown):
            raise Refused("unknown_type")
        if self.player is not None:
            await database_sync_to_async(turn_down)(player=self.player, match=command.match)
        self.send_queue.put(messages.ok(command.id, 0))
