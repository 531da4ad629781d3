"""The rules page, changing names, error pages, and page-wide requirements."""

import html
import re
from datetime import timedelta

import pytest
from django.template import engines
from django.test import Client, RequestFactory
from django.utils.html import strip_tags
from django.views.defaults import server_error
from pytest_django.fixtures import Settings

from games.engine.cards import PACK, parse_card, parse_cards
from games.engine.scoring import score_hand
from games.models import Player
from games.pages.card_svg import face
from games.people import chat_service
from games.people.accounts import create_guest
from games.text.count_phrases import card_words, count_words
from ratings.matchmaking import networks
from ratings.pages import device

pytestmark = pytest.mark.django_db

PAGES = ("/", "/lobby/", "/matches/", "/rules/", "/accounts/login/", "/accounts/signup/")


def test_the_examples_in_the_rules_agree_with_the_engine(client: Client) -> None:
    text = strip_tags(client.get("/rules/").content.decode())
    for hand, starter, crib in (
        ("7D 8S 8H QC", "5D", False),
        ("6H 7C 7D 8S", "8H", False),
        ("2H 6H 9H KH", "4C", True),
        ("5H 5C 5S JD", "5D", False),
    ):
        breakdown = score_hand(parse_cards(hand), parse_card(starter), crib)
        assert count_words(breakdown) in text
        assert f"{breakdown.total} points" in text


def test_the_privacy_page_names_the_times_after_which_things_are_deleted(
    client: Client, settings: Settings
) -> None:
    text = client.get("/privacy/").content.decode()
    assert timedelta(seconds=settings.SESSION_COOKIE_AGE).days == 365
    assert "for a year" in text
    assert timedelta(seconds=device.KEPT_S).days == 400
    assert "for 400 days" in text
    assert chat_service.KEPT == networks.KEPT == timedelta(days=30)
    assert len(re.findall("for 30 days", text)) == 2
    for page in ("/", "/accounts/signup/"):
        assert 'href="/privacy/"' in client.get(page).content.decode()


def test_the_privacy_page_names_addresses_of_browsers_and_in_logs(client: Client) -> None:
    text = html.unescape(client.get("/privacy/").content.decode())
    assert "its address at the browser's push service" in text
    assert "A web server in front of ours may also log each request" in text


def test_the_help_page_is_linked_and_its_links_lead_to_pages_and_their_parts(
    client: Client,
) -> None:
    assert 'href="/help/"' in client.get("/").content.decode()
    main = client.get("/help/").content.decode().partition("<main")[2].partition("</main>")[0]
    assert main.count("<h2") == 10
    links = re.findall(r'href="(/[^"]*)"', main)
    assert len(links) == 11
    client.force_login(create_guest())
    for link in links:
        address, _, part = link.partition("#")
        page = client.get(address)
        assert page.status_code == 200, link
        assert not part or f'id="{part}"' in page.content.decode(), link


@pytest.mark.parametrize(
    ("hand", "starter", "said"),
    [
        ("7D 8S QC KH", "9D", "fifteen two, and a run of three is five"),
        ("5H 5C 4S 2D", "8H", "fifteen two, fifteen four, and a pair is six"),
        ("2D 3C 3H 4S", "9D", "fifteen two, fifteen four, and a double run of three is twelve"),
        ("AC 2D 3H 3S", "3D", "triple run of three is fifteen"),
        ("2H 4H 6H QH", "KC", "a flush of four is four"),
        ("JH 2C 4D 6S", "KH", "his nobs is one"),
        ("2C 4D 6S 8H", "TC", "nothing"),
    ],
)
def test_a_count_is_written_as_players_say_it(hand: str, starter: str, said: str) -> None:
    assert count_words(score_hand(parse_cards(hand), parse_card(starter))) == said


def test_every_card_image_has_its_name_as_label() -> None:
    names = {card_words(card) for card in PACK}
    assert len(names) == 52
    for card in PACK:
        assert f'aria-label="{card_words(card)}"' in face(card)
        assert "aria-label" not in face(card, size="small", spoken=False)


def test_a_guest_can_change_their_name(client: Client) -> None:
    guest = create_guest(name="Margery")
    client.force_login(guest)
    assert client.post("/name/", {"name": "Meg"}).status_code == 302
    guest.refresh_from_db()
    assert guest.name == "Meg"


def test_a_person_can_change_their_login_name(client: Client) -> None:
    person = Player.objects.create_user("Margery", password="fifteen-two-4")
    client.force_login(person)
    client.post("/name/", {"name": "Meg"})
    assert Client().login(username="Meg", password="fifteen-two-4")
    person.refresh_from_db()
    assert (person.name, person.name_skeleton != "") == ("Meg", True)


@pytest.mark.parametrize("name", ["Tom", "T0m", "admin", "x", ""])
def test_a_name_that_is_taken_or_not_allowed_is_refused(client: Client, name: str) -> None:
    Player.objects.create_user("Tom")
    person = Player.objects.create_user("Margery", password="fifteen-two-4")
    client.force_login(person)
    answer = client.post("/name/", {"name": name})
    assert answer.status_code == 422
    person.refresh_from_db()
    assert person.name == "Margery"


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_no_inline_scripts_or_styles(client: Client, path: str) -> None:
    answer = client.get(path)
    page = answer.content.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", page)
    assert not re.search(r"<style|\sstyle=|\son\w+=", page)
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_one_main_heading_a_title_and_a_skip_link(client: Client, path: str) -> None:
    page = client.get(path).content.decode()
    assert page.count("<h1") == 1
    assert re.search(r"<title>\s*\S", page)
    assert 'href="#main"' in page and 'id="main"' in page


def test_the_chosen_colour_scheme_is_rendered_with_the_page(client: Client) -> None:
    client.cookies["theme"] = "dark"
    assert 'data-theme="dark"' in client.get("/rules/").content.decode()
    client.cookies["theme"] = '"><script>'
    assert "data-theme=" not in client.get("/rules/").content.decode()


def test_error_pages_use_the_sites_layout(client: Client) -> None:
    missing = client.get("/nothing/at/all/")
    assert missing.status_code == 404
    assert "There's nothing here" in missing.content.decode()
    assert "If you played in it, log in." in missing.content.decode()
    client.force_login(Player.objects.create_user("Ann"))
    assert "If you played in it" not in client.get("/nothing/at/all/").content.decode()
    failed = server_error(RequestFactory().get("/"))
    assert "Your games are safe." in failed.content.decode()
    for name in ("403.html", "403_csrf.html"):
        assert "<h1>" in engines["django"].get_template(name).render({})


def test_a_form_without_its_token_gets_a_helpful_page() -> None:
    answer = Client(enforce_csrf_checks=True).post("/play/")
    assert answer.status_code == 403
    assert "This page has expired" in answer.content.decode()


def test_the_tables_translations_are_served_as_a_script(client: Client) -> None:
    answer = client.get("/jsi18n/en/")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "ngettext" in answer.content.decode()
