"""A player's data export: everything of theirs, and nothing they may not see."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client

from games.archive.import_files import NumberedRecord
from games.archive.imports import import_games
from games.archive.record_files import export_match
from games.engine.state import Ruleset
from games.models import DataToken, HandSeat, Match, Player, ProgramToken, Report
from games.people.accounts import GUEST_BACKEND
from games.people.programs import create_program
from games.people.tokens import create_data_token
from games.safety import export
from games.safety.appeals import make_appeal, reply
from games.safety.moderation import close_reports, moderate, report, write_note
from games.safety.proposals import propose_ban
from games.tables.tables import create_match, join_match
from tests.support.moderators import a_moderator
from tests.support.people import make_match
from tests.support.played import play_on

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
    return answer.getvalue()


def archive(client: Client) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(downloaded(client, "/data/everything.zip"))) as file:
        assert file.testzip() is None
        return {name: json.loads(file.read(name)) for name in file.namelist()}


class TestHands:
    def test_the_file_has_a_row_for_each_of_the_players_hands(self, client: Client) -> None:
        match, (ann, bob) = played()
        text = downloaded(logged_in(client, ann), "/data/hands.csv").decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        own = HandSeat.objects.filter(seat__player=ann).order_by("hand__number")
        assert [row["dealt"] for row in rows] == [each.dealt for each in own]
        assert [row["score_after"] for row in rows] == [str(each.score_after) for each in own]
        assert {row["opponents"] for row in rows} == {bob.name}
        assert {row["match"] for row in rows} == {match.public_id}
        assert {row["dealer"] for row in rows} == {"0", "1"}
        # The opponent's cards are not in it.
        others = HandSeat.objects.filter(seat__player=bob).values_list("dealt", flat=True)
        assert not set(others) & set(text.replace("\r\n", ",").split(","))

    def test_a_running_game_is_left_out(self, client: Client) -> None:
        match, (ann, _) = make_match()
        play_on(match.public_id, moves=60)
        assert HandSeat.objects.filter(seat__player=ann).exists()
        lines = downloaded(logged_in(client, ann), "/data/hands.csv").decode().splitlines()
        assert lines == [",".join(export.HAND_COLUMNS)]

    def test_a_leaver_of_a_ranked_game_does_not_get_its_hands(self) -> None:
        match, (ann, _) = played()
        match.seats.filter(player=ann).update(left_at=30)
        assert list(export.own_hands(ann)) == []

    def test_matches_are_read_in_chunks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _, (ann, bob) = played()
        again = create_match(creator=ann, ruleset=Ruleset(target=61))
        join_match(player=bob, invite=again.invite)
        play_on(again.public_id, seed=2)
        monkeypatch.setattr(export, "CHUNK", 10)  # one match at a time
        found = {hand["match"] for hand in export.own_hands(ann)}
        assert len(found) == 2

    def test_opponents_without_an_account_have_their_names(self) -> None:
        match, (ann, _) = played()
        records = [NumberedRecord(1, one) for one in export_match(match=match)]
        names = {1: "Uncle Toby"}
        (taken,) = import_games(records=records, importer=ann, seat=0, names=names)
        told = [
            row["opponents"] for row in export.own_hands(ann) if row["match"] == taken.public_id
        ]
        assert told and all(each == ["Uncle Toby"] for each in told)

    def test_a_visitor_has_no_export(self, client: Client) -> None:
        assert client.get("/data/hands.csv").status_code == 404

    def test_the_archive_is_streamed_asynchronously(self) -> None:
        _, (ann, _) = played()
        client = AsyncClient()

        async def read() -> list[bytes]:
            await client.aforce_login(ann, backend=GUEST_BACKEND)
            answer: Any = await client.get("/data/everything.zip")
            assert answer.is_async
            return [part async for part in answer]

        parts = async_to_sync(read)()
        assert zipfile.ZipFile(io.BytesIO(b"".join(parts))).testzip() is None


class TestEverything:
    def test_the_archive_has_account_matches_hands_and_records(self, client: Client) -> None:
        match, (ann, bob) = played()
        found = archive(logged_in(client, ann))
        assert found["account.json"]["name"] == ann.name
        (told,) = found["matches.json"]
        assert (told["match"], told["seat"], told["won"]) == (
            match.public_id,
            0,
            match.seats.get(seat=0).won,
        )
        assert told["records"] == json.loads(json.dumps(export_match(match=match), default=str))
        assert [seat["name"] for seat in told["records"][0]["seats"]] == [ann.name, bob.name]
        assert len(found["hands.json"]) == match.hands.count()

    def test_a_running_match_is_listed_without_its_cards(self, client: Client) -> None:
        match, (ann, _) = make_match()
        play_on(match.public_id, moves=60)
        found = archive(logged_in(client, ann))
        (told,) = found["matches.json"]
        assert (told["status"], told["records"]) == ("playing", None)
        assert found["hands.json"] == []

    def test_imported_games_of_others_are_in_the_importers_archive(self, client: Client) -> None:
        match, _ = played()
        records = [NumberedRecord(1, one) for one in export_match(match=match)]
        cleo = Player.objects.create_user("Cleo")
        (taken,) = import_games(
            records=records, importer=cleo, seat=None, names={0: "Uncle Toby", 1: "Mrs Wadman"}
        )
        (told,) = archive(logged_in(client, cleo))["matches.json"]
        assert (told["match"], told["imported"], told["seat"]) == (taken.public_id, True, None)
        assert [seat["name"] for seat in told["records"][0]["seats"]] == [
            "Uncle Toby",
            "Mrs Wadman",
        ]

    def test_the_archive_contains_no_secrets(self, client: Client) -> None:
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

    def test_reports_by_others_are_left_out(self, client: Client) -> None:
        ann, bea = (Player.objects.create_user(name, password=PASSWORD) for name in ("Ann", "Bea"))
        Report.objects.create(about=ann, reporter=bea, reason="other", text="a secret complaint")
        Report.objects.create(about=bea, reporter=ann, reason="name", text="my own complaint")
        text = json.dumps(archive(logged_in(client, ann)))
        assert "my own complaint" in text
        assert "a secret complaint" not in text

    def test_decisions_of_moderators_are_there_with_ones_appeals(self, client: Client) -> None:
        ann, mo = Player.objects.create_user("Ann", password=PASSWORD), a_moderator("Mo")
        entry = moderate(moderator=mo, player=ann, action="mute", reason="You swore.", days=7)
        appeal = make_appeal(player=ann, entry=entry.pk, text="I never did.")
        reply(moderator=mo, appeal=appeal.pk, text="Yes, here.", granted=False)
        moderate(moderator=mo, player=ann, action="warn", reason="Again.")
        found = archive(logged_in(client, ann))
        muted, warned = found["decisions.json"]
        assert (muted["action"], muted["days"], muted["reason"]) == ("mute", 7, "You swore.")
        assert muted["appeal"]["text"] == "I never did."
        assert (muted["appeal"]["reply"], muted["appeal"]["granted"]) == ("Yes, here.", False)
        assert warned["appeal"] is None

    def test_what_only_moderators_read_and_who_they_are_is_left_out(self, client: Client) -> None:
        ann, bea = (Player.objects.create_user(name, password=PASSWORD) for name in ("Ann", "Bea"))
        mo = a_moderator("Mo")
        write_note(moderator=mo, player=ann, text="Watch her")
        propose_ban(moderator=mo, player=ann, reason="Too rude for good")
        moderate(moderator=mo, player=ann, action="mute", reason="You swore.", days=7)
        report(reporter=ann, about=bea, reason="name")
        close_reports(about=bea, moderator=mo, outcome=Report.Outcome.ACTED)
        found = json.dumps(archive(logged_in(client, ann)))
        assert "You swore." in found
        assert [said for said in ("Watch her", "Too rude", mo.public_id) if said in found] == []

    def test_every_table_that_refers_to_players_is_exported_or_left_out_on_purpose(self) -> None:
        """A new table that refers to players needs a decision here."""
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
            and relation.get_accessor_name() not in export.LEFT_OUT | export.FOR_MODERATORS
        }
        assert undecided <= others_said


def test_exports_are_rate_limited(client: Client, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"exports": (2, 3600)}
    _, (ann, _) = played()
    logged_in(client, ann)
    for path in ("/data/hands.csv", "/data/everything.zip"):
        downloaded(client, path)
    refused = client.get("/data/hands.csv")
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 3600


def test_the_record_is_linked_for_those_who_may_replay_the_match(client: Client) -> None:
    match, (ann, _) = played()
    address = f"/matches/{match.public_id}/record.jsonl"
    assert address in logged_in(client, ann).get(f"/matches/{match.public_id}/").content.decode()
    assert client.get(address).status_code == 200
    assert Client().get(address).status_code == 404
