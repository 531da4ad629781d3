"""The browsers in which a player is logged in, and logging out of them from another."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client

from games.cluster import announce
from games.models import Player
from games.people import browser_sessions
from games.people.accounts import create_guest

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0"
)
PASSWORD = "fifteen-two-4"


@pytest.fixture
def margery() -> Player:
    return Player.objects.create_user("Margery", password=PASSWORD)


@pytest.fixture
def closed() -> Iterator[list[str]]:
    """Record the sessions whose open sockets are closed, by their marks."""
    heard: list[str] = []
    stop = announce.listen(lambda _channel, message: heard.append(message))
    yield heard
    stop()


def closing(player: Player, *browsers: Client) -> set[str]:
    return {f"session {announce.session_mark(key_of(each))} {player.pk}" for each in browsers}


def logged_in(described: str) -> Client:
    client = Client(headers={"user-agent": described})
    assert client.post("/accounts/login/", {"login": "Margery", "password": PASSWORD}).url == "/"  # type: ignore[attr-defined]
    return client


def key_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@pytest.mark.parametrize(
    ("described", "named"),
    [(FIREFOX, "Firefox on Windows"), (SAFARI, "Safari on iPhone"), (EDGE, "Edge on Windows")],
)
def test_a_browser_is_named(margery: Player, described: str, named: str) -> None:
    assert named in logged_in(described).get("/account/browsers/").content.decode()


def test_a_browser_that_does_not_say_what_it_is_is_listed(margery: Player) -> None:
    page = logged_in("").get("/account/browsers/").content.decode()
    assert "Unknown browser" in page and "this browser" in page


def test_no_key_of_a_session_is_on_the_page(margery: Player) -> None:
    phone, desk = logged_in(SAFARI), logged_in(FIREFOX)
    page = desk.get("/account/browsers/").content.decode()
    assert key_of(phone) not in page and key_of(desk) not in page


def test_one_browser_is_logged_out_from_another(margery: Player) -> None:
    phone, desk = logged_in(SAFARI), logged_in(FIREFOX)
    ident = browser_sessions.ident_of(key_of(phone))
    desk.post(f"/account/browsers/{ident}/end/")
    assert phone.get("/account/").status_code == 302
    assert desk.get("/account/").status_code == 200


def test_all_other_browsers_are_logged_out_at_once(margery: Player) -> None:
    phone, desk, old = logged_in(SAFARI), logged_in(FIREFOX), logged_in(EDGE)
    desk.post("/account/browsers/others/end/")
    assert [each.get("/account/").status_code for each in (phone, desk, old)] == [302, 200, 302]


@pytest.mark.django_db(transaction=True)
def test_open_sockets_of_an_ended_browser_are_closed(margery: Player, closed: list[str]) -> None:
    phone, desk, old = logged_in(SAFARI), logged_in(FIREFOX), logged_in(EDGE)
    desk.post(f"/account/browsers/{browser_sessions.ident_of(key_of(phone))}/end/")
    assert set(closed) == closing(margery, phone)
    desk.post("/account/browsers/others/end/")
    assert set(closed) == closing(margery, phone, old)


def test_nobody_logs_another_player_out(margery: Player) -> None:
    desk = logged_in(FIREFOX)
    ident = browser_sessions.ident_of(key_of(desk))
    tom = Client()
    tom.force_login(Player.objects.create_user("Tom"))
    tom.post(f"/account/browsers/{ident}/end/")
    tom.post("/account/browsers/others/end/")
    assert desk.get("/account/").status_code == 200
    guest = Client()
    guest.force_login(create_guest())
    answer = guest.get("/account/browsers/")
    assert answer.headers["Location"] == "/accounts/login/?next=/account/browsers/"
