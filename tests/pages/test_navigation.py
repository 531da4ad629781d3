"""The menus: every page of the product is one menu away, and the own menu fits who reads it."""

import re

import pytest
from django.test import Client
from django.urls import resolve

from games.models import Player
from games.pages.site.navigation import Menu, main_menus, place_of, site_map
from games.people.accounts import create_guest
from tests.support.people import as_

pytestmark = pytest.mark.django_db

SHOWN = (
    "/lobby/",
    "/daily/",
    "/ranked/",
    "/ratings/",
    "/ranked/how/",
    "/learn/",
    "/learn/count/",
    "/learn/throwing/",
    "/learn/pegging/",
    "/puzzles/",
    "/puzzle/",
    "/drills/",
    "/insights/",
    "/count/",
    "/discards/",
    "/rules/",
    "/friends/",
    "/clubs/",
    "/tournaments/",
    "/challenge/",
    "/records/",
)

MOST_LINES = 7
"""As many lines as one takes in at a glance."""


def header_of(page: str) -> str:
    return page[page.index("<header") : page.index("</header>")]


def test_every_part_of_the_product_is_in_a_menu_of_the_header(client: Client) -> None:
    header = header_of(client.get("/rules/").content.decode())
    assert [path for path in SHOWN if f'href="{path}"' not in header] == []


def test_players_find_their_own_results_under_ranked(client: Client) -> None:
    own = ('href="/ratings/me/"', 'href="/ranked/games/"')
    header = header_of(client.get("/rules/").content.decode())
    assert [line for line in own if line in header] == []
    header = header_of(as_(create_guest()).get("/rules/").content.decode())
    assert [line for line in own if line not in header] == []


def test_the_footer_lists_the_menus_and_the_tools_for_programs(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    footer = page[page.index("<footer") :]
    wanted = {*SHOWN, "/api/v1/", "/programs/", "/matches/import/", "/matches/enter/"}
    assert [path for path in sorted(wanted) if f'href="{path}"' not in footer] == []


@pytest.mark.parametrize("menu", [*main_menus("/"), *site_map("/")], ids=lambda menu: menu.key)
def test_every_line_leads_to_a_page(menu: object) -> None:
    for link in menu.links:  # type: ignore[attr-defined]
        assert resolve(link.address.split("#")[0])


def test_a_menu_shows_where_one_is(client: Client) -> None:
    header = header_of(client.get("/count/").content.decode())
    assert re.findall(r'href="([^"]+)" aria-current="page"', header) == ["/count/"]
    here = re.findall(r'is-here">.*?<span>(\w+)</span>', header, re.DOTALL)
    assert here == ["Practise"]
    deeper = header_of(client.get("/learn/count/1/1/").content.decode())
    assert "aria-current" not in deeper and deeper.count("is-here") == 1


def test_the_menus_of_a_page_are_those_of_its_place() -> None:
    lines = {
        link.address for menu in [*main_menus("", own=True), *site_map("")] for link in menu.links
    }
    deeper = {f"{line.split('#')[0]}more/" for line in lines}
    for path in [*lines, *deeper, "/t/", "/players/", "/no-such-page/", "/?next=/rules/"]:
        place = place_of(path)
        for own in (False, True):
            assert main_menus(place, own=own) == main_menus(path, own=own), path
        assert site_map(place) == site_map(path), path
    assert len({place_of(path) for path in deeper}) < len(deeper)


def test_menus_that_are_kept_are_those_of_the_readers_language(client: Client) -> None:
    for language, lobby, discards in (
        ("en", "Open tables", "Discard helper"),
        ("de", "Offene Tische", "Abwurfhilfe"),
        ("en", "Open tables", "Discard helper"),
    ):
        page = client.get("/rules/", headers={"Accept-Language": language}).content.decode()
        for part in (header_of(page), page[page.index("<footer") :]):
            assert lobby in part and discards in part, language


@pytest.mark.parametrize("menu", main_menus("/"), ids=lambda menu: menu.key)
def test_a_long_menu_is_divided_by_titles(menu: Menu) -> None:
    assert max(len(group.links) for group in menu.groups) <= MOST_LINES
    assert all(group.title for group in menu.groups) or len(menu.groups) == 1


def test_the_own_menu_is_for_who_reads_it(client: Client) -> None:
    visitor = header_of(client.get("/rules/").content.decode())
    assert 'href="/accounts/login/?next=/rules/"' in visitor and "/account/" not in visitor.replace(
        "/accounts/", ""
    )
    guest = header_of(as_(create_guest()).get("/rules/").content.decode())
    assert "/accounts/signup/" in guest and "/accounts/logout/" not in guest
    person = Player.objects.create_user("Margery", password="fifteen-two-4")
    own = header_of(as_(person).get("/rules/").content.decode())
    for path in (f"/players/{person.public_id}/", "/matches/", "/ratings/me/", "/account/"):
        assert f'href="{path}"' in own
    assert "/accounts/logout/" in own and "/accounts/signup/" not in own


@pytest.mark.parametrize(
    ("address", "query"),
    [
        ("/", ""),
        ("/rules/", "?next=/rules/"),
        ("/matches/zzzzzzzzzz/", "?next=/matches/zzzzzzzzzz/"),
        ("/count/?cards=5H+5C", "?next=/count/%3Fcards%3D5H%2B5C"),
        ("/no-such-page/", ""),
        ("/accounts/signup/", ""),
        ("/accounts/signup/?next=/rules/", "?next=/rules/"),
    ],
)
def test_the_menus_lead_back_from_log_in_to_the_page(
    client: Client, address: str, query: str
) -> None:
    page = client.get(address).content.decode()
    assert f'class="site-login" href="/accounts/login/{query}"' in page
    footer = page[page.index("<footer") :]
    assert f'href="/accounts/signup/{query}"' in footer


def test_the_account_page_shows_the_state_of_each_setting(client: Client) -> None:
    assert client.get("/account/").headers["Location"] == "/accounts/login/?next=/account/"
    person = Player.objects.create_user("Margery", password="fifteen-two-4")
    page = as_(person).get("/account/").content.decode()
    assert "none yet" in page and "1 browser" in page
    assert re.search(r"two-step login</a> <span>off<", page)
    assert re.search(r"for your turn</a> <span>off<", page)
    person.push_subscriptions.create(endpoint="https://push.example/1")
    page = as_(person).get("/account/").content.decode()
    assert re.search(r"for your turn</a> <span>in 1 browser<", page)
    guest = as_(create_guest()).get("/account/").content.decode()
    assert "You're a guest" in guest and "/accounts/2fa/" not in guest
