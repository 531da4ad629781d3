"""Table chat over sockets: who hears of a line, and how often the database is read."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest
import redis

from games.live import chat_feed
from games.models import Match, Player
from games.people import chat
from games.people import chat_service as services
from games.people.accounts import create_guest
from tests.support.clients import Client as Person
from tests.support.people import Wire, make_match, run
from tests.support.servers import StartSite
from tests.support.tables import make_tables, wish
from tests.support.waiting import DEADLINE, wait_until

pytestmark = pytest.mark.django_db


MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>'


@pytest.mark.django_db(transaction=True)
class TestSockets:
    def test_a_line_reaches_seated_players_and_no_one_else(self) -> None:
        match, (ann, bob) = make_match()
        Match.objects.update(watchable=True)

        async def scenario() -> None:
            here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
            watcher = await Wire(match, create_watcher).open()
            for wire in (here, there):
                assert (await wire.hear("chat"))["mode"] == "free"
            here.send({"t": "say", "d": {"text": MARKUP}, "id": "a-1"})
            line = await there.hear("said")
            assert (line["seat"], line["own"], line["text"]) == (0, False, MARKUP)
            assert (await here.hear("said"))["own"]
            watcher.send({"t": "say", "d": {"text": "use the five"}, "id": "w-1"})
            assert (await watcher.hear("error"))["code"] == "not_seated"
            await watcher.hang_up()
            assert not {"chat", "said"} & watcher.kinds
            again = await Wire(match, bob).open()
            assert [row["text"] for row in (await again.hear("chat"))["lines"]] == [MARKUP]
            for wire in (here, there, again):
                await wire.hang_up()

        create_watcher = create_guest()
        run(scenario())

    def test_a_phrase_or_a_text_is_passed_on_as_it_is(self) -> None:
        match, (ann, bob) = make_match()

        async def scenario() -> None:
            here, there = await Wire(match, ann).open(), await Wire(match, bob).open()
            await there.hear("chat")
            for said in ({"phrase": "nice_cut"}, {"text": "Nice cut"}):
                assert (await here.ask("say", f"a-{min(said)}", **said))["t"] == "ok"
                line = await there.hear("said")
                assert {key: line[key] for key in ("phrase", "text") if line[key]} == said
            for wire in (here, there):
                await wire.hang_up()

        run(scenario())

    @pytest.mark.parametrize(("fresh", "looks"), [(60.0, 3), (0.0, 5)])
    def test_a_recently_loaded_room_is_reused_and_misses_nothing(
        self, monkeypatch: pytest.MonkeyPatch, fresh: float, looks: int
    ) -> None:
        match, (ann, bob) = make_match()
        looked: list[int] = []
        load_rooms = chat.load_rooms

        def count(matches: Sequence[int]) -> dict[int, chat.Room]:
            looked.extend(matches)
            return load_rooms(matches)

        monkeypatch.setattr(chat, "load_rooms", count)
        monkeypatch.setattr(chat_feed, "FRESH", fresh)

        async def scenario() -> None:
            here = await Wire(match, ann).open()
            await here.hear("chat")
            there = await Wire(match, bob).open()
            await there.hear("chat")
            here.send({"t": "say", "d": {"text": "Hello"}, "id": "a-1"})
            await there.hear("said")
            again = await Wire(match, bob).open()
            assert [row["text"] for row in (await again.hear("chat"))["lines"]] == ["Hello"]
            for wire in (here, there, again):
                await wire.hang_up()
            await asyncio.to_thread(services.mute, player=ann, other=bob)
            back = await Wire(match, ann).open()
            assert (await back.hear("chat"))["muted"] == [1], "no one was connected to hear of it"
            await back.hang_up()

        run(scenario())
        assert len(looked) == looks

    def test_switch_mute_and_block_are_sent_only_to_those_concerned(self) -> None:
        ann, bob = (Player.objects.create_user(name) for name in ("Ann", "Bob"))
        match, _ = make_match()
        for seat, player in enumerate((ann, bob)):
            match.seats.filter(seat=seat).update(player=player)

        async def scenario() -> None:
            one, other = await Wire(match, ann).open(), await Wire(match, bob).open()
            for wire in (one, other):
                await wire.hear("chat")
            other.send({"t": "chat", "d": {"on": False}, "id": "b-1"})
            assert (await one.hear("chat"))["silent"] == [1]
            assert not (await other.hear("chat"))["on"]
            one.send({"t": "say", "d": {"text": "Hello?"}, "id": "a-1"})
            assert (await one.hear("error"))["code"] == "chat_off_there"
            other.send({"t": "chat", "d": {"on": True}, "id": "b-2"})
            assert (await one.hear("chat"))["silent"] == []
            one.send({"t": "mute", "d": {"seat": 1, "on": True}, "id": "a-2"})
            assert (await one.hear("chat"))["muted"] == [1]
            one.send({"t": "block", "d": {"seat": 1}, "id": "a-3"})
            assert (await one.hear("chat"))["blocked"] == [1]
            one.send({"t": "mute", "d": {"seat": 0, "on": True}, "id": "a-4"})
            assert (await one.hear("error"))["code"] == "not_askable"
            for wire in (one, other):
                await wire.hang_up()
            told = [
                text for text in other.heard if '"muted":[0]' in text or '"blocked":[0]' in text
            ]
            assert not told, "muted or blocked players are not told"

        run(scenario())

    def test_no_line_follows_an_answered_block(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Not even one that was read from the database before the block was stored there."""
        ann, bob = (Player.objects.create_user(name) for name in ("Ann", "Bob"))
        match, _ = make_match()
        for seat, player in enumerate((ann, bob)):
            match.seats.filter(seat=seat).update(player=player)
        load_rooms = chat.load_rooms
        slow, read, go_on = (threading.Event() for _ in range(3))

        def load_slowly(matches: Sequence[int]) -> dict[int, chat.Room]:
            rooms = load_rooms(matches)
            if slow.is_set():
                read.set()
                go_on.wait(DEADLINE)
            return rooms

        monkeypatch.setattr(chat, "load_rooms", load_slowly)

        async def scenario() -> None:
            one, other = await Wire(match, ann).open(), await Wire(match, bob).open()
            for wire in (one, other):
                await wire.hear("chat")
            slow.set()
            one.send({"t": "say", "d": {"text": "Take that"}, "id": "a-1"})
            await asyncio.to_thread(read.wait, DEADLINE)
            assert (await other.ask("block", seat=0))["t"] == "ok"
            slow.clear()
            go_on.set()
            told = await other.hear("chat", blocked=[0])
            assert told["lines"] == []
            assert "said" not in other.kinds
            for wire in (one, other):
                await wire.hang_up()

        run(scenario())


def test_a_line_passes_between_processes_without_its_text_in_redis(
    start_site: StartSite, redis_url: str, postgres_url: str
) -> None:
    """The other process is only notified, and reads the line from the database."""
    here, there = (start_site(database_url=postgres_url, redis_url=redis_url) for _ in range(2))
    (table,) = make_tables(postgres_url, wish(), redis_url=redis_url)

    async def session() -> None:
        ann = await Person(here.socket_url, table.match, table.cookies[0]).connect()
        bob = await Person(there.socket_url, table.match, table.cookies[1]).connect()
        for each in (ann, bob):
            await each.hear_until(lambda message: message["t"] == "chat")
        with redis.Redis.from_url(redis_url).pubsub() as heard:  # type: ignore[no-untyped-call]
            heard.psubscribe("*")
            await wait_until(lambda: heard.get_message() is not None)  # it is subscribed
            await ann.act("say", {"text": "Xylophone"})
            said = await bob.hear_until(lambda message: message["t"] == "said")
            assert said["d"]["text"] == "Xylophone"
            # Redis passes messages on in their order, so this one comes after all others.
            passed: list[str] = []

            def is_all() -> bool:
                while (message := heard.get_message()) is not None:
                    passed.append(str(message["data"]))
                return "b'last'" in passed

            with redis.Redis.from_url(redis_url) as sender:
                sender.publish("last", "last")
            await wait_until(is_all)
        assert any(message.startswith("b'chat ") for message in passed)
        assert not any("Xylophone" in text for text in passed)
        for each in (ann, bob):
            await each.close()

    asyncio.run(session())
