"""Every page in a real browser: no overflow at three sizes or with large text, no axe errors."""

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import (
    Browser,
    Locator,
    Page,
    ViewportSize,
    expect,
)

from tests.browser.conftest import SILENT, WAIT_MS, OpenPage, listen
from tests.support.accessible import SIZES, complaints, overflow, resize
from tests.support.played import play_elsewhere
from tests.support.seat import log_in
from tests.support.seated import run_script
from tests.support.servers import Site
from tests.support.tables import Table, make_tables, wish

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

BEFORE: ViewportSize = {"width": 1280, "height": 720}
"""The size in which a page is opened: Playwright's usual one."""

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
    "explorer": lambda *_: "/explorer/?cards=4H+5H+6S+JC+9D+KS&role=dealer",
    "disputed hand": lambda *_: "/explorer/disputed/",
    "course": lambda *_: "/learn/pegging/",
    "exercise": lambda *_: "/learn/pegging/2/",
    "insights": lambda *_: "/insights/",
    "open data": lambda *_: "/open-data/",
    "help": lambda *_: "/help/",
    "privacy": lambda *_: "/privacy/",
    "how the comparison works": lambda *_: "/ranked/how/",
    "ranked games": lambda *_: "/ranked/games/",
    "what others see": lambda *_: "/shown/",
    "name": lambda *_: "/name/",
    "settings and account": lambda *_: "/account/",
    "correspondence": lambda *_: "/correspondence/",
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

_PLAY_RANKED = """
import json, sys
import django
django.setup()
from games.models import Player
from tests.support.standard_tables import people, ranked_match
reader = Player.objects.get(seats__match__public_id=json.load(sys.stdin), seats__seat=0)
ranked_match([reader, *people(1)])
ranked_match([*people(2, start=1), reader], ("alfie", "nora", "alfie"))
print("null")
"""

_THROW = """
import json, sys
from datetime import date
import django
django.setup()
from games.archive.explorer import spots
from games.engine.cards import parse_cards
from games.models import Choice, DisputedHand, Match, PublicMatch
public = PublicMatch.objects.create(match=Match.objects.get(public_id=json.load(sys.stdin)))
cards = parse_cards("4H 5H 6S JC 9D KS")
spot = spots.throw_spot(cards, dealer=True)
for group, thrown in enumerate(("9D KS", "JC KS", "9D KS", "4H KS")):
    Choice.objects.create(
        match=public, game=1, hand=1, seat=0, spot=spot, group=group, stage=Choice.Stage.EARLY,
        choice=spots.throw_choice(cards, parse_cards(thrown)), points=12,
    )
DisputedHand.objects.create(week=date(2026, 11, 16), spot=spot, people=8, split=0.8)
print("null")
"""


@pytest.fixture(scope="module")
def tables(live_site: Site) -> tuple[Table, Table]:
    """Return a finished three-player match to 61, and a table waiting in the lobby.

    The first player of the match has also won and lost ranked games. The explorer knows throws from
    one hand.
    """
    played, waiting = make_tables(
        live_site.database_url,
        wish(players=3, computers=(1, 2), target=61),
        wish(listed=True, join=False),
    )
    play_elsewhere(live_site.database_url, played.match)
    for script in (_PLAY_RANKED, _THROW):
        run_script(live_site.database_url, script, played.match, {})
    return played, waiting


@pytest.fixture
def visit(live_site: Site, tables: tuple[Table, Table], open_page: OpenPage) -> OpenPage:
    """Give a function that opens a page of `PATHS` as the guest who played the match."""

    def visit_(name: str, **options: object) -> Page:
        page = open_page("about:blank", **options)
        log_in(page.context, live_site, tables[0].cookies[0])
        page.goto(live_site.url + PATHS[name](*tables))
        return page

    return visit_


Show = Callable[..., Page]


@pytest.fixture(scope="module")
def show(live_site: Site, tables: tuple[Table, Table], open_file_page: OpenPage) -> Show:
    """Give a function that shows a page of `PATHS` to the same guest, always in one tab."""
    page = open_file_page("about:blank")
    log_in(page.context, live_site, tables[0].cookies[0])
    return _shown_in(page, live_site, tables)


@pytest.fixture(scope="module")
def show_visitor(live_site: Site, tables: tuple[Table, Table], open_file_page: OpenPage) -> Show:
    """Give such a function for a tab of somebody whom the site doesn't know."""
    return _shown_in(open_file_page("about:blank"), live_site, tables)


def _shown_in(page: Page, site: Site, tables: tuple[Table, Table]) -> Show:
    def show_(name: str, width: int, height: int, *, language: str = "en", text: str = "") -> Page:
        page.set_extra_http_headers({"Accept-Language": language})
        page.set_viewport_size({"width": width, "height": height})
        page.goto(site.url + PATHS[name](*tables))
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.evaluate("size => document.documentElement.style.fontSize = size", text)
        return page

    return show_


@pytest.fixture(scope="module")
def tab(
    browser: Browser, live_site: Site, tables: tuple[Table, Table]
) -> Iterator[tuple[Page, list[str]]]:
    """Open one page for many of `PATHS`, which are read with the styles and scripts at hand.

    With it comes the list of what it throws, and where it breaks the site's security policy.
    """
    context = browser.new_context(service_workers="block")
    context.add_init_script(SILENT)
    context.set_default_timeout(WAIT_MS)
    log_in(context, live_site, tables[0].cookies[0])
    page = context.new_page()
    thrown: list[str] = []
    listen(page, thrown)
    yield page, thrown
    context.close()


@pytest.mark.parametrize("name", PATHS)
def test_a_page_fits_and_is_accessible_at_every_size(
    live_site: Site, tables: tuple[Table, Table], tab: tuple[Page, list[str]], name: str
) -> None:
    page, thrown = tab
    page.set_viewport_size(BEFORE)
    page.emulate_media(color_scheme="light")
    page.goto(live_site.url + PATHS[name](*tables))
    found = []
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    for size, (width, height) in SIZES.items():
        resize(page, width, height)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            if overflow(page) > 0:
                found.append(f"{scheme} {size}: {overflow(page)} px sideways")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        told = complaints(page, colours_only=scheme == "dark")
        found += [f"{scheme}: {complaint}" for complaint in told]
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    if overflow(page) > 0:
        found.append(f"text at 200 %: {overflow(page)} px sideways")
    found += thrown
    thrown.clear()
    assert found == []


@pytest.mark.parametrize("name", ["landing", "rules", "match"])
def test_pages_do_not_overflow_with_text_at_200_percent(show: Show, name: str) -> None:
    page = show(name, 1280, 800, text="200%")
    assert overflow(page) <= 0


@pytest.mark.parametrize(
    "name", ["landing", "rules", "explorer", "disputed hand", "matches", "match"]
)
def test_pages_fit_a_phone_with_text_at_200_percent(show: Show, name: str) -> None:
    page = show(name, 390, 844, language="de", text="200%")
    page.evaluate("document.querySelectorAll('main details').forEach(each => each.open = true)")
    for size in ("phone", "small"):
        resize(page, *SIZES[size])
        assert overflow(page) <= 0, size


def test_the_tabs_of_a_phone_keep_apart_with_text_at_200_percent(show: Show) -> None:
    page = show("landing", 390, 844, language="de", text="200%")
    boxes = [word.bounding_box() for word in page.locator(".site-tab > span").all()]
    assert len(boxes) == 5
    for left, right in itertools.pairwise(box for box in boxes if box):
        assert left["x"] + left["width"] <= right["x"]


def test_facts_and_buttons_of_a_match_stand_in_whole_lines_on_a_phone(show: Show) -> None:
    page = show("match", *SIZES["small"])
    heights = "facts => facts.map(each => each.offsetHeight)"
    assert len(set(page.locator(".match-head .facts > li").evaluate_all(heights))) == 1
    room = page.locator(".match-head .actions").bounding_box()
    boxes = [each.bounding_box() for each in page.locator(".match-head .actions > *").all()]
    assert room is not None
    ends = {box["y"]: box["x"] + box["width"] for box in boxes if box}  # the last of each line
    assert len(ends) > 1
    for end in ends.values():
        assert abs(end - room["x"] - room["width"]) < 1


def test_the_menu_of_a_long_name_has_the_whole_name_with_text_at_200_percent(show: Show) -> None:
    page = show("rules", *SIZES["small"], text="200%")
    page.evaluate("document.querySelector('.menu-name').textContent += '-Woltersdorf'")
    page.locator(".who").click()
    assert page.locator(".menu-name").evaluate("each => each.getBoundingClientRect().left") >= 0
    assert overflow(page) <= 0


BROKEN = """parts => parts.flatMap(part => {
    const text = part.firstChild;
    return [...text.data.matchAll(/[\\p{L}]+/gu)].flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return new Set([...range.getClientRects()].map(each => each.top)).size > 1 ? [word] : [];
    });
})"""
"""The words of these parts, which hold only text, that stand on more than one line."""


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_no_word_breaks_in_tabs_tables_and_the_list_of_words_at_200_percent(
    show: Show, language: str
) -> None:
    page = show("rules", *SIZES["small"], language=language, text="200%")
    parts = page.locator(".site-tab > span, .words dd, .points .num")
    expect(parts).not_to_have_count(0)
    assert parts.evaluate_all(BROKEN) == []


def test_six_cards_fit_a_phone_and_a_starter_shrinks_with_its_hand_at_200_percent(
    show: Show,
) -> None:
    page = show("rules", *SIZES["small"])
    six = [card.bounding_box() for card in page.locator(".values").first.locator("svg").all()]
    assert len({box["y"] for box in six if box}) == 1  # on one line
    page = show("rules", *SIZES["small"], text="200%")
    hand = page.locator(".counted-cards").first
    *_kept, last, starter = [card.bounding_box() for card in hand.locator(".card-face").all()]
    assert last and starter
    assert abs(starter["width"] - last["width"]) < 2


def edges(part: Locator) -> tuple[float, float]:
    """Return the top and the bottom of a part of a page, in pixels from the window's top."""
    box = part.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def test_todays_game_is_on_the_first_screen_of_a_small_phone(
    live_site: Site, open_page: OpenPage
) -> None:
    width, height = SIZES["small"]
    page = open_page(live_site.url, viewport={"width": width, "height": height})
    tabs, _ = edges(page.locator(".site-menus"))
    _, heading = edges(page.get_by_role("heading", name="Today's game"))
    assert heading < tabs


@pytest.mark.parametrize("size", SIZES)
def test_the_explorers_answer_needs_no_scrolling(show: Show, size: str) -> None:
    page = show("explorer", *SIZES[size])
    top, _ = edges(page.locator("[data-result] > h2"))
    assert top < 300


def test_playing_the_computer_is_one_click_away(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(live_site.url)
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_url(re.compile(r"/t/\w+/"))
    expect(page.get_by_role("heading", name="Score")).to_be_attached()


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_nothing_moves_when_another_computer_is_chosen(show_visitor: Show, language: str) -> None:
    page = show_visitor("landing", *SIZES["small"], language=language)
    slider, below = page.get_by_role("slider"), page.locator("#invite")
    tops = set()
    for level in range(7):
        slider.fill(str(level))
        tops.add(edges(below)[0])
    assert len(tops) == 1


def test_an_invitation_can_be_accepted_by_keyboard_only(
    live_site: Site, tables: tuple[Table, Table], open_page: OpenPage
) -> None:
    invite = make_tables(live_site.database_url, wish(join=False))[0].invite
    page = open_page(f"{live_site.url}/join/{invite}/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Your name at the table")).to_be_focused()
    page.keyboard.type("Tom")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/t/\w+/"))


def test_a_new_table_appears_in_the_lobby_without_a_reload(
    live_site: Site, open_page: OpenPage
) -> None:
    watching = open_page(f"{live_site.url}/lobby/")
    host = open_page(f"{live_site.url}/lobby/")
    host.get_by_text("Choose the rules").click()
    host.get_by_label("Your name at the table").fill("Jane Doe")
    host.get_by_label("61 (short game)").check()
    host.get_by_role("button", name="Start an open table").click()
    host.wait_for_url(re.compile(r"/t/\w+/"))
    row = watching.get_by_role("listitem").filter(has_text="Jane Doe").first
    expect(row).to_contain_text("to 61")
    row.get_by_role("link", name="Join").click()
    watching.get_by_role("button", name="Sit down").click()
    watching.wait_for_url(host.url)


def test_a_posted_game_appears_in_the_lobby_and_leaves_it_without_a_reload(
    live_site: Site, open_page: OpenPage
) -> None:
    watching = open_page(f"{live_site.url}/lobby/")
    host = open_page(f"{live_site.url}/lobby/")
    host.get_by_role("button", name="Post a game").click()
    own = host.locator("[data-seeks] li").filter(has_text="you")
    expect(own).to_have_count(1)
    match = own.get_attribute("data-match")
    row = watching.locator(f"[data-seeks] li[data-match='{match}']")
    expect(row.get_by_role("link", name="Accept")).to_be_visible()
    own.get_by_role("button", name="Withdraw").click()
    expect(host.get_by_text("Your game is withdrawn.")).to_be_visible()
    expect(row).to_have_count(0)


def test_the_chosen_colour_scheme_is_remembered(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(live_site.url, color_scheme="light")
    switch = page.get_by_role("button", name="Dark colours")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    page.goto(f"{live_site.url}/rules/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("button", name="Dark colours")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_a_guest_is_led_to_sign_up_to_keep_their_games(visit: OpenPage) -> None:
    page = visit("match")
    page.get_by_role("link", name="Keep my games").click()
    expect(page.get_by_role("heading", name="Sign up")).to_be_visible()


def test_the_game_record_downloads_as_a_file(visit: OpenPage) -> None:
    page = visit("match", worker=True)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the game record").click()
    assert download.value.suggested_filename.endswith(".jsonl")
