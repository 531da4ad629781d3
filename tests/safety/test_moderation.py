"""Reports, bans and mutes, the moderation log, and what moderators cannot see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from games.engine.state import Ruleset
from games.jobs.worker import work_off
from games.models import DataToken, Match, ModerationEntry, Player, ProgramToken, Report
from games.people.accounts import create_guest, rename
from games.people.nightly import lift_ended_bans
from games.people.programs import authenticate_program, create_program
from games.people.tokens import create_data_token
from games.safety.moderation import moderate, report
from games.tables import tables
from games.tables.tables import create_match, join_match
from games.wire.refusals import Refused
from ratings.matchmaking import linked_accounts
from tests.support.moderators import a_moderator, as_player
from tests.support.people import make_match
from tests.support.played import play_on

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"
CARD = re.compile(r"\b[A2-9TJQK][CDHS]\b")
FIELD = re.compile(r"<(?:input|select|textarea)[^>]*>")
NAME_AND_VALUE = re.compile(r'name="([^"]*)" value="([^"]*)"')


@pytest.fixture
def bea() -> Player:
    return Player.objects.create_user("Bea", password=PASSWORD)


@pytest.fixture
def moderator() -> Player:
    """Return a moderator without further rights."""
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
    def test_a_player_has_one_open_report_per_reporter(self, bea: Player) -> None:
        client = as_player(create_guest())
        address = f"/report/{bea.public_id}/"
        assert "Report Bea" in client.get(address).content.decode()
        for _ in range(2):
            answer = client.post(address, {"reason": "abuse", "text": "She swears."})
            assert answer.status_code == 302
        row = Report.objects.get()
        assert (row.about, row.reason, row.text) == (bea, "abuse", "She swears.")

    def test_reports_about_oneself_computers_or_without_a_valid_reason_are_refused(
        self, bea: Player
    ) -> None:
        client = as_player(bea)
        assert client.post(f"/report/{bea.public_id}/", {"reason": "name"}).status_code == 404
        house = tables.computer("poppy")
        assert client.post(f"/report/{house.public_id}/", {"reason": "name"}).status_code == 422
        other = create_guest()
        assert client.post(f"/report/{other.public_id}/", {"reason": "mood"}).status_code == 422
        assert not Report.objects.exists()

    def test_a_reported_player_is_not_told(self, bea: Player) -> None:
        report(reporter=create_guest(name="Snitch"), about=bea, reason="name", text="a complaint")
        client = as_player(bea)
        for path in ("/", "/data/", f"/players/{bea.public_id}/", "/api/v1/me"):
            page = client.get(path).content.decode()
            assert "complaint" not in page and "Snitch" not in page

    def test_a_moderator_can_close_reports(self, bea: Player, moderator: Player) -> None:
        report(reporter=create_guest(), about=bea, reason="name")
        chosen = {"action": "close", "_selected_action": [str(Report.objects.get().pk)]}
        as_player(moderator).post("/admin/games/report/", chosen)
        assert Report.objects.get().closed_at is not None


class TestBan:
    def test_a_ban_ends_all_access(self, bea: Player, moderator: Player) -> None:
        client = as_player(bea)
        _, data_token = create_data_token(player=bea, name="phone")
        _, program_token = create_program(owner=bea, name="Botty")
        match = create_match(creator=bea, ruleset=Ruleset())
        join_match(player=create_guest(), invite=match.invite)

        assert add(as_player(moderator), bea, "ban", days="30") == 302
        assert client.get("/data/").status_code == 302
        headers = {"authorization": f"Bearer {data_token}"}
        assert Client().get("/api/v1/me", headers=headers).status_code == 401
        with pytest.raises(Refused):
            authenticate_program(token=program_token)
        assert not DataToken.objects.exists()
        assert not ProgramToken.objects.exists()
        assert match.seats.get(seat=0).stand_in is not None
        fresh = Client()
        fresh.post("/accounts/login/", {"login": "Bea", "password": PASSWORD})
        assert "_auth_user_id" not in fresh.session

    def test_a_ban_can_be_lifted(self, bea: Player, moderator: Player) -> None:
        client = as_player(moderator)
        add(client, bea, "ban", days="30")
        assert add(client, bea, "lift_ban") == 302
        fresh = Client()
        fresh.post("/accounts/login/", {"login": "Bea", "password": PASSWORD})
        assert "_auth_user_id" in fresh.session

    def test_a_ban_ends_after_its_days(self, bea: Player, moderator: Player) -> None:
        moderate(moderator=moderator, player=bea, action="ban", reason="swears", days=3)
        client, login = Client(), {"login": "Bea", "password": PASSWORD}
        client.post("/accounts/login/", login)
        assert "_auth_user_id" not in client.session
        Player.objects.filter(pk=bea.pk).update(banned_until=timezone.now() - timedelta(seconds=1))
        client.post("/accounts/login/", login)
        assert client.session["_auth_user_id"] == str(bea.pk)
        bea.refresh_from_db()
        assert (bea.is_active, bea.banned_until) == (True, None)

    def test_a_ban_whose_days_are_over_ends_before_the_player_comes_back(
        self, bea: Player, moderator: Player
    ) -> None:
        """Until then they are on no leaderboard, and nobody can ask for their friendship."""
        cat, dan = (Player.objects.create_user(name) for name in ("Cat", "Dan"))
        for player, days in ((bea, 3), (cat, 300)):
            moderate(moderator=moderator, player=player, action="ban", reason="swears", days=days)
        Player.objects.filter(pk=dan.pk).update(is_active=False)
        Player.objects.filter(pk=bea.pk).update(banned_until=timezone.now() - timedelta(seconds=1))
        lift_ended_bans.call()
        open_again = Player.objects.filter(name__in=["Bea", "Cat", "Dan"], is_active=True)
        assert [player.name for player in open_again] == ["Bea"]
        assert open_again.get().banned_until is None

    def test_a_banned_player_is_told_why_and_until_when(
        self, bea: Player, moderator: Player
    ) -> None:
        moderate(moderator=moderator, player=bea, action="ban", reason="Swears a lot.", days=3)
        login = {"login": "Bea", "password": PASSWORD}
        page = Client().post("/accounts/login/", login, follow=True).content.decode()
        assert "Swears a lot." in page
        bea.refresh_from_db()
        assert bea.banned_until is not None
        assert date_format(timezone.localtime(bea.banned_until), "DATETIME_FORMAT") in page
        wrong = {"login": "Bea", "password": "something else"}
        other = Client().post("/accounts/login/", wrong, follow=True).content.decode()
        assert "Swears a lot." not in other

    def test_a_banned_player_who_forgot_the_password_can_learn_why_too(
        self, bea: Player, moderator: Player
    ) -> None:
        EmailAddress.objects.create(user=bea, email="bea@example.org", verified=True, primary=True)
        moderate(moderator=moderator, player=bea, action="ban", reason="Swears a lot.", days=3)
        client = Client()
        client.post("/accounts/password/reset/", {"email": "bea@example.org"})
        work_off()
        link = re.search(r"http://[^/]+(/accounts/password/reset/\S+)", str(mail.outbox[0].body))
        assert link is not None, mail.outbox[0].body
        form = client.get(link[1], follow=True).redirect_chain[-1][0]
        new = "another-nob-5"
        client.post(form, {"password1": new, "password2": new})
        login = {"login": "Bea", "password": new}
        assert (
            "Swears a lot." in client.post("/accounts/login/", login, follow=True).content.decode()
        )
        assert "_auth_user_id" not in client.session

    def test_a_ban_for_good_needs_a_second_moderator(self, bea: Player, moderator: Player) -> None:
        for days in (None, 366):
            for second in (None, moderator, create_guest()):
                with pytest.raises(ValidationError, match="two moderators"):
                    moderate(
                        moderator=moderator,
                        player=bea,
                        action="ban",
                        reason="swears",
                        days=days,
                        second=second,
                    )
        assert add(as_player(moderator), bea, "ban") == 200
        bea.refresh_from_db()
        assert bea.is_active


class TestMute:
    def test_a_muted_player_cannot_change_their_name(self, bea: Player, moderator: Player) -> None:
        moderate(moderator=moderator, player=bea, action="mute", reason="swears", days=2)
        bea.refresh_from_db()
        with pytest.raises(ValidationError):
            rename(player=bea, name="Worse")
        assert as_player(bea).post("/name/", {"name": "Worse"}).status_code == 422
        moderate(moderator=moderator, player=bea, action="unmute", reason="is sorry")
        bea.refresh_from_db()
        rename(player=bea, name="Better")

    def test_a_moderator_can_rename_a_muted_player(self, bea: Player, moderator: Player) -> None:
        for action in ("mute", "rename"):
            moderate(moderator=moderator, player=bea, action=action, reason="swears")
        bea.refresh_from_db()
        assert bea.name.startswith("Visitor ")


class TestRemovedNames:
    def test_the_player_can_still_log_in_with_the_old_name_or_the_new_one(
        self, bea: Player, moderator: Player
    ) -> None:
        moderate(moderator=moderator, player=bea, action="rename", reason="rude")
        bea.refresh_from_db()
        assert bea.name.startswith("Visitor ")
        for name in ("bea", bea.name, bea.name.lower()):
            client = Client()
            client.post("/accounts/login/", {"login": name, "password": PASSWORD})
            assert client.session.get("_auth_user_id") == str(bea.pk), name
        answer = Client().post(
            "/accounts/signup/", {"username": "Bea", "password1": "another-one-7"}
        )
        assert "That name is taken" in answer.content.decode()
        rename(player=bea, name="Kind Bea")
        for name, logs_in in (("Kind Bea", True), ("Bea", False)):
            client = Client()
            client.post("/accounts/login/", {"login": name, "password": PASSWORD})
            assert ("_auth_user_id" in client.session) is logs_in, name

    def test_nobody_else_takes_the_login_in_other_letters(
        self, bea: Player, moderator: Player
    ) -> None:
        """Logging in ignores case, so that only one of the two could log in."""
        moderate(moderator=moderator, player=bea, action="rename", reason="rude")
        form = {"username": "BEA", "password1": "another-one-7"}
        assert "That name is taken" in Client().post("/accounts/signup/", form).content.decode()
        with pytest.raises(ValidationError, match="taken"):
            rename(player=Player.objects.create_user("Cat"), name="bea")
        rename(player=bea, name="bEA")


class TestTheLog:
    def test_each_action_is_logged_with_moderator_and_reason(
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

    def test_every_action_needs_a_reason(self, bea: Player, moderator: Player) -> None:
        assert add(as_player(moderator), bea, "ban", reason=" ") == 200
        with pytest.raises(ValidationError):
            moderate(moderator=moderator, player=bea, action="ban", reason=" ")
        bea.refresh_from_db()
        assert bea.is_active
        assert not ModerationEntry.objects.exists()

    def test_log_entries_cannot_be_changed_or_deleted(self, bea: Player) -> None:
        keeper = Player.objects.create_superuser("Keeper", password=PASSWORD)
        row = moderate(moderator=keeper, player=bea, action="mute", reason="swears")
        client = as_player(keeper)
        path = f"/admin/games/moderationentry/{row.pk}"
        assert client.post(f"{path}/change/", {"reason": "nothing"}).status_code == 403
        assert client.post(f"{path}/delete/", {"post": "yes"}).status_code == 403
        chosen = {"action": "delete_selected", "_selected_action": str(row.pk), "post": "yes"}
        client.post("/admin/games/moderationentry/", chosen)
        assert ModerationEntry.objects.get().reason == "swears"

    def test_the_admin_refuses_what_moderators_may_not_do(
        self, bea: Player, moderator: Player
    ) -> None:
        client = as_player(moderator)
        assert add(client, bea, "mute", days="0") == 200, "would be logged as for good"
        assert add(client, bea, "unlink") == 200, "would be logged, but not carried out"
        linked_accounts.link(one=moderator, other=bea)
        assert add(client, bea, "mute", days="3") == 200, "is their own account"
        assert not ModerationEntry.objects.exists()
        moderate(moderator=a_moderator("Max"), player=bea, action="warn", reason="shouts")
        assert not client.get("/admin/games/moderationentry/").context["cl"].queryset.exists()

    def test_superusers_cannot_be_moderated(self, moderator: Player) -> None:
        keeper = Player.objects.create_superuser("Keeper", password=PASSWORD)
        assert add(as_player(moderator), keeper, "ban") == 200
        keeper.refresh_from_db()
        assert keeper.is_active


class TestModeratorLimits:
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

    def test_the_admin_shows_no_cards_or_invitations_of_a_running_game(self) -> None:
        """Not even to a superuser."""
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

    def test_the_admin_shows_the_seats_of_a_match_without_fields_to_change_them(self) -> None:
        """A field for a player would also list all players of the site."""
        match, people = make_match()
        client = as_player(Player.objects.create_superuser("Keeper", password=PASSWORD))
        address = f"/admin/games/match/{match.pk}/change/"
        page = client.get(address).content.decode()
        assert people[0].name in page
        named = {tag for tag in FIELD.findall(page) if 'name="seats-' in tag}
        assert not [tag for tag in named if 'type="hidden"' not in tag]
        sent = dict(NAME_AND_VALUE.findall("".join(named)))
        client.post(address, sent | {"seats-0-left_at": "1", "seats-0-timed_out": "on"})
        assert not match.seats.filter(left_at__isnull=False).exists()

    def test_no_hidden_field_can_be_found_out_by_filters(self) -> None:
        """Lists can be filtered by address, and would tell an invitation letter by letter."""
        match, _ = make_match()
        client = as_player(Player.objects.create_superuser("Keeper", password=PASSWORD))
        asked = [
            f"games/match/?invite__startswith={match.invite[0]}",
            "games/player/?password__startswith=pbkdf2",
            "games/report/?text__contains=5H",
            "games/moderationentry/?reason__contains=5H",
            *(f"ratings/{name}/?token__startswith=a" for name in ("club", "event", "teamleague")),
            "ratings/leagueteam/?token__startswith=a",
            "ratings/clubnight/?token__startswith=a",
        ]
        statuses = {path: client.get(f"/admin/{path}").status_code for path in asked}
        assert statuses == dict.fromkeys(asked, 400)
        for path in (
            "match/?status__exact=playing&created_at__year=2026",
            "report/?closed_at__isempty=1",
            "player/?is_staff__exact=1&q=Keeper",
        ):
            assert client.get(f"/admin/games/{path}").status_code == 200, path

    def test_site_rights_give_no_access_to_others_tables_and_replays(self) -> None:
        match, _ = make_match(target=61)
        play_on(match.public_id)
        client = as_player(Player.objects.create_superuser("Keeper", password=PASSWORD))
        paths = (
            f"/t/{match.public_id}/", f"/matches/{match.public_id}/",
            f"/matches/{match.public_id}/record.jsonl", f"/api/v1/matches/{match.public_id}/hands",
        )  # fmt: skip
        assert [client.get(path).status_code for path in paths] == [404] * 4

    def test_moderators_cannot_give_themselves_rights(self, moderator: Player) -> None:
        client = as_player(moderator)
        path = f"/admin/games/player/{moderator.pk}/change/"
        client.post(path, {"is_superuser": "on", "is_staff": "on", "email": "mo@example.org"})
        moderator.refresh_from_db()
        assert not moderator.is_superuser
        assert moderator.email == ""
        assert client.get("/admin/auth/group/").status_code == 403
