"""The mails about accounts are the site's own, in words and looks, as text and as HTML."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.core.context import request_context
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.conf import settings
from django.core import mail
from django.test import Client, RequestFactory
from django.utils import translation

from games.jobs.worker import work_off
from games.models import Player
from games.people import account_mails
from tests.people.test_mail_queue import ADDRESS, PASSWORD, ask_for_reset, sign_up

pytestmark = pytest.mark.django_db

CHOSEN = {"password1": "thirty-one-for-2", "password2": "thirty-one-for-2"}
PROOF = "/accounts/reauthenticate/?next=%2Faccounts%2Femail%2F"


def bea() -> Player:
    player = Player.objects.create_user("Bea", ADDRESS, PASSWORD)
    EmailAddress.objects.create(user=player, email=ADDRESS, verified=True, primary=True)
    return player


def test_an_open_browser_changes_no_address_without_the_password() -> None:
    """With an address of their own, whoever finds it could choose a new password."""
    player, client = bea(), Client()
    client.force_login(player)
    for form in (
        {"action_add": "", "email": "thief@example.org"},
        {"action_remove": "", "email": ADDRESS},
    ):
        answer = client.post("/accounts/email/", form)
        assert answer.headers["Location"] == PROOF
    assert [row.email for row in EmailAddress.objects.all()] == [ADDRESS]
    # The last form goes on once the password was given.
    client.post(PROOF, {"password": "wrong"})
    assert EmailAddress.objects.exists()
    client.post(PROOF, {"password": PASSWORD})
    assert not EmailAddress.objects.exists()


def signs_up() -> None:
    sign_up(Client())


def adds_an_address() -> None:
    client = Client()
    client.force_login(Player.objects.create_user("Cleo", password=PASSWORD))
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/email/", {"action_add": "", "email": ADDRESS})


def forgot_the_password() -> None:
    bea()
    ask_for_reset(Client())


def asks_without_an_account() -> None:
    ask_for_reset(Client())


def uses_a_known_address() -> None:
    """With ACCOUNT_PREVENT_ENUMERATION = True, but not "strict", sign-up sends this mail."""
    with request_context(RequestFactory().get("/")):
        get_adapter().send_account_already_exists_mail(ADDRESS)


@pytest.mark.parametrize(
    ("cause", "subject", "said", "button"),
    [
        (signs_up, "Confirm your email address", "Welcome to Cribbage, Dora!", "Confirm address"),
        (
            adds_an_address,
            "Confirm your email address",
            "add it to your account",
            "Confirm address",
        ),
        (forgot_the_password, "Reset your password", "for Bea.", "Choose a new password"),
        (asks_without_an_account, "No account with this address", ADDRESS, "Sign up"),
        (uses_a_known_address, "You already have an account", ADDRESS, "Reset your password"),
    ],
)
def test_a_mail_has_our_subject_and_the_same_words_in_both_parts(
    cause: Callable[[], None], subject: str, said: str, button: str
) -> None:
    cause()
    work_off()
    (sent,) = mail.outbox
    assert sent.subject == subject
    assert sent.message()["Auto-Submitted"] == "auto-generated", "no automatic replies (RFC 3834)"
    plain, html = parts_of(sent.message())
    (link,) = set(re.findall(rf"{settings.SITE_URL}/accounts/\S+", plain))
    assert f"{button}\n{link}" in plain
    assert f'<a href="{link}">{button}</a>' in html
    assert said in plain
    assert said in html
    assert "Ignore this email" in plain
    assert "Ignore this email" in html
    assert re.findall(r"<img|src=|url\(|@import|<link|<script", html) == [], "it loads nothing"
    assert set(re.findall(r'href="([^"]+)"', html)) == {link, f"{settings.SITE_URL}/"}


@pytest.mark.parametrize(
    ("language", "zone", "said"),
    [
        ("en", "", "The link works until Dec 4, 2026, 22:30 (UTC)."),
        ("de", "Europe/Berlin", "Der Link gilt bis zum 4. Dezember 2026, 23:30 (UTC+1)."),
        ("fr", "", "Le lien est valable jusqu’au 4 décembre 2026, 22:30 (UTC)."),
        ("es", "", "El enlace es válido hasta el 4 de diciembre de 2026, 22:30 (UTC)."),
    ],
)
def test_a_mail_says_until_when_its_link_works(
    monkeypatch: pytest.MonkeyPatch, language: str, zone: str, said: str
) -> None:
    """The link's time begins with the form; a full mailbox lets its mail wait for two days."""
    asked = datetime(2026, 12, 1, 22, 30, tzinfo=UTC)
    monkeypatch.setattr(account_mails, "true_time", SimpleNamespace(now=lambda: asked))
    player = bea()
    Player.objects.filter(pk=player.pk).update(zone=zone)
    ask_for_reset(Client(headers={"accept-language": language}))
    work_off()
    plain, html = parts_of(mail.outbox[0].message())
    assert said in plain
    assert said in html


def changes_the_password(client: Client) -> None:
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, **CHOSEN})


def forgets_the_password(client: Client) -> None:
    ask_for_reset(client)
    work_off()
    (key,) = set(re.findall(r"/accounts/\S+", str(mail.outbox.pop().body)))
    client.post(client.get(key)["Location"], CHOSEN)


def chooses_another_main_address(client: Client) -> None:
    client.post("/accounts/email/", {"action_primary": "", "email": "second@example.org"})


def removes_an_address(client: Client) -> None:
    client.post("/accounts/email/", {"action_remove": "", "email": "second@example.org"})


def sets_up_an_app(client: Client) -> None:
    secret = client.get("/accounts/2fa/totp/activate/").context["form"].secret
    code = format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))
    client.post("/accounts/2fa/totp/activate/", {"code": code})


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("language", ["", "de"])
@pytest.mark.parametrize(
    ("change", "subject"),
    [
        (changes_the_password, "Password changed"),
        (forgets_the_password, "Password changed"),
        (chooses_another_main_address, "Main address changed"),
        (removes_an_address, "second@example.org is removed"),
        (sets_up_an_app, "Authenticator app turned on"),
    ],
)
def test_a_player_hears_of_a_change_of_how_they_log_in(
    change: Callable[[Client], None], subject: str, language: str
) -> None:
    """Whoever knows their password could otherwise take the account over without a trace."""
    player, client = bea(), Client()
    Player.objects.filter(pk=player.pk).update(language=language)
    EmailAddress.objects.create(user=player, email="second@example.org", verified=True)
    client.force_login(player)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    change(client)
    work_off()
    (sent,) = (each for each in mail.outbox if each.to == [ADDRESS])
    plain, _html = parts_of(sent.message())
    assert "\n\n\n" not in plain
    assert f"{settings.SITE_URL}/accounts/password/reset/" in plain
    if language:
        assert "Warst du das, Bea?" in plain
    else:
        assert sent.subject == subject
        assert "Was that you, Bea?" in plain


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
@pytest.mark.parametrize("is_confirmed", [True, False])
def test_an_address_hears_that_it_was_removed_although_no_other_is_left(
    language: str, *, is_confirmed: bool
) -> None:
    player, client = bea(), Client()
    Player.objects.filter(pk=player.pk).update(language=language)
    EmailAddress.objects.update(verified=is_confirmed)
    client.force_login(player)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/email/", {"action_remove": "", "email": ADDRESS})
    assert not EmailAddress.objects.exists()
    work_off()
    assert [sent.to for sent in mail.outbox] == ([[ADDRESS]] if is_confirmed else [])
    for sent in mail.outbox:
        plain, _html = parts_of(sent.message())
        assert f"{settings.SITE_URL}/accounts/login/" in plain
        with translation.override(language):
            said = translation.gettext("%(email)s is removed.") % {"email": ADDRESS}
            assert said in plain
            advice = "Not you? Log in now, choose a new password and add your address again."
            assert translation.gettext(advice) in plain


def test_an_address_that_was_never_confirmed_hears_of_nothing() -> None:
    """It may be a stranger's, mistyped at sign-up."""
    player, client = bea(), Client()
    EmailAddress.objects.update(verified=False)
    client.force_login(player)
    changes_the_password(client)
    work_off()
    assert mail.outbox == []


def test_a_mail_speaks_the_language_of_its_page() -> None:
    with translation.override("en"):  # the request's language ends with the block
        sign_up(Client(headers={"accept-language": "de"}))
    work_off()
    _plain, html = parts_of(mail.outbox[0].message())
    assert '<html lang="de">' in html


def parts_of(message: Any) -> tuple[str, str]:
    """Return the text and the HTML of a mail with exactly these two parts."""
    parts = message.get_payload()
    assert [part.get_content_type() for part in parts] == ["text/plain", "text/html"]
    plain, html = (part.get_payload(decode=True).decode() for part in parts)
    return plain, html
