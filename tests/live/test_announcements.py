"""What a process reads again when it is told of a change, and what it need not."""

from __future__ import annotations

from typing import Any

import pytest

from games.cluster import announce
from games.live.chat_feed import ChatFeed
from games.live.runtime import runtime
from games.models import Match
from tests.support.live_tables import new_table
from tests.support.people import Wire, make_match, run

pytestmark = pytest.mark.django_db(transaction=True)


class Channel:
    """Stands for Redis: keeps what was published."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def publish(self, name: str, message: str) -> None:
        self.messages.append(message)


def test_a_process_ignores_its_own_announcements(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """It has acted on them before they come back from Redis; those of others count."""
    settings.REDIS_URL = ""
    channel = Channel()
    monkeypatch.setattr(announce, "_redis", lambda _: channel)
    read: list[object] = []

    async def scenario() -> None:
        parts = runtime()
        monkeypatch.setattr(parts, "_refresh", lambda table: read.append(table) or nothing())
        parts.matches.open[7] = new_table(7)
        settings.REDIS_URL = "redis://nowhere"
        announce.table(7)
        settings.REDIS_URL = ""
        (own,) = channel.messages
        parts._heard(announce.channel(7), own)
        assert read == []
        parts._heard(announce.channel(7), "table 00000000")
        assert len(read) == 1
        del parts.matches.open[7]

    async def nothing() -> None:
        pass

    run(scenario())


def test_a_rematch_does_not_read_the_chat_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match, (ann, bob) = make_match()
    reads: list[object] = []
    read = ChatFeed._read
    monkeypatch.setattr(ChatFeed, "_read", lambda self, table: reads.append(read(self, table)))

    async def scenario() -> None:
        here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
        await here.hear("chat")
        there.send({"t": "resign", "d": {}, "id": "b-1"})
        for wire in (here, there):
            while (await wire.hear("steps"))["view"]["phase"] != "over":
                pass
        for wire in (here, there):
            wire.send({"t": "rematch", "d": {}, "id": "a-2"})
        before = len(reads)
        while not (await here.hear("table"))["rematch"]["match"]:
            pass
        assert len(reads) == before
        for wire in (here, there):
            await wire.hang_up()

    run(scenario())
    assert Match.objects.count() == 2
