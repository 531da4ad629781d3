"""Answers that depend on the visitor say so to caches between the site and the browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Match, Player
from games.people.tokens import create_data_token
from tests.archive.test_imports import upload
from tests.support.written_games import sample

pytestmark = pytest.mark.django_db


def directives(answer: Any) -> set[str]:
    return {part.strip() for part in answer.headers.get("Cache-Control", "").split(",")}


@pytest.mark.parametrize("path", ["/", "/matches/", "/ratings/me/", "/name/", "/api/v1/me"])
def test_no_shared_cache_keeps_what_a_player_sees(
    client: Client, player: Player, path: str
) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert "private" in directives(answer)


def test_no_shared_cache_keeps_the_cards_of_a_match(client: Client, player: Player) -> None:
    assert upload(client, sample("halscrib.txt")).status_code == 302
    match = Match.objects.get(imported=True)
    for path in ("", "record.jsonl", "print/", "1.1/"):
        answer = client.get(f"/matches/{match.public_id}/{path}")
        assert answer.status_code == 200, path
        assert "private" in directives(answer), path


def test_no_shared_cache_keeps_an_answer_to_a_token(client: Client) -> None:
    ann = Player.objects.create_user("Ann", password="fifteen-two-4")
    token = create_data_token(player=ann, name="tests")[1]
    answer = client.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    assert "private" in directives(answer)


@pytest.mark.parametrize("path", ["email/", "password/change/", "2fa/", "login/", "signup/"])
def test_no_browser_keeps_the_pages_of_an_account(
    client: Client, player: Player, path: str
) -> None:
    answer = client.get(f"/accounts/{path}")
    assert {"no-store", "private"} <= directives(answer), answer.status_code


def test_a_site_below_a_prefix_knows_its_account_pages_and_its_api(client: Client) -> None:
    answer = client.get("/accounts/login/", SCRIPT_NAME="/cards")
    assert "no-store" in directives(answer)
    for path in ("/api/v1/nothing", "/api/v1/me?x=%00"):
        answer = client.get(path, SCRIPT_NAME="/cards")
        assert answer.headers["Content-Type"] == "application/json", path
    here, below = client.head("/api/v1/me"), client.head("/api/v1/me", SCRIPT_NAME="/cards")
    assert here.status_code == below.status_code == 401


def test_what_is_the_same_for_everyone_may_be_kept(client: Client) -> None:
    assert "private" not in directives(client.get("/robots.txt"))
    assert "public" in directives(client.get("/api/asyncapi.json"))
