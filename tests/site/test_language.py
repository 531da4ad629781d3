"""The language of pages, scripts and sockets: from the browser, the cookie, or the account."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from django.test import Client
from django.utils import translation
from django.utils.formats import date_format

from cribbage_site.asgi import tables
from cribbage_site.language import language_of
from games.models import Player
from games.pages.people.account_words import REWORDED_MESSAGES
from games.text import script_texts
from tests.support.waiting import DEADLINE

pytestmark = pytest.mark.django_db


def lang_of(page: bytes) -> str:
    """Return the language that a page declares."""
    return page.decode().split('<html lang="', 1)[1].split('"', 1)[0]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("", "en"),
        ("en-US,en;q=0.9", "en"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("fr", "fr"),
        ("es-MX,es;q=0.9,en;q=0.5", "es"),
        ("nl,fr;q=0.5", "fr"),
        ("ja", "en"),
        ("**nonsense", "en"),
    ],
)
def test_a_page_is_in_the_browsers_language(asked: str, shown: str) -> None:
    answer = Client(headers={"accept-language": asked}).get("/rules/")
    assert lang_of(answer.content) == shown
    assert answer.headers["Content-Language"] == shown
    assert language_of([(b"accept-language", asked.encode())]) == shown


@pytest.mark.parametrize(
    ("language", "day", "short"),
    [
        ("en", "Nov 3, 2026", "Nov 3"),
        ("de", "3. November 2026", "3. November"),
        ("fr", "3 novembre 2026", "3 novembre"),
        ("es", "3 de noviembre de 2026", "3 de noviembre"),
    ],
)
def test_a_date_has_one_form_in_each_language(language: str, day: str, short: str) -> None:
    """Scripts write it like that, too: see tests/js/text/local_time.test.js."""
    at = datetime(2026, 11, 3, 18, 30, tzinfo=UTC)
    with translation.override(language):
        forms = ("DATE_FORMAT", "SHORT_DATE_FORMAT", "DATETIME_FORMAT", "MONTH_DAY_FORMAT")
        assert [date_format(at, form) for form in forms] == [day, day, f"{day}, 18:30 UTC", short]
        # On the axis of a chart, where scripts tell a time of day from a date by its colon.
        assert date_format(at.replace(minute=0), "TIME_FORMAT") == "18:00"


def test_a_chosen_language_is_kept_and_the_page_shown_again(client: Client) -> None:
    answer = client.post("/language/", {"language": "de", "next": "/rules/?a=1"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules/?a=1")
    assert lang_of(client.get("/rules/", headers={"accept-language": "fr"}).content) == "de"
    cookie = f"other=1; language={client.cookies['language'].value}".encode()
    assert language_of([(b"cookie", cookie), (b"accept-language", b"fr")]) == "de"


def test_each_page_has_the_language_form() -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.get("/rules/").content.decode()
    assert 'action="/language/"' in page
    token = page.split('name="csrfmiddlewaretoken" value="', 1)[1].split('"', 1)[0]
    assert client.post("/language/", {"language": "de"}).status_code == 403
    done = client.post("/language/", {"language": "de", "csrfmiddlewaretoken": token})
    assert done.status_code == 302


def test_foreign_redirects_and_unknown_languages_are_refused(client: Client) -> None:
    away = client.post("/language/", {"language": "de", "next": "https://example.org/"})
    assert away.headers["Location"] == "/"
    unknown = client.post("/language/", {"language": "xx"})
    assert unknown.status_code == 400
    assert "en, de, fr, es" in unknown.content.decode()
    assert client.get("/language/").status_code == 405


def test_an_accounts_language_applies_in_a_new_browser(client: Client) -> None:
    Player.objects.create_user("Hanna", password="eine-lange-Nacht")
    door = {"login": "Hanna", "password": "eine-lange-Nacht"}
    client.post("/accounts/login/", door)
    client.post("/language/", {"language": "de"})
    elsewhere = Client()
    elsewhere.post("/accounts/login/", door)
    assert lang_of(elsewhere.get("/rules/").content) == "de"
    # A language chosen in a browser has priority there.
    chosen = Client()
    chosen.post("/language/", {"language": "fr"})
    chosen.post("/accounts/login/", door)
    assert lang_of(chosen.get("/rules/").content) == "fr"


def test_script_translations_have_one_address_per_language(client: Client) -> None:
    with translation.override("de"):
        address = script_texts.address()
    assert address.startswith("/jsi18n/de/?v=")
    page = client.get("/lobby/", headers={"accept-language": "de"}).content.decode()
    assert f'src="{address}"' in page
    kept = client.get(address)
    assert "immutable" in kept.headers["Cache-Control"]
    assert kept.headers["Content-Language"] == "de"
    assert client.get("/jsi18n/de/?v=old").headers["Cache-Control"] == "no-cache"
    assert client.get("/jsi18n/xx/").status_code == 404


def test_a_german_table_has_german_script_texts(client: Client) -> None:
    table = client.post("/play/", headers={"accept-language": "de"}, follow=True)
    assert lang_of(table.content) == "de"
    address = table.content.decode().split('src="/jsi18n/de/', 1)[1].split('"', 1)[0]
    words = client.get(f"/jsi18n/de/{address}").content.decode()
    assert '"Your crib": "Deine Crib"' in words


def test_allauth_messages_use_the_informal_du() -> None:
    with translation.override("de"):
        said = [translation.gettext(text) for text in REWORDED_MESSAGES]
    assert not [
        text for text in said if " Sie " in text or "Ihr" in text or text in REWORDED_MESSAGES
    ]


async def refusal(*headers: tuple[bytes, bytes]) -> str:
    """Return the lobby socket's error message for an unreadable message."""
    own = [(b"host", b"localhost"), (b"origin", b"http://localhost"), *headers]
    socket: Any = WebsocketCommunicator(tables, "/ws/lobby/", headers=own)
    assert (await socket.connect())[0]
    await socket.send_to(text_data="{")
    while True:
        message = json.loads(await socket.receive_from(timeout=DEADLINE))
        if message["t"] == "error":
            await socket.disconnect()
            return str(message["d"]["message"])


@pytest.mark.django_db(transaction=True)
async def test_a_socket_uses_the_language_of_its_connection() -> None:
    english = "That message couldn't be read. Reload the page."
    assert await refusal() == english
    with translation.override("de"):
        german = translation.gettext(english)
    assert german != english
    assert await refusal((b"accept-language", b"de")) == german
    assert await refusal((b"cookie", b"language=de"), (b"accept-language", b"fr")) == german
    assert await refusal((b"accept-language", b"ja")) == english
