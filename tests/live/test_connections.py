"""Open connections end with their sessions, also with one that ended unheard."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from cribbage_site.session import players
from games.cluster import announce
from games.live import connections
from games.live.runtime import runtime, shut_down
from games.models import Player, Session
from games.people.accounts import create_guest
from tests.support.people import as_
from tests.support.waiting import DEADLINE

pytestmark = pytest.mark.django_db(transaction=True)


class Tab:
    """An open connection of a browser, without its wire."""

    def __init__(self, client: Client, player: Player) -> None:
        key = client.cookies[settings.SESSION_COOKIE_NAME].value
        self.scope: dict[str, Any] = {
            "session_mark": announce.session_mark(key),
            "login": (players, key),
        }
        self.player = player.pk
        self.closed = asyncio.Event()
        self.comes_back = False
        connections.OPEN.add(self)

    def log_out(self) -> None:
        connections.OPEN.discard(self)
        self.closed.set()

    def come_back(self) -> None:
        self.comes_back = True
        self.log_out()

    async def wait(self) -> None:
        async with asyncio.timeout(DEADLINE):
            await self.closed.wait()


@pytest.fixture(autouse=True)
def _nobody_else() -> Iterator[None]:
    connections.OPEN.clear()
    yield
    connections.OPEN.clear()


def sign_up_and_out(client: Client) -> None:
    fields = {"username": "Margery", "email": "", "password1": "fifteen-two-4"}
    client.post("/accounts/signup/", fields)
    client.post("/accounts/logout/")


def test_a_table_opened_as_a_guest_closes_when_the_new_player_logs_out() -> None:
    """Signing up keeps the player, and gives the browser another session."""
    guest, other = create_guest(), create_guest()
    client, elsewhere = as_(guest), as_(other)

    async def session() -> None:
        runtime()
        table, untouched = Tab(client, guest), Tab(elsewhere, other)
        await asyncio.to_thread(sign_up_and_out, client)
        await table.wait()
        assert not untouched.closed.is_set()
        await shut_down()

    asyncio.run(session())
    guest.refresh_from_db()
    assert guest.name == "Margery"


def test_a_log_out_leaves_the_players_other_browsers_open() -> None:
    margery = Player.objects.create_user("Margery", password="fifteen-two-4")
    here, there = as_(margery), as_(margery)

    async def session() -> None:
        own, other = Tab(here, margery), Tab(there, margery)
        live = runtime()
        await asyncio.to_thread(here.post, "/accounts/logout/")
        await own.wait()
        await connections.check(live.lookups, player=str(margery.pk))
        assert not other.closed.is_set()
        await shut_down()

    asyncio.run(session())


def test_after_a_new_password_the_tables_of_this_browser_come_back_and_those_of_others_close() -> (
    None
):
    margery = Player.objects.create_user("Margery", password="fifteen-two-4")
    here, there = as_(margery), as_(margery)
    new = "another-nob-5"
    fields = {"oldpassword": "fifteen-two-4", "password1": new, "password2": new}

    async def session() -> None:
        own, other = Tab(here, margery), Tab(there, margery)
        runtime()
        await asyncio.to_thread(here.post, "/accounts/password/change/", fields)
        await own.wait()
        await other.wait()
        assert (own.comes_back, other.comes_back) == (True, False)
        renewed = Tab(here, margery)
        await connections.check(runtime().lookups)
        assert not renewed.closed.is_set()
        await shut_down()

    asyncio.run(session())


def test_what_ended_while_redis_was_away_is_closed_after() -> None:
    """The browser comes back with the session that it has now, if any."""
    gone, barred, still = create_guest(), create_guest(), create_guest()
    browsers = [as_(each) for each in (gone, barred, still)]

    async def session() -> None:
        logged_out, banned, valid = map(Tab, browsers, (gone, barred, still))
        await asyncio.to_thread(Session.objects.filter(player_id=gone.pk).delete)
        await asyncio.to_thread(Player.objects.filter(pk=barred.pk).update, is_active=False)
        runtime()._subscribed(announce.PLAYERS)
        await logged_out.wait()
        await banned.wait()
        assert logged_out.comes_back and banned.comes_back
        assert not valid.closed.is_set()
        await shut_down()

    asyncio.run(session())


@pytest.mark.parametrize(
    ("said", "own_comes_back", "other_closes"),
    [
        ("{player} {pk}", False, True),
        ("{merged} {pk}", True, True),
        ("{session} {mark} {pk}", False, False),
        ("{renewed} {pk} {mark}", True, True),
    ],
)
def test_what_another_process_announces_ends_connections_here(
    said: str, own_comes_back: bool, other_closes: bool
) -> None:
    margery = create_guest()
    verbs = {
        "player": announce.PLAYER_ENDED,
        "merged": announce.PLAYER_MERGED,
        "session": announce.SESSION_ENDED,
        "renewed": announce.SESSION_RENEWED,
    }

    async def session() -> None:
        own, other = [Tab(await asyncio.to_thread(as_, margery), margery) for _ in range(2)]
        message = said.format(**verbs, pk=margery.pk, mark=own.scope["session_mark"])
        runtime()._heard(announce.PLAYERS, f"{message} 0123abcd")
        assert own.closed.is_set()
        assert own.comes_back is own_comes_back
        assert other.closed.is_set() is other_closes
        await shut_down()

    asyncio.run(session())
