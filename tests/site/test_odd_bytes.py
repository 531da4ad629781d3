"""Odd bytes in addresses and forms, and extreme JSON: each is answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.plugin import DjangoDbBlocker

from games.learn.puzzle_loading import load_first_puzzles
from games.models import Player
from games.people.accounts import create_guest
from tests.support.moderators import as_player
from tests.support.stored import kept_for_file

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"


@pytest.fixture(scope="module", autouse=True)
def _puzzles(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Load the puzzles once, which their page does on a new site."""
    with kept_for_file(django_db_blocker):
        load_first_puzzles()
        yield


class TestBytes:
    ODD = ("%ff%fe", "%00", "%ed%a0%80", "%c0%af", "a" * 5000, "%F0%9F%82%A1", "-1", "1e999")

    @pytest.mark.parametrize("odd", ODD)
    def test_odd_bytes_in_an_address_are_answered(self, odd: str) -> None:
        client = as_player(Player.objects.create_user("Bea", password=PASSWORD))
        queries = (
            "/count/?cards={}", "/discards/?cards={}&own={}", "/matches/?page={}&before={}&who={}",
            "/matches/?name={}&since={}&seats={}", "/join/{}/", "/t/{}/", "/players/{}/",
            "/api/v1/matches?name={}", "/api/v1/matches?opponent={}&after={}",
            "/api/v1/matches?since={}&standard={}", "/api/v1/tools/count?cards={}",
            "/api/v1/matches/{}", "/api/v1/players/{}", "/ratings/?page={}&list={}&seats={}",
            "/explorer/?cards={}&role={}&led={}&who={}&score={}", "/explorer/disputed/{}/",
            "/open-data/cribbage-{}-{}.jsonl.zst", "/puzzles/{}/?only={}", "/t/{}/plan/",
            "/insights/?kind={}&seats={}&months={}&opponent={}&role={}", "/learn/{}/",
            "/learn/throwing/{}/", "/learn/count/{}/{}/", "/tournaments/{}/live/",
            "/tournaments/leagues/{}/", "/tournaments/leagues/{}/live/",
            "/tournaments/leagues/invited/{}/", "/tournaments/leagues/team/{}/",
        )  # fmt: skip
        for query in queries:
            answer = client.get(query.replace("{}", odd))
            assert answer.status_code < 500, query
        for path in ("/play/", "/name/", "/accounts/login/"):
            body = f"name={odd}&login={odd}&password={odd}&players={odd}"
            kind = "application/x-www-form-urlencoded"
            assert client.post(path, body, content_type=kind).status_code < 500, path
        fields = (
            *("days", "target", "games", "counting", "zone", "quiet_from", "only", "cards"),
            *("do", "total", "title", "starts", "double", "listed", "note"),
        )
        body = "&".join(f"{field}={odd}" for field in fields)
        for path in (
            "/seeks/post/", "/correspondence/away/", "/correspondence/hours/",
            "/correspondence/forced/", "/puzzles/", f"/puzzles/storm/?attempt={odd}",
            "/learn/throwing/1/", "/learn/pegging/1/", "/learn/count/1/1/",
            "/tournaments/leagues/new/",
        ):  # fmt: skip
            assert client.post(path, body, content_type=kind).status_code < 500, path

    @pytest.mark.parametrize("path", ["/api/v1/matches", "/matches/"])
    def test_a_null_character_costs_one_line_of_the_log(
        self, path: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        """With a traceback each, a visitor could fill the log with little."""
        client = as_player(Player.objects.create_user("Bea", password=PASSWORD))
        answer = client.get(f"{path}?name=a%00b")
        assert answer.status_code == 400
        assert "Traceback" not in answer.content.decode()
        assert [(record.name, record.exc_info) for record in caplog.records] == [
            ("django.request", None)
        ]

    def test_null_characters_never_reach_the_database(self) -> None:
        """PostgreSQL would raise an error."""
        client = as_player(Player.objects.create_user("Bea", password=PASSWORD))
        for query in ("name=a%00b", "opponent=a%00b"):
            assert client.get(f"/api/v1/matches?{query}").status_code == 400
        for path in ("/api/v1/players/a%00b", "/t/a%00b/", "/matches/a%00b/"):
            assert client.get(path).status_code == 404
        guest = as_player(create_guest())
        assert guest.post("/name/", {"name": "a\0b"}).status_code == 400


class TestJson:
    """Imported files and entered games are untrusted JSON."""

    ODD = (
        "[" * 50_000, '{"hands":' * 20_000, "9" * 60_000, '{"players": 1e999}', '"\\ud800"', "\x00",
        "null", '{"players": 2, "hands": ' + "[" * 20_000 + "]" * 20_000 + "}",
    )  # fmt: skip

    @pytest.mark.parametrize("text", ODD, ids=lambda text: text[:12])
    def test_extreme_json_is_answered(self, text: str) -> None:
        client = as_player(create_guest())
        file = SimpleUploadedFile("game.jsonl", text.encode())
        answers = [
            client.post("/matches/enter/check/", text, content_type="application/json"),
            client.post("/matches/enter/", {"record": text}),
            client.post("/matches/import/", {"file": file}),
        ]
        assert {answer.status_code for answer in answers} <= {400, 413, 422}

    def test_a_form_instead_of_json_is_answered(self) -> None:
        """Its body was read before the page looks at it."""
        answer = as_player(create_guest()).post("/matches/enter/check/", {"record": "{}"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "not_json")
