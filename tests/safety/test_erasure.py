"""Deleting an account: no identifying data remains, and the other players keep their games."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import sync_to_async
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from games.archive.access import may_see
from games.archive.import_files import NumberedRecord
from games.archive.imports import import_games
from games.archive.public import public_among
from games.archive.record_files import export_match
from games.bots import levels
from games.engine.state import Ruleset
from games.log.verify import differences
from games.models import Hand, Match, ModerationEntry, Move, Player, Report, Seat, Session
from games.models.names import ERASED as NAME
from games.people.accounts import GUEST_BACKEND, create_guest
from games.people.programs import authenticate_program, create_program
from games.people.tokens import create_data_token
from games.safety import erasure
from games.safety.erasure import end_sessions, erase
from games.tables.tables import create_match, join_match, seat_stand_in, take_back
from games.wire.refusals import Refused
from ratings.models import Rating
from tests.support.people import Wire, make_match, run
from tests.support.played import play_on

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"
NAMES = ("Zebedee", "zebedee@example.org", "Zebbot")


def stored_texts() -> list[str]:
    """Return every text in every table, with sessions decoded."""
    texts: list[str] = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            texts += (
                value if isinstance(value, str) else json.dumps(value, default=str)
                for row in cursor.fetchall()
                for value in row
                if value is not None and not isinstance(value, (int, float))
            )
    texts += (json.dumps(session.get_decoded()) for session in Session.objects.all())
    return texts


def found(*secrets: str) -> set[str]:
    """Return which of the secrets occur anywhere in the database, ignoring case."""
    texts = [text.lower() for text in stored_texts()]
    return {secret for secret in secrets if any(secret.lower() in text for text in texts)}


@pytest.fixture
def zebedee() -> Player:
    """Return a person with a password and an e-mail address."""
    player = Player.objects.create_user(NAMES[0], NAMES[1], PASSWORD)
    EmailAddress.objects.create(user=player, email=NAMES[1], primary=True)
    return player


def logged_in(player: Player) -> Client:
    """Log in through the form, so that the session has the same content as a real one."""
    client = Client()
    if player.has_usable_password():
        client.post("/accounts/login/", {"login": player.username, "password": PASSWORD})
    else:
        client.force_login(player, backend=GUEST_BACKEND)
    assert client.session["_auth_user_id"] == str(player.pk)
    return client


def finished(person: Player) -> tuple[Match, Player]:
    match, (guest, other) = make_match(target=61)
    match.seats.filter(player=guest).update(player=person)
    Match.objects.filter(pk=match.pk).update(created_by=person)
    play_on(match.public_id)
    return Match.objects.get(pk=match.pk), other


class TestRemainingData:
    def test_no_name_address_or_token_remains_in_the_database(self, zebedee: Player) -> None:
        finished(zebedee)
        client = logged_in(zebedee)
        _, data_token = create_data_token(player=zebedee, name="zebedee's phone")
        program, program_token = create_program(owner=zebedee, name=NAMES[2])
        keeper = Player.objects.create_superuser("Keeper", password=PASSWORD)
        Report.objects.create(about=zebedee, reporter=keeper, reason="name", text="Zebedee swears")
        Report.objects.create(about=program, reporter=zebedee, reason="name", text="I am Zebedee")
        ModerationEntry.objects.create(
            player=zebedee, moderator=keeper, action="mute", reason="Zebedee swears"
        )
        LogEntry.objects.create(
            user=keeper,
            content_type=ContentType.objects.get_for_model(Player),
            object_id=str(zebedee.pk),
            object_repr=str(zebedee),
            action_flag=2,
        )
        secrets = (
            *NAMES, zebedee.public_id, program.public_id, zebedee.password,
            zebedee.data_tokens.get().digest, program.token.digest,
        )  # fmt: skip
        assert found(*secrets) == set(secrets), "the search must find what is there"

        answer = client.post("/data/delete/", {"password": PASSWORD}, follow=True)
        assert answer.redirect_chain == [("/", 302)]
        assert found(*secrets, data_token, program_token) == set()
        second_click = client.post("/data/delete/", {"password": PASSWORD}, follow=True)
        assert "just deleted your account" in second_click.content.decode()

    def test_imported_games_are_deleted_with_the_names_in_them(self, zebedee: Player) -> None:
        """Only the importer could see them, and their players are not players of the site."""
        match, other = finished(zebedee)
        records = [NumberedRecord(1, record) for record in export_match(match=match)]
        (taken,) = import_games(
            records=records, importer=zebedee, seat=None, names={0: "Zeb Aunt", 1: "Zeb Uncle"}
        )
        branch = create_match(creator=zebedee, ruleset=Ruleset(), computers={1: levels()[0].name})
        Match.objects.filter(pk=branch.pk).update(branch_of=taken, branch_step=3)
        assert found("Zeb Aunt", "Zeb Uncle") == {"Zeb Aunt", "Zeb Uncle"}
        erase(player=zebedee)
        assert found("Zeb Aunt", "Zeb Uncle") == set()
        assert set(Match.objects.all()) == {match, branch}
        assert Player.objects.filter(pk=other.pk).exists()

    def test_no_one_sees_what_was_played_on_from_a_deleted_import(self, zebedee: Player) -> None:
        zebedee.replays = Player.Replays.EVERYBODY
        zebedee.save()
        match, _ = finished(zebedee)
        records = [NumberedRecord(1, record) for record in export_match(match=match)]
        (taken,) = import_games(records=records, importer=zebedee, seat=0, names={})
        computer = levels()[0].name
        branch = create_match(creator=zebedee, ruleset=Ruleset(target=61), computers={1: computer})
        Match.objects.filter(pk=branch.pk).update(branch_of=taken, branch_step=3)
        play_on(branch.public_id)
        Match.objects.filter(pk=branch.pk).update(finished_at=timezone.now() - timedelta(days=1))
        erase(player=zebedee)
        assert not may_see(Match.objects.get(pk=branch.pk), None)
        assert public_among([branch.pk]) == set()
        assert list(differences(Match.objects.get(pk=branch.pk))) == []

    def test_results_remain_under_a_neutral_name(self, zebedee: Player) -> None:
        match, other = finished(zebedee)
        before = list(match.seats.order_by("seat").values("score", "won", "match_points"))
        moves, hands = Move.objects.count(), Hand.objects.count()
        erase(player=zebedee)
        assert list(match.seats.order_by("seat").values("score", "won", "match_points")) == before
        assert (Move.objects.count(), Hand.objects.count()) == (moves, hands)
        assert list(differences(match)) == []
        page = logged_in(other).get(f"/matches/{match.public_id}/").content.decode()
        assert NAME in page

    def test_the_neutral_name_is_in_the_readers_language(self, zebedee: Player) -> None:
        finished(zebedee)
        erase(player=zebedee)
        rows = Player.objects.filter(name=NAME)
        with override("de"):
            assert rows.get(pk=zebedee.pk).name == "Gelöschtes Konto"
            assert set(rows.values_list("name", flat=True)) == {"Gelöschtes Konto"}
            assert f"{Seat.objects.get(player=zebedee).player}" == "Gelöschtes Konto"
        assert rows.get(pk=zebedee.pk).name == NAME

    def test_two_deleted_players_do_not_clash(self, zebedee: Player) -> None:
        """Both get the same neutral name."""
        other = Player.objects.create_user("Other", password=PASSWORD)
        for player in (zebedee, other):
            finished(player)
            erase(player=player)
        assert Player.objects.filter(kind="deleted", name=NAME).count() == 2

    def test_the_name_and_address_can_be_used_again(self, zebedee: Player) -> None:
        erase(player=zebedee)
        client = Client()
        fields = {"username": NAMES[0], "email": NAMES[1], "password1": PASSWORD}
        assert client.post("/accounts/signup/", fields).status_code == 302

    def test_ratings_are_deleted(self, zebedee: Player) -> None:
        Rating.objects.create(
            player=zebedee, seats=2, skill=1, rating=1500, rd=80, floor=1420,
            provisional=False, results=12, constants="1",
        )  # fmt: skip
        erase(player=zebedee)
        assert not Rating.objects.exists()

    def test_only_results_keep_a_reference_to_a_deleted_player(self) -> None:
        """Every row that refers to a player is deleted, loses the reference, or is a result."""
        stay = {
            (relation.related_model.__name__, relation.field.name)
            for relation in Player._meta.related_objects
            if relation.on_delete.__name__ not in {"CASCADE", "SET_NULL"}
            and not relation.many_to_many
        }
        assert stay == {
            ("Seat", "player"),
            ("Seat", "stand_in"),
            ("Attempt", "player"),
            ("Entrant", "player"),
            ("EventEntrant", "player"),
            ("TeamPlayer", "player"),
        }


class TestSessions:
    def test_all_sessions_of_the_player_end_and_no_others(self, zebedee: Player) -> None:
        phone, desk, other = logged_in(zebedee), logged_in(zebedee), logged_in(create_guest())
        erase(player=zebedee)
        assert Session.objects.count() == 1
        for client in (phone, desk):
            assert client.get("/data/").status_code == 302
        assert other.get("/data/").status_code == 200

    def test_a_guests_sessions_end_with_a_single_query(
        self, django_assert_num_queries: Any
    ) -> None:
        guest = create_guest()
        mine = [logged_in(guest) for _ in range(2)]
        others = [logged_in(create_guest()) for _ in range(3)]
        with django_assert_num_queries(1):
            assert end_sessions(player=guest) == 2
        assert all(client.get("/data/").status_code == 302 for client in mine)
        assert all(client.get("/data/").status_code == 200 for client in others)

    def test_tokens_stop_working(self, zebedee: Player) -> None:
        _, data_token = create_data_token(player=zebedee, name="phone")
        _, program_token = create_program(owner=zebedee, name=NAMES[2])
        erase(player=zebedee)
        answer = Client().get("/api/v1/me", headers={"authorization": f"Bearer {data_token}"})
        assert answer.status_code == 401
        with pytest.raises(Refused):
            authenticate_program(token=program_token)

    def test_the_old_password_no_longer_works(self, zebedee: Player) -> None:
        erase(player=zebedee)
        client = Client()
        for name in NAMES[:2]:
            client.post("/accounts/login/", {"login": name, "password": PASSWORD})
        assert "_auth_user_id" not in client.session


class TestRunningGames:
    def test_a_computer_takes_over_a_running_game_with_others(self, zebedee: Player) -> None:
        match = create_match(creator=zebedee, ruleset=Ruleset())
        join_match(player=create_guest(), invite=match.invite)
        erase(player=zebedee)
        seat = match.seats.get(seat=0)
        assert seat.stand_in is not None and seat.stand_in.is_computer
        match.refresh_from_db()
        assert match.status == Match.Status.PLAYING

    def test_an_open_connection_does_not_take_the_seat_back(self, zebedee: Player) -> None:
        match = create_match(creator=zebedee, ruleset=Ruleset())
        join_match(player=create_guest(), invite=match.invite)
        erase(player=zebedee)
        assert not take_back(match=match, player=zebedee)

    @pytest.mark.django_db(transaction=True)
    def test_an_open_connection_can_no_longer_play(self, zebedee: Player) -> None:
        match = create_match(creator=zebedee, ruleset=Ruleset())
        join_match(player=create_guest(), invite=match.invite)

        async def scenario() -> None:
            wire = await Wire(match, zebedee).open()
            await wire.hear("view")
            await sync_to_async(erase)(player=zebedee)
            wire.send({"t": "return", "d": {}, "id": "z-1"})
            wire.send({"t": "play", "d": {"card": "5H"}, "id": "z-2"})
            assert (await wire.hear("bye"))["code"] == "logged_out"
            await wire.hang_up()
            assert "ok" not in wire.kinds

        run(scenario())

    def test_a_game_against_computers_only_is_abandoned(self, zebedee: Player) -> None:
        match = create_match(creator=zebedee, ruleset=Ruleset(), computers={1: levels()[0].name})
        erase(player=zebedee)
        match.refresh_from_db()
        assert match.status == Match.Status.ABANDONED

    def test_a_game_that_ends_meanwhile_stays_finished(
        self, zebedee: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shared = create_match(creator=zebedee, ruleset=Ruleset())
        join_match(player=create_guest(), invite=shared.invite)
        alone = create_match(creator=zebedee, ruleset=Ruleset(), computers={1: levels()[0].name})

        def end_the_other(**table: Any) -> None:
            Match.objects.filter(pk=alone.pk).update(status=Match.Status.FINISHED)
            seat_stand_in(**table)

        monkeypatch.setattr("games.safety.erasure.seat_stand_in", end_the_other)
        erase(player=zebedee)
        alone.refresh_from_db()
        assert alone.status == Match.Status.FINISHED

    def test_matches_are_left_in_the_same_order_by_all_who_share_them(
        self, zebedee: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Otherwise two of them, deleted at once, could wait for each other's matches."""
        host = create_guest()
        first, second = (create_match(creator=host, ruleset=Ruleset()) for _ in range(2))
        for match in (second, first):
            join_match(player=zebedee, invite=match.invite)
        left: list[int] = []
        monkeypatch.setattr(erasure, "_leave", lambda pk, _player: left.append(pk))
        erasure.hand_over(zebedee)
        assert left == [first.pk, second.pk]

    def test_the_players_waiting_table_closes_and_other_seats_become_free(
        self, zebedee: Player
    ) -> None:
        own = create_match(creator=zebedee, ruleset=Ruleset(), listed=True)
        other = create_match(creator=create_guest(), ruleset=Ruleset(players=3))
        join_match(player=zebedee, invite=other.invite)
        erase(player=zebedee)
        own.refresh_from_db()
        assert own.status == Match.Status.ABANDONED
        assert other.seats.filter(player__isnull=True).count() == 2

    def test_a_ranked_game_is_left_for_good(self, zebedee: Player) -> None:
        match = create_match(creator=zebedee, ruleset=Ruleset())
        join_match(player=create_guest(), invite=match.invite)
        Match.objects.filter(pk=match.pk).update(ranked=True)
        erase(player=zebedee)
        assert match.seats.get(seat=0).left_at is not None


class TestThePage:
    def test_viewing_the_page_deletes_nothing(self, zebedee: Player) -> None:
        page = logged_in(zebedee).get("/data/delete/").content.decode()
        assert "for good" in page
        assert Player.objects.filter(name=NAMES[0]).exists()

    @pytest.mark.parametrize("password", ["", "wrong"])
    def test_a_person_must_give_their_password(self, zebedee: Player, password: str) -> None:
        answer = logged_in(zebedee).post("/data/delete/", {"password": password})
        assert answer.status_code == 422
        assert Player.objects.filter(name=NAMES[0]).exists()

    def test_password_attempts_are_limited(self, zebedee: Player, settings: Any) -> None:
        settings.LIMITS = settings.LIMITS | {"deletions": (2, 900)}
        client = logged_in(zebedee)
        for _ in range(2):
            client.post("/data/delete/", {"password": "wrong"})
        assert client.post("/data/delete/", {"password": PASSWORD}).status_code == 429

    def test_a_guest_must_type_their_name(self) -> None:
        guest = create_guest(name="Zebedee")
        client = logged_in(guest)
        assert client.post("/data/delete/", {"name": "Somebody"}).status_code == 422
        assert client.post("/data/delete/", {"name": "Zebedee"}).status_code == 302
        assert found("Zebedee") == set()

    def test_a_superuser_cannot_be_erased(self) -> None:
        keeper = Player.objects.create_superuser("Keeper", password=PASSWORD)
        with pytest.raises(ValidationError, match="rights"):
            erase(player=keeper)
        assert logged_in(keeper).post("/data/delete/", {"password": PASSWORD}).status_code == 422

    def test_a_visitor_has_nothing_to_delete(self) -> None:
        assert Client().post("/data/delete/").status_code == 302
        assert not apps.get_model("games", "Player").objects.exists()
        assert not Seat.objects.exists()


def test_a_deleted_players_row_keeps_the_reserved_name_whatever_its_reader_speaks() -> None:
    player = Player.objects.create_user("Someone")
    Player.objects.filter(pk=player.pk).update(kind=Player.Kind.DELETED, name=NAME)
    with override("de"):
        read = Player.objects.get(pk=player.pk)
        assert read.name != NAME
        read.save()
    assert Player.objects.filter(pk=player.pk, name=NAME).exists()
