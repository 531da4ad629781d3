"""Requests at the edge of what is allowed: answered, and never with a server error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.test import Client

from cribbage_site.asgi import application
from cribbage_site.session import players
from games.models import Player
from games.people.accounts import create_guest
from tests.site.test_security import filled, patterns

pytestmark = pytest.mark.django_db

NULL = "a\0b"
PUSH, STOP = "/notices/push/", "/notices/push/stop/"


@pytest.fixture
def player(client: Client) -> Client:
    client.force_login(Player.objects.create_user("Bea", password="fifteen-two-4"))
    return client


class TestDays:
    @pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York"])
    @pytest.mark.parametrize(
        "days", ["until=9999-12-31", "since=9999-12-31", "since=0001-01-01", "until=0001-01-01"]
    )
    def test_the_calendars_first_and_last_days(
        self, player: Client, settings: Any, days: str, zone: str
    ) -> None:
        settings.TIME_ZONE = zone
        for address in ("/matches/", "/api/v1/matches"):
            assert player.get(f"{address}?{days}").status_code == 200


class TestNextPages:
    @pytest.mark.parametrize("page", ["en", "2", "[]", "games", "?a=1", "/rules/", "/nowhere/"])
    def test_a_button_leads_back_to_a_page_of_this_site_or_to_the_friends(
        self, player: Client, page: str
    ) -> None:
        other = create_guest().public_id
        for address in ("/friends/ask/", f"/friends/{other}/block/"):
            answer = player.post(address, {"player": other, "next": page})
            assert answer.headers["Location"] == (page if page[0] == "/" else "/friends/")


class TestNullCharacters:
    """PostgreSQL refuses them; `make test-postgres` runs these tests there."""

    @pytest.mark.parametrize(
        "address",
        ["/", "/ratings/", "/matches/", "/lobby/", "/count/", "/clubs/", "/friends/",
         "/api/v1/matches", "/api/v1/me", "/api/v1/tools/count"],
    )  # fmt: skip
    def test_in_a_query(self, player: Client, address: str) -> None:
        for name in ("match", "name", "page", "list", "cards", "before", "x"):
            assert player.get(address, {name: NULL}).status_code == 400
        assert player.get(address, {NULL: "1"}).status_code == 400

    def test_in_a_form(self, player: Client) -> None:
        posts = {
            "/friends/ask/": {"player": NULL},
            "/friends/xyz/block/": {"next": NULL},
            "/report/xyz/": {"match": NULL, "reason": "name", "text": "x"},
            "/notices/mails/": {"wanted": NULL},
            "/ranked/enter/": {"seats": NULL},
            "/language/": {"language": NULL},
            "/name/": {"name": NULL},
            "/accounts/login/": {"login": NULL, "password": NULL},
        }
        for address, fields in posts.items():
            assert player.post(address, fields).status_code in {400, 404}, address

    @pytest.mark.parametrize(
        "address",
        ["/t/a%00b/", "/join/a%00b/", "/players/a%00b/", "/standard/a%00b/",
         "/api/v1/players/a%00b", "/notices/stop/a%00b/", "/accounts/confirm-email/a%00b/", "/%00"],
    )  # fmt: skip
    def test_in_a_path(self, player: Client, address: str) -> None:
        assert player.get(address).status_code == 404

    def test_in_a_cookie(self, client: Client) -> None:
        cookies = r'sessionid="abcdefgh\000ijklmnop"; language="\000"'
        answer = client.get("/", HTTP_COOKIE=cookies)
        assert answer.status_code == 200
        assert answer.wsgi_request.COOKIES == {"sessionid": "abcdefgh\0ijklmnop", "language": "\0"}

    def test_in_the_cookie_of_a_socket(self) -> None:
        """As the session of a page, it is nobody's, and those looked up with it find theirs."""
        ann = create_guest()
        browser = Client()
        browser.force_login(ann)
        valid = browser.cookies["sessionid"].value
        assert players(["abcdefgh\0ijklmnop", valid]) == {valid: ann}


class TestBadForms:
    """The site's own page says what was wrong with a form that no view could read."""

    @pytest.mark.parametrize(
        ("text", "said"),
        [(NULL, "(NUL)"), ("a" * 3_000_000, "2.5\xa0MB is the most")],
        ids=["null", "long"],
    )
    def test_a_page_says_what_is_wrong_and_what_is_allowed(
        self, player: Client, text: str, said: str
    ) -> None:
        for address, field in (("/matches/import/", "text"), ("/name/", "name")):
            answer = player.post(address, {field: text})
            assert answer.status_code == 400
            page = answer.content.decode()
            assert said in page, address
            assert "Go to the home page" in page
        answer = player.get("/api/v1/me", {"x": NULL})
        assert "(NUL)" in answer.json()["detail"]

    def test_the_page_neither_reads_the_query_again_nor_leads_back_to_it(
        self, client: Client
    ) -> None:
        """Log-in and sign-up pass the address on to which they lead."""
        client.raise_request_exception = False
        for address in ("/accounts/login/", "/accounts/signup/", "/"):
            for query in ("next=/lobby/&" * 1100, "next=/lobby/%00", "x=%00"):
                answer = client.get(f"{address}?{query}")
                assert answer.status_code == 400, address
                assert "next=" not in answer.content.decode(), address

    @pytest.mark.parametrize("address", ["/matches/import/", "/matches/enter/"])
    def test_an_import_without_its_fields_is_refused_with_a_reason(
        self, player: Client, address: str
    ) -> None:
        answer = player.post(address)
        assert answer.status_code == 422
        assert 'class="form-error"' in answer.content.decode()

    def test_a_host_that_is_not_the_sites_gets_no_page_of_it(self, client: Client) -> None:
        answer = client.get("/", headers={"host": "elsewhere.example"})
        assert answer.status_code == 400
        assert "Go to the home page" not in answer.content.decode()

    def test_programs_get_json_for_a_wrong_host_and_for_a_body_that_is_too_large(
        self, client: Client
    ) -> None:
        host = client.get("/api/v1/me", headers={"host": "elsewhere.example"})
        large = Client(enforce_csrf_checks=True).post("/api/v1/me", {"text": "a" * 3_000_000})
        for answer, said in ((host, "host name"), (large, "request is too large: 2.5\xa0MB")):
            assert answer.status_code == 400
            assert answer.json()["error"] == "bad_request"
            assert said in answer.json()["detail"]


class TestPushAddresses:
    BODIES = (
        "[" * 2000, '{"endpoint":' * 300 + "1" + "}" * 300, '{"endpoint": "\\ud800"}',
        '{"endpoint": "https://fcm.googleapis.com/\\u0000", "keys": {}}', "\0", '"\\udfff"', "NaN",
        '{"endpoint": "https://fcm.googleapis.com/\\ud800", "keys": {"p256dh": "\\ud800"}}',
    )  # fmt: skip

    @pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
    @pytest.mark.parametrize("address", [PUSH, STOP])
    def test_extreme_json_is_answered(self, address: str, body: str) -> None:
        client = Client()
        client.force_login(create_guest())
        answer = client.post(address, body, content_type="application/json")
        assert answer.status_code == (400 if address == PUSH else 200)

    @pytest.mark.parametrize("address", [PUSH, STOP])
    def test_a_form_is_answered(self, address: str) -> None:
        client = Client(enforce_csrf_checks=False)
        client.force_login(create_guest())
        answer = client.post(address, {"endpoint": "x"})
        assert answer.status_code == (400 if address == PUSH else 200)


class TestWrongMethods:
    @pytest.mark.parametrize("address", ["/open/", "/daily/play/", "/learn/pegging/exam/"])
    def test_an_address_that_only_takes_forms_says_so(self, player: Client, address: str) -> None:
        """A browser asks for it if the page after a form is opened again."""
        answer = player.get(address)
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
        assert "only takes what a form sends" in answer.content.decode()


class TestHead:
    def test_a_page_answers_head_as_it_answers_get(self, client: Client) -> None:
        """Programs that watch a site ask for the head of its pages."""
        pages = [filled(route) for route, _ in patterns() if "<" not in route]
        found = [page for page in pages if client.get(page).status_code == 200]
        assert len(found) > 40
        heads = {page: client.head(page) for page in found if not page.startswith("/api/")}
        assert [page for page, head in heads.items() if head.status_code != 200] == []


class TestUnknownAddresses:
    @pytest.mark.parametrize("path", ["/api/", "/api/v1/nothing", "/api/v2/me", "/api/v1/matches/"])
    def test_the_api_answers_in_json(self, client: Client, path: str) -> None:
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.headers["Content-Type"] == "application/json"
        assert json.loads(answer.content)["error"] == "not_found"

    def test_pages_answer_with_a_page(self, client: Client) -> None:
        answer = client.get("/nothing/")
        assert answer.status_code == 404
        assert answer.headers["Content-Type"].startswith("text/html")

    @pytest.mark.parametrize("path", ["/ws/nothing/", "/ws/", "/", "/ws/t/NOT-AN-ID/", "/ws/bot"])
    async def test_a_socket_is_refused_without_an_error(self, path: str) -> None:
        headers = [(b"origin", b"http://localhost"), (b"host", b"localhost")]
        socket = WebsocketCommunicator(application, path, headers=headers)
        connected, _ = await socket.connect()
        assert not connected
        await socket.wait()
