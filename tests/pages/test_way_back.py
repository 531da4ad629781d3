"""Log-in and sign-up lead back to the page for which they were needed."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.db import transaction
from django.http import SimpleCookie
from django.test import Client
from django.urls import Resolver404, resolve, reverse

from games.models import Player
from games.people.accounts import create_guest
from tests.people.test_two_factor import PASSWORD, with_an_app
from tests.site.test_security import ADDRESSES, ELSEWHERE, SAMPLES
from tests.support.people import as_

pytestmark = pytest.mark.django_db

WHO = ("visitor", "guest")
ENTRANCES = ("/accounts/login/", "/accounts/signup/")
UNDER_WAY = {"account_confirm_login_code", "mfa_authenticate", "mfa_login_webauthn"}
"""The steps of a login: without one, there is nothing to come back to."""


@pytest.fixture
def without_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the pages empty, whose texts take most of the time."""
    template = "django.template.backends.django.Template.render"
    monkeypatch.setattr(template, lambda *_, **__: "")


def ask(client: Client, method: str, address: str) -> str:
    """Return where a request is redirected, "" for any other answer; undo what it changes."""
    cookies = {name: cookie.value for name, cookie in client.cookies.items()}
    with transaction.atomic():
        answer = client.generic(method, address)
        transaction.set_rollback(True)
    client.cookies = SimpleCookie(cookies)
    return answer.headers["Location"] if answer.status_code == 302 else ""


def name_of(address: str) -> str:
    try:
        return resolve(address).view_name
    except Resolver404:
        return ""


def entrances(method: str) -> Iterator[tuple[str, str]]:
    """Yield each address that sends a visitor or guest to log in or sign up, and its way back."""
    Player.objects.create_user("Sample", public_id=SAMPLES["public_id"])
    clients = (Client(), as_(create_guest()))
    for address in dict.fromkeys(address for address, _ in ADDRESSES):
        for where in (ask(client, method, address) for client in clients):
            if urlsplit(where).path in ENTRANCES and name_of(address) not in UNDER_WAY:
                yield address, parse_qs(urlsplit(where).query).get("next", [""])[0]


@pytest.mark.usefixtures("without_pages")
def test_every_page_for_which_one_logs_in_is_shown_afterwards() -> None:
    found = dict(entrances("GET"))
    assert len(found) > 15
    assert found == {address: address for address in found}
    asked, query = "/data/?a=1&b=%2F", "/data/%3Fa%3D1%26b%3D%252F"
    assert ask(Client(), "GET", asked) == f"/accounts/login/?next={query}"


@pytest.mark.usefixtures("without_pages")
def test_a_form_for_which_one_logs_in_leads_back_to_its_page() -> None:
    found = dict(entrances("POST"))
    assert len(found) > 15
    person = as_(Player.objects.create_user("Ann"))
    lost = {back for back in found.values() if not back or person.get(back).status_code == 405}
    assert lost == set()


@pytest.mark.parametrize("page", ENTRANCES)
@pytest.mark.parametrize("back", ["/data/", "/report/k7m2p9x4qd/"])
def test_log_in_and_sign_up_lead_back(page: str, back: str) -> None:
    Player.objects.create_user("Margery", password=PASSWORD)
    client = Client()
    shown = client.get(page, {"next": back}).content.decode()
    assert f'<input type="hidden" name="next" value="{back}">' in shown
    other = next(each for each in ENTRANCES if each != page)
    assert f'href="{other}?next={back.replace("/", "%2F")}"' in shown
    fields = {"login": "Margery", "username": "Cy", "password": PASSWORD, "password1": PASSWORD}
    answer = client.post(page, {**fields, "next": back})
    assert (answer.status_code, answer.headers["Location"]) == (302, back)


@pytest.mark.parametrize("who", WHO)
def test_the_second_step_of_a_login_leads_back(who: str) -> None:
    person = with_an_app("Margery")
    RecoveryCodes.activate(person)
    code = RecoveryCodes(
        Authenticator.objects.get(user=person, type="recovery_codes")
    ).generate_codes()[0]
    client = Client() if who == "visitor" else as_(create_guest())
    fields = {"login": "Margery", "password": PASSWORD, "next": "/data/"}
    assert client.post("/accounts/login/", fields).headers["Location"] == reverse(
        "mfa_authenticate"
    )
    assert client.post(reverse("mfa_authenticate"), {"code": "000000"}).status_code == 200
    answer = client.post(reverse("mfa_authenticate"), {"code": code})
    assert answer.headers["Location"] == "/data/"


@pytest.mark.parametrize("back", ["/data/", *ELSEWHERE])
def test_a_refused_passkey_keeps_the_way_back_on_this_site(back: str) -> None:
    fields = {"credential": "{}", "next": back}
    answer = Client().post(reverse("mfa_login_webauthn"), fields)
    query = "?next=/data/" if back == "/data/" else ""
    assert answer.headers["Location"] == reverse("account_login") + query


@pytest.mark.parametrize("who", WHO)
def test_a_cancelled_second_step_keeps_the_way_back_and_a_guests_games(who: str) -> None:
    with_an_app("Margery")
    visitor = create_guest()
    client = Client() if who == "visitor" else as_(visitor)
    fields = {"login": "Margery", "password": PASSWORD, "next": "/data/"}
    client.post("/accounts/login/", fields)
    step = reverse("mfa_authenticate")
    assert 'name="cancel"' in client.get(step).content.decode()
    answer = client.post(step, {"cancel": ""})
    assert answer.headers["Location"] == f"{reverse('account_login')}?next=/data/"
    assert client.get(step).headers["Location"] == reverse("account_login")
    seen = client.get("/accounts/login/").context["user"]
    assert (seen == visitor) is (who == "guest")
