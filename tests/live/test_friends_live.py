"""Friends in the lobby: an invited friend is notified at once, and no one else is."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from games.cluster import online_status
from games.live.runtime import runtime
from games.models import Player
from games.people import friendships
from games.people.friends import INVITATION_KEPT
from games.sockets.lobby_socket import LobbySocket
from games.tables import invitations
from tests.support.people import run
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


class Visitor:
    """A visitor's lobby socket, without a server."""

    def __init__(self, player: Player | None, query: bytes = b"") -> None:
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.kinds: set[str] = set()
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent.put_nowait({"type": "websocket.connect"})
        kwargs: dict[str, Any] = {"url_route": {"kwargs": {}}, "query_string": query}
        scope = {"type": "websocket", "user": player, **kwargs}
        self.task = asyncio.create_task(LobbySocket(scope, self.sent.get, self._hear).run())

    async def hear(self, kind: str) -> dict[str, Any]:
        """Return the data of the next message of a kind."""
        while True:
            message = await self.heard.get()
            if message["t"] == kind:
                data: dict[str, Any] = message["d"]
                return data

    async def hang_up(self) -> list[str]:
        """Close the connection; return the types of the messages not read yet."""
        self.sent.put_nowait({"type": "websocket.disconnect"})
        await self.task
        return [self.heard.get_nowait()["t"] for _ in range(self.heard.qsize())]

    async def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            told = json.loads(message["text"])
            self.kinds.add(told["t"])
            self.heard.put_nowait(told)


def test_a_friend_in_the_lobby_sees_an_invitation_appear_and_disappear() -> None:
    ann, bob, carol = (Player.objects.create_user(name) for name in ("Ann", "Bob", "Carol"))
    friendships.ask(player=ann, other=bob)
    friendships.accept(player=bob, other=ann)

    async def scenario() -> None:
        asked, other, stranger = Visitor(bob), Visitor(carol), Visitor(None)
        for each in (asked, other, stranger):
            await each.hear("lobby")
        match = await asyncio.to_thread(invitations.invite, player=ann, friend=bob)
        told = await asked.hear("asked")
        (table,) = told["tables"]
        assert 0 < table.pop("left") <= INVITATION_KEPT.total_seconds()
        assert table == {"match": match.public_id, "by": "Ann", "join": f"/join/{match.invite}/"}
        await asyncio.to_thread(friendships.block, player=bob, other=ann)
        assert (await asked.hear("asked"))["tables"] == []
        for each in (asked, other, stranger):
            assert "asked" not in await each.hang_up()

    run(scenario())


def test_an_invitation_shows_on_any_page_and_again_on_the_next() -> None:
    ann, bob = (Player.objects.create_user(name) for name in ("Ann", "Bob"))
    friendships.ask(player=ann, other=bob)
    friendships.accept(player=bob, other=ann)

    async def scenario() -> None:
        first = Visitor(bob, b"only=asked")
        await wait_until(lambda: runtime().lobby.players() == {bob.pk})  # friends see them online
        match = await asyncio.to_thread(invitations.invite, player=ann, friend=bob)
        assert [table["by"] for table in (await first.hear("asked"))["tables"]] == ["Ann"]
        await first.hang_up()
        assert "lobby" not in first.kinds, "open tables are not sent to other pages"
        following = Visitor(bob, b"only=asked")
        assert len((await following.hear("asked"))["tables"]) == 1
        no = {"t": "turn_down", "d": {"match": match.public_id}, "id": "no-1"}
        following.sent.put_nowait({"type": "websocket.receive", "text": json.dumps(no)})
        assert (await following.hear("asked"))["tables"] == []
        await following.hang_up()

    run(scenario())


@pytest.mark.parametrize("query", [b"", b"only=all", b"only=nothing", b"page=2"])
def test_only_a_page_that_asks_for_invitations_alone_gets_no_tables(query: bytes) -> None:
    async def scenario() -> None:
        here = Visitor(None, query)
        await here.hear("lobby")
        await here.hang_up()

    run(scenario())


def test_a_player_with_a_socket_is_marked_online() -> None:
    ann, bob = (Player.objects.create_user(name) for name in ("Ann", "Bob"))

    async def scenario() -> None:
        here = Visitor(ann)
        await here.hear("lobby")
        assert runtime().lobby.players() == {ann.pk}
        await online_status.mark_connected(runtime().lobby.players())
        assert online_status.online([ann.pk, bob.pk]) == {ann.pk}
        await here.hang_up()
        assert not runtime().lobby.players()

    run(scenario())


def test_a_player_is_online_as_soon_as_a_page_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    async def not_yet(_players: frozenset[int]) -> None:
        """Stand for the regular update, which has not come yet."""

    monkeypatch.setattr(online_status, "mark_connected", not_yet)
    ann, bob = (Player.objects.create_user(name) for name in ("Ann", "Bob"))

    async def scenario() -> None:
        for each in (Visitor(ann), Visitor(None)):
            await each.hear("lobby")
            await each.hang_up()
        assert online_status.online([ann.pk, bob.pk]) == {ann.pk}

    run(scenario())
