"""Guests play at once, and keep everything when they sign up or log in."""

import re
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils import translation

from games.engine.state import Ruleset
from games.jobs.worker import work_off
from games.models import Hand, HandSeat, Match, Player, QueuedMail, Report, Seat
from games.people import accounts
from games.safety.moderation import moderate, report
from games.tables.tables import create_match, join_match

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"


@pytest.fixture
def visit(client: Client) -> Callable[..., HttpRequest]:
    """Give a function that makes a request with a session, anonymous or as `user`."""

    def make(user: Player | None = None) -> HttpRequest:
        request = RequestFactory().get("/")
        request.session = client.session
        request.user = user or AnonymousUser()
        return request

    return make


def as_guest(client: Client, name: str = "Ann") -> Player:
    """Create a guest and log the client in as them, as `ensure_guest` does."""
    guest = accounts.create_guest(name=name)
    client.force_login(guest, backend=accounts.GUEST_BACKEND)
    return guest


def a_person(name: str, email: str = "") -> Player:
    return Player.objects.create_user(name, email, PASSWORD)


def a_match(*players: Player) -> Match:
    playing = Match.Status.PLAYING
    match = Match.objects.create(ruleset={}, created_by=players[0], status=playing)
    for number, player in enumerate(players):
        Seat.objects.create(match=match, seat=number, player=player)
    return match


def sign_up(client: Client, name: str, **fields: str) -> Any:
    return client.post(
        "/accounts/signup/", {"username": name, "email": "", "password1": PASSWORD, **fields}
    )


def log_in(client: Client, name: str, password: str = PASSWORD) -> Any:
    return client.post("/accounts/login/", {"login": name, "password": password})


def who(client: Client) -> Player:
    return Player.objects.get(pk=client.session["_auth_user_id"])


class TestGuest:
    def test_a_visitor_becomes_a_guest_and_is_logged_in(
        self, visit: Callable[..., HttpRequest]
    ) -> None:
        request = visit()
        guest = accounts.ensure_guest(request, "Ann")
        assert (guest.name, guest.kind) == ("Ann", "guest")
        assert request.user == guest
        assert request.session["_auth_user_id"] == str(guest.pk)

    def test_a_guest_without_a_name_gets_one(self, visit: Callable[..., HttpRequest]) -> None:
        names = {accounts.ensure_guest(visit()).name for _ in range(3)}
        assert len(names) == 3
        assert all(re.fullmatch(r"Guest [0-9A-Z]{4}", name) for name in names)

    def test_a_guest_stays_the_same_player_and_may_be_renamed(
        self, visit: Callable[..., HttpRequest]
    ) -> None:
        guest = accounts.ensure_guest(visit(), "Ann")
        assert accounts.ensure_guest(visit(guest)) == guest
        assert accounts.ensure_guest(visit(guest), "Bea").name == "Bea"
        assert Player.objects.get().name == "Bea"

    def test_a_person_is_left_unchanged(self, visit: Callable[..., HttpRequest]) -> None:
        person = a_person("Carl")
        assert accounts.ensure_guest(visit(person), "Other") == person
        assert Player.objects.get().name == "Carl"

    def test_two_guests_may_share_a_name(self) -> None:
        assert accounts.create_guest(name="Ann") != accounts.create_guest(name="Ann")

    def test_a_reserved_name_is_refused(self) -> None:
        with pytest.raises(ValidationError) as refusal:
            accounts.create_guest(name="admin")
        assert refusal.value.code == "reserved"
        assert not Player.objects.exists()

    def test_a_guest_cannot_log_in(self, client: Client) -> None:
        guest = accounts.create_guest(name="Ann")
        for password in ("", "!", PASSWORD):
            log_in(client, guest.username, password)
        assert "_auth_user_id" not in client.session


class TestSignUp:
    def test_signing_up_keeps_the_guests_row_and_matches(self, client: Client) -> None:
        guest = as_guest(client)
        match = a_match(guest, a_person("Bea"))
        before = client.session.session_key

        assert sign_up(client, "Ann").status_code == 302
        person = Player.objects.get(pk=guest.pk)
        assert (person.kind, person.name, person.username) == ("person", "Ann", "Ann")
        assert person.public_id == guest.public_id
        assert person.check_password(PASSWORD)
        assert match.seats.get(seat=0).player == person
        assert who(client) == person
        assert Player.objects.count() == 2
        # A stolen session key of the guest is worthless for the account.
        assert client.session.session_key != before

    def test_the_sign_up_form_suggests_the_guests_name(self, client: Client) -> None:
        as_guest(client, "Ann Lee")
        page = client.get("/accounts/signup/").content.decode()
        assert 'value="Ann Lee"' in page

    @pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
    def test_the_sign_up_form_asks_for_the_name_of_a_guest_who_chose_none(
        self, client: Client, language: str
    ) -> None:
        with translation.override(language):
            guest = accounts.create_guest()
        client.force_login(guest, backend=accounts.GUEST_BACKEND)
        page = client.get("/accounts/signup/").content.decode()
        field = re.search(r'<input[^>]* name="username"[^>]*>', page)
        assert field is not None
        assert "value=" not in field[0]

    def test_a_visitor_signs_up_as_a_new_player(self, client: Client) -> None:
        assert sign_up(client, "Dora Mae").status_code == 302
        assert who(client).name == "Dora Mae"

    def test_an_account_needs_no_e_mail_address(self, client: Client) -> None:
        sign_up(client, "Dora")
        assert who(client).email == ""
        assert not QueuedMail.objects.exists()

    def test_a_given_address_must_be_confirmed(self, client: Client) -> None:
        sign_up(client, "Dora", email="dora@example.org")
        work_off()
        assert [message.to for message in mail.outbox] == [["dora@example.org"]]

    @pytest.mark.parametrize("name", ["bea", "BEA", "B-e-a", "Béa", "admin", "x", "Bеa"])
    def test_an_unavailable_name_is_refused_at_its_field(self, client: Client, name: str) -> None:
        a_person("Bea")
        page = sign_up(client, name)
        assert page.status_code == 200
        assert "username" in page.context["form"].errors
        assert Player.objects.count() == 1

    def test_a_computers_name_is_taken(self, client: Client) -> None:
        accounts.computer_player(bot="club", version="1", name="Margaret")
        page = sign_up(client, "margaret")
        assert page.status_code == 200
        assert "taken" in page.content.decode()

    def test_a_race_for_one_name_has_one_winner(self, client: Client) -> None:
        a_person("Bea")
        guest = as_guest(client)
        with mock.patch.object(accounts, "name_is_free", return_value=True):
            page = sign_up(client, "BEA")
        assert page.status_code == 200
        assert "taken" in page.content.decode()
        assert Player.objects.get(pk=guest.pk).is_guest

    def test_the_second_of_two_clicks_changes_nothing(self, client: Client) -> None:
        guest = as_guest(client)

        def first_click(name: str, **_but_for: Any) -> bool:
            """Sign the guest up in another request while this one is being checked."""
            guest.kind, guest.username, guest.name = Player.Kind.PERSON, "Ann", "Ann"
            guest.set_password(PASSWORD)
            guest.save()
            return True

        with mock.patch.object(accounts, "name_is_free", first_click):
            page = sign_up(client, "Bea", password1="another-29-hand")
        assert page.status_code == 302
        guest.refresh_from_db()
        assert guest.name == "Ann"
        assert guest.check_password(PASSWORD)

    def test_a_logged_in_person_is_redirected_home(self, client: Client) -> None:
        client.force_login(a_person("Bea"), backend=accounts.GUEST_BACKEND)
        for path in ("/accounts/signup/", "/accounts/login/"):
            assert client.get(path).status_code == 302
        sign_up(client, "Second")
        assert Player.objects.count() == 1


class TestLogIn:
    def test_both_name_in_any_case_and_e_mail_work(self, client: Client) -> None:
        bea = a_person("Bea", "bea@example.org")
        for login in ("Bea", "bEA", "bea@example.org"):
            client.logout()
            assert log_in(client, login).status_code == 302
            assert who(client) == bea

    def test_a_wrong_password_is_refused(self, client: Client) -> None:
        a_person("Bea")
        assert log_in(client, "Bea", "wrong").status_code == 200
        assert "_auth_user_id" not in client.session

    def test_after_many_wrong_passwords_even_the_right_one_is_refused(self, client: Client) -> None:
        a_person("Bea")
        for _ in range(10):
            log_in(client, "Bea", "wrong")
        assert log_in(client, "Bea").status_code == 200
        assert "_auth_user_id" not in client.session

    def test_a_guests_matches_move_to_the_account(self, client: Client) -> None:
        bea, carl = a_person("Bea"), a_person("Carl")
        guest = as_guest(client)
        match = a_match(guest, carl)
        hand = Hand.objects.create(match=match, game=0, number=0, dealer=1)
        HandSeat.objects.create(
            hand=hand,
            seat=match.seats.get(seat=0),
            is_dealer=False,
            dealt="",
            score_before=0,
            score_after=7,
        )

        log_in(client, "Bea")
        assert who(client) == bea
        assert match.seats.get(seat=0).player == bea
        assert HandSeat.objects.get(seat__player=bea).score_after == 7
        assert Match.objects.get().created_by == bea
        assert not Player.objects.filter(pk=guest.pk).exists()

    def test_merging_never_seats_a_player_against_themselves(self, client: Client) -> None:
        bea = a_person("Bea")
        guest = as_guest(client)
        shared, other = a_match(guest, bea), a_match(guest, a_person("Carl"))

        log_in(client, "Bea")
        assert list(shared.seats.order_by("seat").values_list("player", flat=True)) == [
            guest.pk,
            bea.pk,
        ]
        assert other.seats.get(seat=0).player == bea
        assert not Player.objects.get(pk=guest.pk).is_active

    def test_a_waiting_table_has_one_seat_for_a_guest_and_their_account(
        self, client: Client
    ) -> None:
        bea = a_person("Bea")
        guest = as_guest(client)
        tables = [
            (creator, create_match(creator=creator, ruleset=Ruleset(players=3)))
            for creator in (bea, guest)
        ]
        for creator, match in tables:
            join_match(player=guest if creator == bea else bea, invite=match.invite)

        log_in(client, "Bea")
        for _creator, match in tables:
            match.refresh_from_db()
            assert match.created_by == bea
            seated = match.seats.values_list("player", flat=True)
            assert sorted(seated, key=bool) == [None, None, bea.pk]
        assert not Player.objects.filter(pk=guest.pk).exists()

    def test_logging_in_keeps_what_reporters_and_moderators_know_about_the_guest(
        self, client: Client
    ) -> None:
        bea, snitch, other = a_person("Bea"), accounts.create_guest(), accounts.create_guest()
        guest, keeper = as_guest(client), Player.objects.create_superuser("Keeper")
        for about, reporter, text in (
            (guest, snitch, "swears"),
            (guest, other, "cheats"),
            (bea, other, "an old one"),
            (other, guest, "a liar"),
            (guest, bea, "my own guest"),
        ):
            report(reporter=reporter, about=about, reason="abuse", text=text)
        entry = moderate(moderator=keeper, player=guest, action="mute", reason="swears", days=3)

        log_in(client, "Bea")
        assert not Player.objects.filter(pk=guest.pk).exists()
        bea.refresh_from_db()
        assert bea.is_muted
        assert bea.moderator_news, "the guest has not read it"
        assert {(row.text, row.closed_at is None) for row in bea.reports.all()} == {
            ("swears", True),
            ("cheats", False),  # the same reporter has another open report about the account
            ("an old one", True),
            ("my own guest", True),
        }
        assert Report.objects.get(text="a liar").reporter == bea
        assert Report.objects.get(text="my own guest").reporter is None
        entry.refresh_from_db()
        assert entry.player == bea

    def test_another_persons_matches_are_never_moved(self, client: Client) -> None:
        bea, carl = a_person("Bea"), a_person("Carl")
        match = a_match(carl, bea)
        assert accounts.merge_guest(guest=carl, account=bea) == 0
        assert match.seats.get(seat=0).player == carl


class TestPassword:
    def test_a_forgotten_password_can_be_reset_by_mail(self, client: Client) -> None:
        bea = a_person("Bea", "bea@example.org")
        client.post("/accounts/password/reset/", {"email": "bea@example.org"})
        work_off()
        link = re.search(r"http://[^/]+(/\S+)", str(mail.outbox[0].body))
        assert link
        form = client.get(link[1], follow=True)
        address = form.redirect_chain[-1][0]
        client.post(address, {"password1": "another-nob-5", "password2": "another-nob-5"})
        bea.refresh_from_db()
        assert bea.check_password("another-nob-5")

    def test_a_password_reset_does_not_reveal_known_addresses(self, client: Client) -> None:
        a_person("Bea", "bea@example.org")
        answers = {
            client.post("/accounts/password/reset/", {"email": address}).headers["Location"]
            for address in ("bea@example.org", "nobody@example.org")
        }
        assert len(answers) == 1


class TestRename:
    def test_a_renamed_person_logs_in_with_the_new_name(self, client: Client) -> None:
        bea = a_person("Bea")
        accounts.rename(player=bea, name="Beatrice")
        assert log_in(client, "Beatrice").status_code == 302

    def test_a_name_that_looks_like_anothers_is_refused(self) -> None:
        a_person("Bill")
        bea = a_person("Bea")
        with pytest.raises(ValidationError):
            accounts.rename(player=bea, name="BiIl")
        with (
            mock.patch.object(accounts, "name_is_free", return_value=True),
            pytest.raises(ValidationError),
        ):
            accounts.rename(player=bea, name="BiIl")
        assert bea.name == "Bea"

    def test_a_player_may_change_the_case_of_their_name(self) -> None:
        bea = a_person("bea")
        accounts.rename(player=bea, name="Bea")
        assert Player.objects.get().username == "Bea"


class TestComputer:
    def test_a_computer_has_one_player_per_version(self) -> None:
        first = accounts.computer_player(bot="club", version="1", name="Margaret")
        again = accounts.computer_player(bot="club", version="1", name="Margaret")
        newer = accounts.computer_player(bot="club", version="2", name="Margaret")
        assert first == again != newer
        assert first.is_computer
        assert not first.has_usable_password()


def test_the_content_security_policy_allows_only_the_site(client: Client) -> None:
    policy = client.get("/accounts/login/").headers["Content-Security-Policy"]
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts["script-src"] == parts["style-src"] == parts["connect-src"] == "'self'"
    assert parts["frame-ancestors"] == parts["object-src"] == "'none'"
    assert "unsafe" not in policy


def test_the_admin_shows_players_and_matches_but_adds_and_deletes_none(client: Client) -> None:
    keeper = Player.objects.create_superuser("Keeper", password=PASSWORD)
    client.force_login(keeper, backend=accounts.GUEST_BACKEND)
    match = a_match(keeper, a_person("Bea"))
    for path in ("player/", f"player/{keeper.pk}/change/", "match/", f"match/{match.pk}/change/"):
        assert client.get(f"/admin/games/{path}").status_code == 200
    for path in ("player/add/", "match/add/", f"match/{match.pk}/delete/"):
        assert client.get(f"/admin/games/{path}").status_code == 403
