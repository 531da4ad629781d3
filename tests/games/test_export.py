"""What a player takes along: all that is his, and nothing that he may not see."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client

from games import services
from games.accounts import GUEST_BACKEND
from games.engine.state import Ruleset
from games.models import DataToken, HandSeat, Match, Player, ProgramToken, Report
from games.services import export
from games.services.data_tokens import create_data_token
from games.services.programs import create_program
from tests.games.people import make_match
from tests.games.played import play_on

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"


def logged_in(client: Client, player: Player) -> Client:
    client.force_login(player, backend=GUEST_BACKEND)
    return client


def played(**rules: Any) -> tuple[Match, list[Player]]:
    match, people = make_match(target=61, **rules)
    play_on(match.public_id)
    return Match.objects.get(pk=match.pk), people


def downloaded(client: Client, path: str) -> bytes:
    answer = client.get(path)
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def archive(client: Client) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(downloaded(client, "/data/everything.zip"))) as file:
        assert file.testzip() is None
        return {name: json.loads(file.read(name)) for name in file.namelist()}


class TestHands:
    def test_a_row_for_each_hand_of_ones_own(self, client: Client) -> None:
        match, (ann, bob) = played()
        text = downloaded(logged_in(client, ann), "/data/hands.csv").decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        own = HandSeat.objects.filter(seat__player=ann).order_by("hand__number")
        assert [row["dealt"] for row in rows] == [each.dealt for each in own]
        assert [row["score_after"] for row in rows] == [str(each.score_after) for each in own]
        assert {row["opponents"] for row in rows} == {bob.name}
        assert {row["match"] for row in rows} == {match.public_id}
        assert {row["dealer"] for row in rows} == {"0", "1"}
        # What the others held is not in it.
        others = HandSeat.objects.filter(seat__player=bob).values_list("dealt", flat=True)
        assert not set(others) & set(text.replace("\r\n", ",").split(","))

    def test_a_game_that_goes_on_is_not_in_it(self, client: Client) -> None:
        match, (ann, _) = make_match()
        play_on(match.public_id, moves=60)
        assert HandSeat.objects.filter(seat__player=ann).exists()
        lines = downloaded(logged_in(client, ann), "/data/hands.csv").decode().splitlines()
        assert lines == [",".join(export.HAND_COLUMNS)]

    def test_who_left_a_ranked_game_does_not_get_its_hands(self) -> None:
        match, (ann, _) = played()
        match.seats.filter(player=ann).update(left_at=30)
        assert list(export.own_hands(ann)) == []

    def test_many_matches_are_read_a_few_at_a_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _, (ann, bob) = played()
        again = services.create_match(creator=ann, ruleset=Ruleset(target=61))
        services.join_match(player=bob, invite=again.invite)
        play_on(again.public_id, seed=2)
        monkeypatch.setattr(export, "CHUNK", 10)  # one match at once
        found = {hand["match"] for hand in export.own_hands(ann)}
        assert len(found) == 2

    def test_a_visitor_has_none(self, client: Client) -> None:
        assert client.get("/data/hands.csv").status_code == 404

    def test_the_real_server_sends_it_in_parts(self) -> None:
        _, (ann, _) = played()
        client = AsyncClient()

        async def read() -> list[bytes]:
            await client.aforce_login(ann, backend=GUEST_BACKEND)
            answer = await client.get("/data/everything.zip")
            assert answer.is_async
            return [part async for part in answer]

        parts = async_to_sync(read)()
        assert zipfile.ZipFile(io.BytesIO(b"".join(parts))).testzip() is None


class TestEverything:
    def test_account_matches_hands_and_records(self, client: Client) -> None:
        match, (ann, bob) = played()
        found = archive(logged_in(client, ann))
        assert found["account.json"]["name"] == ann.name
        (told,) = found["matches.json"]
        assert (told["match"], told["seat"], told["won"]) == (
            match.public_id,
            0,
            match.seats.get(seat=0).won,
        )
        assert told["records"] == json.loads(
            json.dumps(services.export_match(match=match), default=str)
        )
        assert [seat["name"] for seat in told["records"][0]["seats"]] == [ann.name, bob.name]
        assert len(found["hands.json"]) == match.hands.count()

    def test_a_running_match_is_named_without_its_cards(self, client: Client) -> None:
        match, (ann, _) = make_match()
        play_on(match.public_id, moves=60)
        found = archive(logged_in(client, ann))
        (told,) = found["matches.json"]
        assert (told["status"], told["records"]) == ("playing", None)
        assert found["hands.json"] == []

    def test_no_secret_is_in_it(self, client: Client) -> None:
        bea = Player.objects.create_user("Bea", "bea@example.org", PASSWORD)
        _, token = create_data_token(player=bea, name="phone")
        _, program = create_program(owner=bea, name="Botty")
        found = archive(logged_in(client, bea))
        assert [row["name"] for row in found["games_datatoken_player.json"]] == ["phone"]
        assert [row["name"] for row in found["programs.json"]] == ["Botty"]
        text = json.dumps(found)
        hidden = [
            bea.password, token, program, DataToken.objects.get().digest,
            ProgramToken.objects.get().digest,
        ]  # fmt: skip
        assert [secret for secret in hidden if secret in text] == []
        assert "bea@example.org" in text

    def test_what_others_said_of_one_is_theirs(self, client: Client) -> None:
        ann, bea = (Player.objects.create_user(name, password=PASSWORD) for name in ("Ann", "Bea"))
        Report.objects.create(about=ann, reporter=bea, reason="other", text="a secret complaint")
        Report.objects.create(about=bea, reporter=ann, reason="name", text="my own complaint")
        text = json.dumps(archive(logged_in(client, ann)))
        assert "my own complaint" in text
        assert "a secret complaint" not in text

    def test_each_table_that_names_a_player_is_taken_along_or_has_a_reason(self) -> None:
        """A table that is new and names two players has to be thought about here."""
        others_said = {
            ("ModerationEntry", "player"), ("ModerationEntry", "moderator"), ("Report", "about"),
            ("Seat", "stand_in"), ("LogEntry", "user"), ("Block", "blocked"),
            ("Mute", "muted"),
        }  # fmt: skip
        taken = {(each.related_model, each.field.name) for each in export._own_relations()}
        undecided = {
            (relation.related_model.__name__, relation.field.name)
            for relation in Player._meta.related_objects
            if not relation.many_to_many
            and (relation.related_model, relation.field.name) not in taken
            and relation.get_accessor_name() not in export.LEFT_OUT
        }
        assert undecided <= others_said


def test_it_can_be_had_so_often_and_no_more(client: Client, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"exports": (2, 3600)}
    _, (ann, _) = played()
    logged_in(client, ann)
    for path in ("/data/hands.csv", "/data/everything.zip"):
        downloaded(client, path)
    refused = client.get("/data/hands.csv")
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 3600


def test_the_record_of_a_match_is_on_its_page_for_those_who_may_replay(client: Client) -> None:
    match, (ann, _) = played()
    address = f"/matches/{match.public_id}/record.jsonl"
    assert address in logged_in(client, ann).get(f"/matches/{match.public_id}/").content.decode()
    assert client.get(address).status_code == 200
    assert Client().get(address).status_code == 404
