"""Every page in a real browser: whole at three sizes, light and dark, and sound for axe."""

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.games.played import play_elsewhere
from tests.games.tables import Table, make_tables, wish
from tests.servers import Site

SIZES = {"desktop": (1280, 800), "phone": (390, 844), "small": (360, 640)}
SCHEMES = ("light", "dark")

PATHS: dict[str, Callable[[Table, Table], str]] = {
    "landing": lambda *_: "/",
    "lobby": lambda *_: "/lobby/",
    "rules": lambda *_: "/rules/",
    "matches": lambda *_: "/matches/",
    "match": lambda played, _: f"/matches/{played.match}/",
    "paper": lambda played, _: f"/matches/{played.match}/print/",
    "import": lambda *_: "/matches/import/",
    "enter": lambda *_: "/matches/enter/",
    "records": lambda *_: "/records/",
    "what others see": lambda *_: "/shown/",
    "name": lambda *_: "/name/",
    "data": lambda *_: "/data/",
    "delete": lambda *_: "/data/delete/",
    "api": lambda *_: "/api/v1/",
    "invitation": lambda _, waiting: f"/join/{waiting.invite}/",
    "dead invitation": lambda *_: "/join/nosuchinvitation/",
    "missing": lambda *_: "/nothing/",
    "log in": lambda *_: "/accounts/login/",
    "sign up": lambda *_: "/accounts/signup/",
    "reset": lambda *_: "/accounts/password/reset/",
}


@pytest.fixture(scope="module")
def tables(live_site: Site) -> tuple[Table, Table]:
    """Return a match of three that has been played, and a table that waits in the lobby."""
    played, waiting = make_tables(
        live_site.database_url,
        wish(players=3, computers=(1, 2)),
        wish(listed=True, join=False),
    )
    play_elsewhere(live_site.database_url, played.match)
    return played, waiting


@pytest.fixture
def visit(live_site: Site, tables: tuple[Table, Table], open_page: OpenPage) -> OpenPage:
    """Give a function that opens a page of `PATHS` as the guest who played the match."""

    def visit_(name: str, **options: object) -> Page:
        page = open_page(f"{live_site.url}/rules/", **options)
        cookie = {"name": "sessionid", "value": tables[0].cookies[0], "url": live_site.url}
        page.context.add_cookies([cookie])  # type: ignore[list-item]
        page.goto(live_site.url + PATHS[name](*tables))
        return page

    return visit_


def complaints(page: Page) -> list[str]:
    """Return what axe finds serious on a page, each with where."""
    return [
        f"{violation['id']}: {[node['target'] for node in violation['nodes']]}"
        for violation in Axe().run(page).response["violations"]
        if violation["impact"] in {"serious", "critical"}
    ]


def overflow(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    return int(
        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    )


@pytest.mark.parametrize("name", PATHS)
def test_a_page_is_whole_and_readable_at_every_size(visit: OpenPage, name: str) -> None:
    found = []
    for scheme in SCHEMES:
        page = visit(name, color_scheme=scheme)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            if overflow(page) > 0:
                found.append(f"{scheme} {size}: {overflow(page)} px sideways")
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        found += [f"{scheme}: {complaint}" for complaint in complaints(page)]
    assert found == []


@pytest.mark.parametrize("name", ["landing", "rules", "match"])
def test_text_can_be_twice_as_large(visit: OpenPage, name: str) -> None:
    page = visit(name, viewport={"width": 1280, "height": 800})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert overflow(page) <= 0


def test_the_computer_is_one_click_away(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(live_site.url)
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_url(re.compile(r"/t/\w+/"))
    expect(page.get_by_role("heading", name="Score")).to_be_attached()


def test_a_friend_takes_up_an_invitation_by_keyboard_alone(
    live_site: Site, tables: tuple[Table, Table], open_page: OpenPage
) -> None:
    invite = make_tables(live_site.database_url, wish(join=False))[0].invite
    page = open_page(f"{live_site.url}/join/{invite}/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Your name at the table")).to_be_focused()
    page.keyboard.type("Tom")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/t/\w+/"))


def test_a_table_that_opens_shows_in_the_lobby_by_itself(
    live_site: Site, open_page: OpenPage
) -> None:
    watching = open_page(f"{live_site.url}/lobby/")
    host = open_page(f"{live_site.url}/lobby/")
    host.get_by_text("Choose the rules").click()
    host.get_by_label("Your name at the table").fill("Jane Doe")
    host.get_by_label("61, once round").check()
    host.get_by_role("button", name="Open a table to everybody").click()
    host.wait_for_url(re.compile(r"/t/\w+/"))
    row = watching.get_by_role("listitem").filter(has_text="Jane Doe").first
    expect(row).to_contain_text("to 61")
    row.get_by_role("link", name="Join").click()
    watching.get_by_role("button", name="Sit down").click()
    watching.wait_for_url(host.url)


def test_colours_chosen_stay_chosen(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(live_site.url, color_scheme="light")
    switch = page.get_by_role("button", name="Dark colours")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    page.goto(f"{live_site.url}/rules/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("button", name="Dark colours")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_a_guest_is_told_how_to_keep_his_games(visit: OpenPage) -> None:
    page = visit("match")
    page.get_by_role("link", name="Keep my games").click()
    expect(page.get_by_role("heading", name="Sign up")).to_be_visible()


def test_the_game_record_is_sent_as_a_file(visit: OpenPage) -> None:
    page = visit("match")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the game record").click()
    assert download.value.suggested_filename.endswith(".jsonl")
