"""Reports, bans and mutes, each written down; and what a moderator does not see."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.test import Client

from games import services
from games.accounts import GUEST_BACKEND, create_guest, rename
from games.admin import ModerationAdmin
from games.engine.state import Ruleset
from games.models import DataToken, Match, ModerationEntry, Player, ProgramToken, Report
from games.services.data_tokens import create_data_token
from games.services.moderation import moderate, report
from games.services.programs import admit, create_program
from tests.games.people import make_match
from tests.games.played import play_on

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"
CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b")


def as_player(player: Player) -> Client:
    client = Client()
    client.force_login(player, backend=GUEST_BACKEND)
    return client


@pytest.fixture
def bea() -> Player:
    return Player.objects.create_user("Bea", password=PASSWORD)


@pytest.fixture
def moderator() -> Player:
    """Somebody who may moderate, and nothing else."""
    player = Player.objects.create_user("Mo", password=PASSWORD, is_staff=True)
    names = [
        f"{action}_{model}"
        for action in ("view", "add", "change")
        for model in ("player", "match", "report", "moderationentry")
    ]
    player.user_permissions.set(Permission.objects.filter(codename__in=names))
    return player


def add(client: Client, player: Player, action: str, **fields: str) -> int:
    data = {"player": str(player.pk), "action": action, "reason": "swears", "days": "", **fields}
    return client.post("/admin/games/moderationentry/add/", data).status_code


class TestReports:
    def test_a_player_is_reported_once_at_a_time(self, bea: Player) -> None:
        client = as_player(create_guest())
        address = f"/report/{bea.public_id}/"
        assert "Report Bea" in client.get(address).content.decode()
        for _ in range(2):
            answer = client.post(address, {"reason": "abuse", "text": "She swears."})
            assert answer.status_code == 302
        row = Report.objects.get()
        assert (row.about, row.reason, row.text) == (bea, "abuse", "She swears.")

    def test_nobody_reports_himself_a_computer_or_for_no_reason(self, bea: Player) -> None:
        client = as_player(bea)
        assert client.post(f"/report/{bea.public_id}/", {"reason": "name"}).status_code == 404
        house = services.tables.computer("poppy")
        assert client.post(f"/report/{house.public_id}/", {"reason": "name"}).status_code == 422
        other = create_guest()
        assert client.post(f"/report/{other.public_id}/", {"reason": "mood"}).status_code == 422
        assert not Report.objects.exists()

    def test_who_was_reported_is_not_told(self, bea: Player) -> None:
        report(reporter=create_guest(name="Snitch"), about=bea, reason="name", text="a complaint")
        client = as_player(bea)
        for path in ("/", "/data/", f"/players/{bea.public_id}/", "/api/v1/me"):
            page = client.get(path).content.decode()
            assert "complaint" not in page and "Snitch" not in page

    def test_a_moderator_closes_them(self, bea: Player, moderator: Player) -> None:
        report(reporter=create_guest(), about=bea, reason="name")
        chosen = {"action": "close", "_selected_action": [str(Report.objects.get().pk)]}
        as_player(moderator).post("/admin/games/report/", chosen)
        assert Report.objects.get().closed_at is not None


class TestBan:
    def test_who_is_banned_is_out_everywhere(self, bea: Player, moderator: Player) -> None:
        client = as_player(bea)
        _, data_token = create_data_token(player=bea, name="phone")
        _, program_token = create_program(owner=bea, name="Botty")
        match = services.create_match(creator=bea, ruleset=Ruleset())
        services.join_match(player=create_guest(), invite=match.invite)

        assert add(as_player(moderator), bea, "ban") == 302
        assert client.get("/data/").status_code == 302
        headers = {"authorization": f"Bearer {data_token}"}
        assert Client().get("/api/v1/me", headers=headers).status_code == 401
        with pytest.raises(services.Refused):
            admit(token=program_token)
        assert not DataToken.objects.exists()
        assert not ProgramToken.objects.exists()
        assert match.seats.get(seat=0).stand_in is not None
        fresh = Client()
        fresh.post("/accounts/login/", {"login": "Bea", "password": PASSWORD})
        assert "_auth_user_id" not in fresh.session

    def test_a_ban_is_lifted(self, bea: Player, moderator: Player) -> None:
        client = as_player(moderator)
        add(client, bea, "ban")
        assert add(client, bea, "lift_ban") == 302
        fresh = Client()
        fresh.post("/accounts/login/", {"login": "Bea", "password": PASSWORD})
        assert "_auth_user_id" in fresh.session


class TestMute:
    def test_who_is_muted_keeps_the_name_that_he_has(self, bea: Player, moderator: Player) -> None:
        moderate(moderator=moderator, player=bea, action="mute", reason="swears", days=2)
        bea.refresh_from_db()
        with pytest.raises(ValidationError):
            rename(player=bea, name="Worse")
        assert as_player(bea).post("/name/", {"name": "Worse"}).status_code == 422
        moderate(moderator=moderator, player=bea, action="unmute", reason="is sorry")
        bea.refresh_from_db()
        rename(player=bea, name="Better")

    def test_a_name_is_taken_away_also_from_who_is_muted(
        self, bea: Player, moderator: Player
    ) -> None:
        for action in ("mute", "rename"):
            moderate(moderator=moderator, player=bea, action=action, reason="swears")
        bea.refresh_from_db()
        assert bea.name.startswith("Visitor ")


class TestTheLog:
    def test_each_deed_is_written_down_with_who_when_and_why(
        self, bea: Player, moderator: Player
    ) -> None:
        add(as_player(moderator), bea, "mute", days="3", reason="shouted")
        row = ModerationEntry.objects.get()
        assert (row.player, row.moderator, row.action, row.days, row.reason) == (
            bea,
            moderator,
            "mute",
            3,
            "shouted",
        )

    def test_nothing_is_done_without_a_reason(self, bea: Player, moderator: Player) -> None:
        assert add(as_player(moderator), bea, "ban", reason=" ") == 200
        with pytest.raises(ValidationError):
            moderate(moderator=moderator, player=bea, action="ban", reason=" ")
        bea.refresh_from_db()
        assert bea.is_active
        assert not ModerationEntry.objects.exists()

    def test_nobody_changes_or_removes_an_entry(self, bea: Player) -> None:
        keeper = Player.objects.create_superuser("Keeper", password=PASSWORD)
        row = moderate(moderator=keeper, player=bea, action="mute", reason="swears")
        client = as_player(keeper)
        path = f"/admin/games/moderationentry/{row.pk}"
        assert client.post(f"{path}/change/", {"reason": "nothing"}).status_code == 403
        assert client.post(f"{path}/delete/", {"post": "yes"}).status_code == 403
        assert ModerationAdmin.has_delete_permission is not None
        assert ModerationEntry.objects.get().reason == "swears"

    def test_keepers_do_not_moderate_each_other(self, moderator: Player) -> None:
        keeper = Player.objects.create_superuser("Keeper", password=PASSWORD)
        assert add(as_player(moderator), keeper, "ban") == 200
        keeper.refresh_from_db()
        assert keeper.is_active


class TestWhatAModeratorMayNot:
    def pages(self, client: Client, match: Match) -> Iterator[str]:
        paths = [
            "/admin/", "/admin/games/match/", f"/admin/games/match/{match.pk}/change/",
            f"/admin/games/match/{match.pk}/history/", "/admin/games/player/",
            "/admin/games/report/", "/admin/games/moderationentry/",
        ]  # fmt: skip
        for path in paths:
            answer = client.get(path)
            assert answer.status_code == 200, path
            yield answer.content.decode()

    def test_a_running_game_shows_him_no_card_and_no_invitation(self) -> None:
        """Not to the keeper of the whole site either."""
        match, _ = make_match()
        play_on(match.public_id, moves=60)
        match.refresh_from_db()
        assert match.hands.exists()
        client = as_player(Player.objects.create_superuser("Keeper", password=PASSWORD))
        for page in self.pages(client, match):
            assert not CARD.search(page)
            assert match.invite not in page
        registered = client.get("/admin/").content.decode()
        for table in ("move", "hand", "handseat", "decks", "datatoken", "programtoken"):
            assert f"/admin/games/{table}/" not in registered
            assert client.get(f"/admin/games/{table}/").status_code == 404

    def test_he_sits_at_no_table_and_replays_no_match_of_others(self) -> None:
        match, _ = make_match(target=61)
        play_on(match.public_id)
        client = as_player(Player.objects.create_superuser("Keeper", password=PASSWORD))
        paths = (
            f"/t/{match.public_id}/", f"/matches/{match.public_id}/",
            f"/matches/{match.public_id}/record.jsonl", f"/api/v1/matches/{match.public_id}/hands",
        )  # fmt: skip
        assert [client.get(path).status_code for path in paths] == [404] * 4

    def test_a_moderator_gives_himself_no_rights(self, moderator: Player) -> None:
        client = as_player(moderator)
        path = f"/admin/games/player/{moderator.pk}/change/"
        client.post(path, {"is_superuser": "on", "is_staff": "on", "email": "mo@example.org"})
        moderator.refresh_from_db()
        assert not moderator.is_superuser
        assert moderator.email == ""
        assert client.get("/admin/auth/group/").status_code == 403
