"""The table socket over real connections: permission, resends, gaps, refusals, races."""

from __future__ import annotations

import asyncio
import contextlib
import json

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.support.clients import Client
from tests.support.logs import read_log
from tests.support.servers import Site, StartSite
from tests.support.tables import make_tables, wish

FLOOD, PAUSE = 60, 0.05
"""Messages sent at once, three times what is allowed, and the seconds until the next ones."""

EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "20"}


@pytest.fixture(scope="module")
def site(start_file_site: StartSite) -> Site:
    return start_file_site(extra=EXTRA)


async def close_code(client: Client) -> tuple[str, int]:
    """Return the code of the bye message and of the closing."""
    await client.hear_until(lambda m: m["t"] == "bye")
    with pytest.raises(ConnectionClosed) as closed:
        await client.hear()
    assert closed.value.rcvd is not None
    bye = json.loads(client.heard[-1])
    assert bye["t"] == "bye"
    return bye["d"]["code"], closed.value.rcvd.code


async def send_pings(client: Client) -> None:
    """Send floods of messages until the connection is closed."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            for _ in range(FLOOD):
                await client.send("ping")
            await asyncio.sleep(PAUSE)


def test_only_players_and_allowed_watchers_can_connect(site: Site) -> None:
    """Only its players see a private match; an unknown address reveals nothing."""
    private, watched = make_tables(
        site.database_url, wish(watchers=1), wish(watchers=1, watchable=True)
    )

    async def session() -> None:
        for cookie in (private.cookies[2], None, "forged"):
            # Without a hello: the site may have closed the socket before it could be sent.
            stranger = Client(site.socket_url, private.match, cookie)
            await stranger.connect(hello=False)
            assert await close_code(stranger) == ("forbidden", 4403)
            assert not stranger.view
        lost = Client(site.socket_url, "aaaaaaaaaa", private.cookies[0])
        await lost.connect(hello=False)
        assert await close_code(lost) == ("no_such_match", 4404)
        watcher = await Client(site.socket_url, watched.match, watched.cookies[2]).connect()
        view = await watcher.hear_view()
        assert view["seat"] is None
        assert view["cards"] == []
        await watcher.send("discard", {"cards": ["5H", "6H"]}, "w-1")
        assert await watcher.refusal() == "not_seated"

    asyncio.run(session())


def test_another_sites_page_cannot_open_a_socket(site: Site) -> None:
    """The origin is checked: with a foreign one or none the connection is refused."""
    (table,) = make_tables(site.database_url, wish())
    url = f"{site.socket_url}/ws/t/{table.match}/"
    headers = {"Cookie": f"sessionid={table.cookies[0]}"}

    async def session() -> None:
        for origin in ("http://elsewhere.example", None):
            with pytest.raises(InvalidStatus):
                await connect(url, origin=origin, additional_headers=headers, proxy=None)  # type: ignore[arg-type]

    asyncio.run(session())


def test_a_resent_move_is_acknowledged_and_not_played_again(
    site: Site, start_site: StartSite
) -> None:
    """The same id gets the same answer, even after a restart from a process that never saw it."""
    (table,) = make_tables(site.database_url, wish())

    async def discard() -> tuple[str, int]:
        async with Client(site.socket_url, table.match, table.cookies[0]) as ann:
            await ann.see(lambda: ann.view.get("phase") == "discard")
            ident = await ann.act("discard", {"cards": ann.view["cards"][:2]})
            await ann.hear_until(lambda m: m["t"] == "ok")
            version = ann.acknowledged.pop(ident)
            await again(ann, json.dumps(ann.sent[ident]), ident, version)
            await ann.send("discard", {"cards": ann.view["dealt"][2:4]}, ident)
            assert await ann.refusal() == "id_used"
            return json.dumps(ann.sent[ident]), version

    async def again(ann: Client, text: str, ident: str, version: int) -> None:
        await ann.socket.send(text)
        answer = await ann.hear_until(lambda m: m["t"] in {"ok", "error"})
        assert answer == {"t": "ok", "id": ident, "d": {"v": version}}

    async def after_restart(text: str, version: int) -> None:
        async with Client(other.socket_url, table.match, table.cookies[0]) as ann:
            await ann.hear_view()
            await again(ann, text, json.loads(text)["id"], version)

    text, version = asyncio.run(discard())
    other = start_site(database_url=site.database_url, extra=EXTRA)
    asyncio.run(after_restart(text, version))
    discards = [row for row in read_log(site.database_url, table.pk) if "discard" in row.text]
    assert len(discards) == 1


def test_a_reconnect_gets_what_it_missed(site: Site) -> None:
    """A client that sends its last version gets the moves since; an invalid version gets a view."""
    (table,) = make_tables(site.database_url, wish())

    async def session() -> None:
        ann = Client(site.socket_url, table.match, table.cookies[0], seed=1)
        bob = Client(site.socket_url, table.match, table.cookies[1], seed=2)
        await ann.connect()
        await bob.connect()
        await ann.see(lambda: ann.view.get("phase") == "discard")
        await ann.close()
        known = ann.version
        await bob.play(until=lambda: bob.view.get("discarded", [False, False])[1])
        await ann.connect()
        missed = await ann.hear()
        assert missed["t"] == "steps"
        assert (missed["d"]["from"], missed["d"]["v"]) == (known, bob.version)
        assert missed["d"]["events"] == [[{"e": "discarded", "seat": 1, "number": 2}]]

        await ann.close()
        await ann.connect()
        nothing = await ann.hear()
        assert (nothing["t"], nothing["d"]["events"]) == ("steps", [])

        ahead = Client(site.socket_url, table.match, table.cookies[0])
        await ahead.connect(hello=False)
        await ahead.send("hello", {"v": 999_999})
        assert (await ahead.hear())["t"] == "view"
        for client in (ann, bob, ahead):
            await client.close()

    asyncio.run(session())


BAD_FRAMES = [
    ("not json", "malformed"),
    ("[]", "malformed"),
    ('{"t":7}', "malformed"),
    ('{"t":"play","d":{"card":"5H"}}', "malformed"),
    ('{"t":"play","d":{"card":"5H"},"id":"<script>"}', "malformed"),
    ('{"t":"play","d":{"card":"1H"},"id":"a"}', "malformed"),
    ('{"t":"play","d":{"card":"5H","claim":true},"id":"a"}', "malformed"),
    ('{"t":"steal","d":{},"id":"a"}', "unknown_type"),
    ('{"t":"play","d":{"card":"' + "5" * 5000 + '"},"id":"a"}', "too_long"),
]


def test_bad_frames_get_a_code_and_repeating_them_closes_the_socket(site: Site) -> None:
    """Every bad frame gets its error code; a socket that keeps sending them is closed."""
    (table,) = make_tables(site.database_url, wish())

    async def session() -> None:
        async with Client(site.socket_url, table.match, table.cookies[0]) as ann:
            await ann.hear_view()
            for text, code in BAD_FRAMES:
                await ann.socket.send(text)
                assert await ann.refusal() == code
                await ann.send("ping")
                await ann.hear_until(lambda m: m["t"] == "pong")
            await ann.socket.send(b"\xff\xfe")
            assert await ann.refusal() == "malformed"
            for _ in range(12):
                await ann.socket.send("{")
            assert await close_code(ann) == ("malformed", 4400)

    asyncio.run(session())


def test_a_flood_is_refused_and_then_disconnected(site: Site) -> None:
    """Messages over the rate limit get `too_many`; continuing closes the socket."""
    (table,) = make_tables(site.database_url, wish())

    async def session() -> None:
        async with Client(site.socket_url, table.match, table.cookies[0]) as ann:
            await ann.hear_view()
            # As many as it takes on a slow machine, where the allowed ones are renewed meanwhile;
            # and heard at once, since an answer can be lost with a later write that fails.
            flood = asyncio.create_task(send_pings(ann))
            assert await close_code(ann) == ("too_many", 4429)
            assert "too_many" in ann.refused
            await flood

    asyncio.run(session())


def test_an_illegal_move_is_refused_with_its_code_and_the_view(site: Site) -> None:
    """The sender gets the reason and the current view; nothing is stored."""
    (table,) = make_tables(site.database_url, wish())

    async def session() -> None:
        async with Client(site.socket_url, table.match, table.cookies[0]) as ann:
            await ann.see(lambda: ann.view.get("phase") == "discard")
            before = ann.version
            seven = ("AC", "2D", "3H", "4S", "5C", "6D", "7H")
            others = [card for card in seven if card not in ann.view["cards"]]
            await ann.act("discard", {"cards": [ann.view["cards"][0], others[0]]})
            assert await ann.refusal() == "not_your_card"
            assert (await ann.hear())["t"] == "view"
            await ann.act("play", {"card": ann.view["cards"][0]})
            assert await ann.refusal() == "wrong_phase"
            assert ann.version == before

    asyncio.run(session())
    assert not any("discard" in row.text for row in read_log(site.database_url, table.pk))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_simultaneous_discards_are_all_stored(
    start_site: StartSite, request: pytest.FixtureRequest, backend: str, players: int
) -> None:
    """All players discard at once, through two processes that share the database: none is lost."""
    two = backend == "postgresql"
    url = request.getfixturevalue("postgres_url") if two else None
    redis = request.getfixturevalue("redis_url") if two else ""
    # Without Redis two processes do not hear of each other: then one process serves all players.
    first = start_site(database_url=url, redis_url=redis, extra=EXTRA)
    second = start_site(database_url=url, redis_url=redis, extra=EXTRA) if two else first
    sites = [first, second]
    tables = make_tables(first.database_url, *[wish(players=players) for _ in range(4)])

    async def discard(client: Client, start: asyncio.Barrier) -> None:
        await client.connect()
        await client.see(lambda: client.view.get("phase") == "discard")
        number = client.view["legal"]["number"]
        await start.wait()
        await client.act("discard", {"cards": client.view["cards"][:number]})
        await client.hear_until(lambda m: m["t"] == "ok")
        await client.see(lambda: client.view["phase"] != "discard")
        await client.close()

    async def session() -> None:
        for table in tables:
            start = asyncio.Barrier(players)
            await asyncio.gather(
                *(
                    discard(Client(sites[at % 2].socket_url, table.match, cookie), start)
                    for at, cookie in enumerate(table.cookies)
                )
            )

    asyncio.run(session())
    for table in tables:
        log = read_log(first.database_url, table.pk)
        assert sorted(row.seat for row in log if "discard" in row.text) == list(range(players))
        assert sum("starter" in row.text for row in log) == 1
