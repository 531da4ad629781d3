"""Second steps that are used twice, or set up and used at the same moment."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from http.cookies import SimpleCookie
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.mfa.webauthn.views import LoginWebAuthnView
from django.core.cache import cache
from django.db import connection
from django.test import Client

from games.models import Player
from games.people.accounts import create_guest
from games.people.player_lock import lock_rows
from tests.support.at_once import at_once, waits_for_lock
from tests.support.passkeys import Passkey
from tests.support.people import as_
from tests.support.waiting import DEADLINE, wait_for

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "fifteen-two-4"
TIMES = 4
ACTIVATE = "/accounts/2fa/totp/activate/"
SECOND_STEP = "/accounts/2fa/authenticate/"
PASSKEY_ADD = "/accounts/2fa/webauthn/add/"
PASSKEY_LOGIN = "/accounts/2fa/webauthn/login/"


@pytest.fixture
def margery() -> Player:
    return Player.objects.create_user("Margery", password=PASSWORD)


def code_of(secret: str) -> str:
    """Return the present code of an authenticator app."""
    return str(format_hotp_value(hotp_value(secret, list(yield_hotp_counters_from_time())[1])))


def browser() -> Client:
    """Return a browser in which Margery's password has just been accepted."""
    client = Client(raise_request_exception=False)
    client.post("/accounts/login/", {"login": "Margery", "password": PASSWORD})
    return client


def second_step(code: str) -> bool:
    """Return whether a new browser is logged in after the password and this code."""
    client = browser()
    client.post(SECOND_STEP, {"code": code})
    return client.get("/account/").status_code == 200


def test_an_app_is_turned_on_once_by_a_double_click(margery: Player) -> None:
    first = browser()
    first.post("/accounts/reauthenticate/", {"password": PASSWORD})
    first.get(ACTIVATE)
    secret = first.session[auth.SECRET_SESSION_KEY]
    clients, statuses = [first], []
    for _ in range(TIMES - 1):
        client = Client(raise_request_exception=False)
        client.cookies = first.cookies
        clients.append(client)

    def click(client: Client) -> None:
        statuses.append(client.post(ACTIVATE, {"code": code_of(secret)}).status_code)

    at_once(*[lambda client=client: click(client) for client in clients])
    assert statuses == [302] * TIMES
    assert Authenticator.objects.filter(user=margery, type="totp").count() == 1


@pytest.mark.parametrize("guest", [False, True])
def test_a_double_click_on_the_second_step_is_no_error(margery: Player, guest: bool) -> None:
    secret = generate_totp_secret()
    TOTP.activate(margery, secret)
    first = as_(create_guest()) if guest else Client()
    first.post("/accounts/login/", {"login": "Margery", "password": PASSWORD})
    clicks, statuses = [], []
    for _ in range(TIMES):
        click = Client(raise_request_exception=False)
        click.cookies = SimpleCookie(first.cookies.output(header="", sep=";"))
        clicks.append(click)

    def send(click: Client) -> None:
        statuses.append(click.post(SECOND_STEP, {"code": code_of(secret)}).status_code)

    at_once(*[lambda click=click: send(click) for click in clicks])
    assert statuses == [302] * TIMES
    entered = [click for click in clicks if "_auth_user_id" in click.session]
    assert [click.session["_auth_user_id"] for click in entered] == [str(margery.pk)]


def test_the_code_that_turned_an_app_on_is_no_second_step(margery: Player) -> None:
    client = browser()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.get(ACTIVATE)
    code = code_of(client.session[auth.SECRET_SESSION_KEY])
    client.post(ACTIVATE, {"code": code})
    assert Authenticator.objects.filter(user=margery, type="totp").exists()
    assert not second_step(code)


def test_a_code_of_an_app_counts_once_for_as_long_as_it_holds(
    margery: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after half a minute, for which allauth remembers it; it holds for longer."""
    clock = [time.time()]
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: clock[0]))
    secret = generate_totp_secret()
    TOTP.activate(margery, secret)
    code = code_of(secret)
    assert second_step(code)
    clock[0] += auth.app_settings.TOTP_PERIOD
    cache.delete(f"allauth.mfa.totp.used?user={margery.pk}&code={code}")
    assert auth.validate_totp_code(secret, code), "it no longer holds"
    assert not second_step(code)
    assert not second_step(f"{code[:3]}-{code[3:]}")
    assert second_step(code_of(secret))


@pytest.mark.parametrize("kind", ["totp", "webauthn"])
def test_a_second_step_is_removed_by_a_double_click(margery: Player, kind: str) -> None:
    client = browser()
    row = Authenticator.objects.create(user=margery, type=kind, data={})
    other = Authenticator.objects.create(
        user=Player.objects.create_user("Tom"), type="webauthn", data={}
    )
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    keys = "/accounts/2fa/webauthn/keys"
    address = "/accounts/2fa/totp/deactivate/" if kind == "totp" else f"{keys}/{row.pk}/remove/"
    assert [client.post(address).status_code for _ in range(2)] == [302, 302]
    assert client.get(address).status_code == 404
    client.post(f"{keys}/{other.pk}/remove/")
    assert list(Authenticator.objects.all()) == [other]


class TestAChallengeOfAPasskey:
    """It is answered once, in the session that it was made for."""

    @pytest.fixture
    def passkey(self, margery: Player) -> Passkey:
        made, client = Passkey(), browser()
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        page = client.get("/accounts/2fa/webauthn/add/")
        credential = made.make(page.context["js_data"]["creation_options"])
        client.post("/accounts/2fa/webauthn/add/", {"credential": credential, "passwordless": "on"})
        assert Authenticator.objects.filter(user=margery, type="webauthn").exists()
        return made

    def test_that_has_just_been_removed_is_wrong(
        self, passkey: Passkey, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Another browser had asked for it to be removed before the login began."""
        client = Client(raise_request_exception=False)
        credential = passkey.answer(self.ask(client))

        def removed_first(*players: Player) -> dict[int, Player]:
            Authenticator.objects.all().delete()
            return lock_rows(*players)

        monkeypatch.setattr("games.pages.people.two_factor_forms.lock_rows", removed_first)
        assert client.post(PASSKEY_LOGIN, {"credential": credential}).status_code == 302
        assert client.get("/account/").status_code == 302

    def test_is_removed_after_the_login_that_uses_it(
        self, margery: Player, passkey: Passkey, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client, owner = Client(raise_request_exception=False), as_(margery)
        owner.post("/accounts/reauthenticate/", {"password": PASSWORD})
        credential = passkey.answer(self.ask(client))
        row = Authenticator.objects.get(type="webauthn")
        record = Authenticator.record_usage
        with ThreadPoolExecutor(1) as pool:

            def remove() -> int:
                try:
                    address = f"/accounts/2fa/webauthn/keys/{row.pk}/remove/"
                    return owner.post(address).status_code
                finally:
                    connection.close()

            def record_meanwhile(used: Authenticator) -> None:
                removing.append(pool.submit(remove))
                wait_for(lambda: removing[0].done() or waits_for_lock())
                record(used)

            removing: list[Future[int]] = []
            monkeypatch.setattr(Authenticator, "record_usage", record_meanwhile)
            assert client.post(PASSKEY_LOGIN, {"credential": credential}).status_code == 302
            assert removing[0].result(DEADLINE) == 302
        assert client.get("/account/").status_code == 200
        assert not Authenticator.objects.exists()

    def test_is_added_once_by_a_double_click(self, margery: Player) -> None:
        first, passkey = browser(), Passkey()
        first.post("/accounts/reauthenticate/", {"password": PASSWORD})
        options = first.get(PASSKEY_ADD).context["js_data"]["creation_options"]
        data = {"credential": passkey.make(options), "passwordless": "on"}
        clicks, statuses = [Client(raise_request_exception=False) for _ in range(TIMES)], []
        for click in clicks:
            click.cookies = SimpleCookie(first.cookies.output(header="", sep=";"))
        at_once(
            *[
                lambda click=click: statuses.append(click.post(PASSKEY_ADD, data).status_code)
                for click in clicks
            ]
        )
        assert statuses == [302] * TIMES
        assert Authenticator.objects.filter(user=margery, type="webauthn").count() == 1

    def test_is_added_once_by_a_second_click_after_the_answer_to_the_first(
        self, margery: Player
    ) -> None:
        client, passkey = browser(), Passkey()
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        options = client.get(PASSKEY_ADD).context["js_data"]["creation_options"]
        data = {"credential": passkey.make(options), "passwordless": "on"}
        assert [client.post(PASSKEY_ADD, data).status_code for _ in range(2)] == [302, 302]
        assert Authenticator.objects.filter(user=margery, type="webauthn").count() == 1

    def test_is_refused_if_the_passkey_belongs_to_another_account(
        self, margery: Player, passkey: Passkey
    ) -> None:
        answer = self.adding(Player.objects.create_user("Tom", password=PASSWORD), passkey)()
        assert answer.status_code == 200
        assert "This passkey belongs to another account." in answer.content.decode()
        assert Authenticator.objects.get(type="webauthn").user == margery

    def test_is_answered_for_one_of_two_accounts_that_add_a_passkey_at_once(
        self, margery: Player
    ) -> None:
        passkey, owners = Passkey(), [margery, Player.objects.create_user("Tom", password=PASSWORD)]
        at_once(*[self.adding(each, passkey) for each in owners])
        assert Authenticator.objects.filter(type="webauthn").count() == 1

    def adding(self, owner: Player, passkey: Passkey) -> Callable[[], Any]:
        """Return a function that sends the form which adds a passkey to an account."""
        client = as_(owner)
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        options = client.get(PASSKEY_ADD).context["js_data"]["creation_options"]
        data = {"credential": passkey.make(options), "passwordless": "on"}
        return lambda: client.post(PASSKEY_ADD, data)

    def ask(self, client: Client) -> dict[str, Any]:
        """Return the challenge that a browser gets on the page for logging in."""
        headers = {"X-Requested-With": "XMLHttpRequest"}
        options: dict[str, Any] = client.get(PASSKEY_LOGIN, headers=headers).json()[
            "request_options"
        ]
        return options

    def enters(self, client: Client, credential: str) -> bool:
        assert client.post(PASSKEY_LOGIN, {"credential": credential}).status_code == 302
        return client.get("/account/").status_code == 200

    def test_is_answered_once_by_several_requests_at_the_same_moment(
        self, passkey: Passkey
    ) -> None:
        first, entered = Client(), []
        credential = passkey.answer(self.ask(first))
        clicks = [Client(raise_request_exception=False) for _ in range(TIMES)]
        for click in clicks:
            click.cookies = SimpleCookie(first.cookies.output(header="", sep=";"))
        at_once(
            *[
                lambda click=click: entered.append(self.enters(click, credential))
                for click in clicks
            ]
        )
        assert sorted(entered) == [False] * (TIMES - 1) + [True]

    def test_a_second_click_is_no_error_while_the_first_one_ends_the_session(
        self, passkey: Passkey, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first, second = Client(), Client(raise_request_exception=False)
        credential = {"credential": passkey.answer(self.ask(first))}
        second.cookies = SimpleCookie(first.cookies.output(header="", sep=";"))
        record, refuse = Authenticator.record_usage, LoginWebAuthnView.form_invalid
        refused, ended = Event(), Event()

        def click() -> int:
            try:
                return second.post(PASSKEY_LOGIN, credential).status_code
            finally:
                connection.close()

        def record_meanwhile(used: Authenticator) -> None:
            clicks.append(pool.submit(click))
            wait_for(lambda: refused.is_set() or connection.vendor != "postgresql")
            record(used)

        def refuse_late(view: LoginWebAuthnView, form: Any) -> Any:
            refused.set()
            wait_for(lambda: ended.is_set() or waits_for_lock())
            return refuse(view, form)

        clicks: list[Future[int]] = []
        monkeypatch.setattr(Authenticator, "record_usage", record_meanwhile)
        monkeypatch.setattr(LoginWebAuthnView, "form_invalid", refuse_late)
        with ThreadPoolExecutor(1) as pool:
            assert first.post(PASSKEY_LOGIN, credential).status_code == 302
            ended.set()
            assert clicks[0].result(DEADLINE) == 302
        assert first.get("/account/").status_code == 200

    def test_is_of_no_use_a_second_time_or_elsewhere(self, passkey: Passkey) -> None:
        client, other, third = Client(), Client(), Client()
        credential = passkey.answer(self.ask(client))
        self.ask(other)
        assert not self.enters(other, credential), "in a session with another challenge"
        assert not self.enters(third, credential), "in a session without one"
        older, newer = self.ask(client), self.ask(client)
        assert not self.enters(client, passkey.answer(older)), "the session knows the newest"
        credential = passkey.answer(newer)
        assert self.enters(client, credential)
        assert not self.enters(Client(), credential)


@pytest.mark.parametrize("credential", ["{}", '{"id":1}', '{"response":{"userHandle":5}}', "[]"])
def test_a_passkey_that_no_browser_makes_is_wrong(margery: Player, credential: str) -> None:
    stranger = Client(raise_request_exception=False)
    stranger.get("/accounts/2fa/webauthn/login/", headers={"X-Requested-With": "XMLHttpRequest"})
    answer = stranger.post("/accounts/2fa/webauthn/login/", {"credential": credential})
    assert answer.status_code == 302
    client = browser()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.get("/accounts/2fa/webauthn/add/")
    answer = client.post("/accounts/2fa/webauthn/add/", {"credential": credential})
    assert answer.status_code == 200
    TOTP.activate(margery, generate_totp_secret())
    assert browser().post(SECOND_STEP, {"credential": credential}).status_code == 200


def test_recovery_codes_that_are_replaced_while_one_is_used_are_wrong(
    margery: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    TOTP.activate(margery, generate_totp_secret())
    code = RecoveryCodes.activate(margery).generate_codes()[0]
    client, wrap = browser(), Authenticator.wrap

    def replaced(row: Authenticator) -> object:
        if row.type == "recovery_codes":
            Authenticator.objects.filter(pk=row.pk).delete()
        return wrap(row)

    monkeypatch.setattr(Authenticator, "wrap", replaced)
    answer = client.post(SECOND_STEP, {"code": code})
    assert answer.status_code == 200
    assert "Wrong code. Try again." in answer.content.decode()


def test_a_recovery_code_logs_in_one_of_several_browsers_at_once(margery: Player) -> None:
    TOTP.activate(margery, generate_totp_secret())
    code = RecoveryCodes.activate(margery).generate_codes()[0]
    entered: list[bool] = []
    browsers = [browser() for _ in range(TIMES)]

    def send(client: Client) -> None:
        client.post(SECOND_STEP, {"code": code})
        entered.append(client.get("/account/").status_code == 200)

    at_once(*[lambda client=client: send(client) for client in browsers])
    assert sorted(entered) == [False] * (TIMES - 1) + [True]
