"""Passkeys and two-step login without a browser: who may set them up, and when they end."""

import secrets
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.mfa.webauthn.forms import AuthenticateWebAuthnForm
from django.test import Client
from fido2.utils import websafe_encode

from cribbage_site.urls import urlpatterns
from games.engine.state import Ruleset
from games.models import Player
from games.pages.people.account_views import TWO_FACTOR
from games.people.accounts import create_guest
from games.safety.erasure import erase
from games.tables.tables import create_match
from tests.support.passkeys import Passkey
from tests.support.people import as_

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"
PATHS = [f"/accounts/2fa/{route}/".replace("//", "/") for route, _view, _name in TWO_FACTOR]


def with_an_app(name: str, *, active: bool = True) -> Player:
    """Make a person who has set up an authenticator app."""
    person = Player.objects.create_user(name, password=PASSWORD, is_active=active)
    Authenticator.objects.create(user=person, type="totp", data={"secret": "A" * 32})
    return person


def log_in(client: Client, name: str) -> str:
    answer = client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    return str(answer.headers.get("Location", ""))


@pytest.mark.parametrize("path", [path.replace("<int:pk>", "1") for path in PATHS])
def test_a_guest_sets_up_none_of_it(path: str) -> None:
    assert as_(create_guest()).get(path).headers["Location"] == f"/accounts/signup/?next={path}"


def test_the_pages_that_guests_do_not_get_are_all_of_allauths() -> None:
    """A new page of allauth would otherwise be open to guests, who are logged in."""
    from allauth.mfa.urls import urlpatterns as theirs

    def names(patterns: list[object]) -> set[str]:
        found: set[str] = set()
        for each in patterns:
            inner = getattr(each, "url_patterns", None)
            found |= names(inner) if inner is not None else {each.name}  # type: ignore[attr-defined]
        return found

    own = {getattr(each, "name", None) for each in urlpatterns}
    assert names(theirs) <= own


def test_a_password_alone_does_not_log_in_with_an_app(client: Client) -> None:
    with_an_app("Margery")
    assert log_in(client, "Margery") == "/accounts/2fa/authenticate/"
    assert client.get("/account/").headers["Location"] == "/accounts/login/?next=/account/"
    wrong = client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert "Wrong code. Try again." in wrong.content.decode()
    assert client.get("/account/").status_code == 302


def test_a_login_that_began_before_a_new_password_begins_anew(client: Client) -> None:
    """Who knew only the old one has a quarter of an hour for the second step otherwise."""
    person = with_an_app("Margery")
    code = RecoveryCodes.activate(person).generate_codes()[0]
    log_in(client, "Margery")
    person.set_password("his-nobs-121")
    person.save()
    answer = client.post("/accounts/2fa/authenticate/", {"code": code})
    assert answer.headers["Location"] == "/accounts/login/"
    assert client.get("/account/").status_code == 302
    row = Authenticator.objects.get(type="recovery_codes")
    assert code in RecoveryCodes(row).get_unused_codes()


def test_no_name_uses_up_the_second_steps_of_an_account(client: Client) -> None:
    """Allauth counts wrong names and wrong codes in one place, by texts that must differ."""
    person = with_an_app("Margery")
    for number in range(5):
        stranger = Client(REMOTE_ADDR=f"192.0.2.{number}")
        stranger.post(
            "/accounts/login/", {"login": f"mfa-auth-user-{person.pk}", "password": "wrong"}
        )
    log_in(client, "Margery")
    answer = client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert "Wrong code. Try again." in answer.content.decode()


def test_a_guests_games_move_only_after_the_second_step() -> None:
    with_an_app("Margery")
    guest = create_guest()
    client = as_(guest)
    assert log_in(client, "Margery") == "/accounts/2fa/authenticate/"
    guest.refresh_from_db()
    assert guest.is_active and client.session["_auth_user_id"] == str(guest.pk)


@pytest.fixture
def passkey(monkeypatch: pytest.MonkeyPatch) -> Authenticator:
    """Margery's passkey, which every credential is taken for."""
    margery = Player.objects.create_user("Margery", password=PASSWORD)
    row = Authenticator.objects.create(user=margery, type="webauthn", data={})
    monkeypatch.setattr(AuthenticateWebAuthnForm, "clean_credential", lambda _form: row)
    return row


def any_answer() -> str:
    """Return what a browser answers with some passkey to some challenge."""
    return Passkey().answer({"publicKey": {"challenge": websafe_encode(secrets.token_bytes(32))}})


def test_a_guest_takes_the_second_step_with_a_code() -> None:
    margery = Player.objects.create_user("Margery", password=PASSWORD)
    secret = generate_totp_secret()
    TOTP.activate(margery, secret)
    guest = create_guest()
    match = create_match(creator=guest, ruleset=Ruleset())
    client = as_(guest)
    log_in(client, "Margery")
    page = client.get("/accounts/2fa/authenticate/")
    assert page.status_code == 200
    assert "passkey" not in page.content.decode(), "the account has none"
    wrong = client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert "Wrong code. Try again." in wrong.content.decode()
    counters = list(yield_hotp_counters_from_time())
    code = format_hotp_value(hotp_value(secret, counters[1]))
    client.post("/accounts/2fa/authenticate/", {"code": code})
    assert client.session["_auth_user_id"] == str(margery.pk)
    match.refresh_from_db()
    assert match.created_by == margery


def test_who_is_logged_in_takes_no_second_step(client: Client) -> None:
    for user in (create_guest(), Player.objects.create_user("Margery", password=PASSWORD)):
        answer = as_(user).get("/accounts/2fa/authenticate/")
        assert answer.headers["Location"] == ("/accounts/login/" if user.is_guest else "/")
    assert client.get("/accounts/2fa/authenticate/").headers["Location"] == "/accounts/login/"


@pytest.mark.parametrize("password", [False, True])
def test_a_guests_games_move_with_a_passkey(
    passkey: Authenticator, password: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone, or after the password."""
    guest = create_guest()
    match = create_match(creator=guest, ruleset=Ruleset())
    client = as_(guest)
    if password:
        monkeypatch.setattr("allauth.mfa.webauthn.internal.auth.get_credentials", lambda _user: [])
        log_in(client, "Margery")
        assert "Use a passkey" in client.get("/accounts/2fa/authenticate/").content.decode()
    route = "authenticate" if password else "webauthn/login"
    client.post(f"/accounts/2fa/{route}/", {"credential": any_answer()})
    assert client.session["_auth_user_id"] == str(passkey.user_id)
    match.refresh_from_db()
    assert match.created_by_id == match.seats.get(seat=0).player_id == passkey.user_id
    assert client.get(f"/t/{match.public_id}/").status_code == 200
    assert not Player.objects.filter(pk=guest.pk).exists()


def test_a_banned_player_is_told_so_after_a_passkey(client: Client, passkey: Authenticator) -> None:
    passkey.user.is_active = False
    passkey.user.save()
    answer = client.post("/accounts/2fa/webauthn/login/", {"credential": any_answer()})
    assert answer.headers["Location"].startswith("/decisions/")
    assert client.get("/account/").status_code == 302


def test_a_banned_player_does_not_reach_the_second_step(client: Client) -> None:
    with_an_app("Margery", active=False)
    assert log_in(client, "Margery") != "/accounts/2fa/authenticate/"


def test_the_password_is_asked_for_again_without_a_placeholder() -> None:
    client = as_(Player.objects.create_user("Margery", password=PASSWORD))
    page = client.get("/accounts/reauthenticate/").content.decode()
    assert 'name="password"' in page
    assert "placeholder" not in page


def test_a_deleted_account_leaves_no_key() -> None:
    person = with_an_app("Margery")
    erase(player=person)
    assert not Authenticator.objects.exists()


class TestACopyOfTheDatabase:
    """It gives no second step away, and the site itself can still check one."""

    @pytest.fixture
    def margery(self) -> Player:
        return Player.objects.create_user("Margery", password=PASSWORD)

    def test_the_key_of_an_app_is_encrypted(self, margery: Player, settings: Any) -> None:
        secret = generate_totp_secret()
        app = TOTP.activate(margery, secret)
        assert secret not in str(Authenticator.objects.values_list("data", flat=True).get())
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
        now = list(yield_hotp_counters_from_time())[1]
        assert app.validate_code(format_hotp_value(hotp_value(secret, now)))

    def test_the_seed_of_recovery_codes_is_encrypted(
        self, margery: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(RecoveryCodes, "generate_seed", lambda *_: "5eed" * 20)
        codes = RecoveryCodes.activate(margery)
        assert "5eed" * 4 not in str(Authenticator.objects.values_list("data", flat=True).get())
        assert codes.validate_code(codes.generate_codes()[0])

    def test_no_code_fits_a_key_that_cannot_be_read(self, margery: Player, settings: Any) -> None:
        """Least of all the code of an empty key, which anybody could compute."""
        secret = generate_totp_secret()
        app = TOTP.activate(margery, secret)
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", []
        for key in (secret, ""):
            for counter in yield_hotp_counters_from_time():
                assert not app.validate_code(format_hotp_value(hotp_value(key, counter)))
