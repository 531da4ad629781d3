"""Accessibility of the table: axe, small screens, large text, keys, screen readers."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import (
    complaints,
    complaints_at_another_size,
    overflow,
    resize,
)
from tests.support.seat import is_asked, play_out, play_until, sit
from tests.support.servers import Site
from tests.support.tables import make_tables, wish

SIZES = {
    "desktop": (1280, 800),
    "phone": (390, 844),
    "small": (360, 640),
    "on its side": (844, 390),
}
WITH_AXE = ("desktop", "phone")
"""Colours and names, all that axe looks at, are the same at the other sizes."""
IN_DARK = "phone"
"""Where axe looks at the colours in dark: no colour depends on the size."""

LATE = 45
"""Points of 61 at which a test begins that is about the end of a game."""
TARGET_PX = 44
WIDE = ("Wwwwmwwwwmwwwwmwwwww", "WWWWWMMMMMWWWWWMMMMM", "MMMMMWWWWWMMMMMWWWWW")
"""Names as wide as names may be, without a space to break a line at."""
HAND_CARD_PX = 52


def too_small(page: Page) -> list[str]:
    """Return the buttons and links that are too small for a thumb."""
    return list(
        page.evaluate(
            """least => [...document.querySelectorAll('.table-page :is(button, a, select)')]
                .map(node => [node.getBoundingClientRect(), node])
                .filter(([box]) => box.width && (box.width < least || box.height < least))
                .map(([box, node]) => `${node.innerText} ${box.width}x${box.height}`)""",
            TARGET_PX,
        )
    )


def cut_off(page: Page) -> list[str]:
    """Return what is shown in part beyond the right edge, where a phone cannot scroll to it."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll('.table-page :is(p, b, button, .card)')]
                .filter(node => node.getBoundingClientRect().right > innerWidth + 1)
                .map(node => `${node.className} ${node.innerText}`)"""
        )
    )


def read_whole(page: Page) -> dict[str, bool]:
    """Return for each live region, by role, whether all of it is read when something is added."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return {
        node["role"]["value"]: each["value"]["value"]
        for node in nodes
        for each in node.get("properties", ())
        if each["name"] == "atomic"
    }


def examine(page: Page, where: str) -> list[str]:
    """Return a page's layout and accessibility problems at every size, and its colours in dark."""
    found = []
    for size, (width, height) in SIZES.items():
        resize(page, width, height)
        place = f"{where}, {size}"
        if (wider := overflow(page)) > 0:
            found.append(f"{place}: {wider} px sideways")
        told = [f"too small: {each}" for each in too_small(page)]
        told += [f"cut off: {each}" for each in cut_off(page)]
        if size in WITH_AXE:
            first = size == WITH_AXE[0]
            told += complaints(page) if first else complaints_at_another_size(page)
        if size == IN_DARK:
            page.emulate_media(color_scheme="dark")
            told += [f"dark: {each}" for each in complaints(page, colours_only=True)]
            page.emulate_media(color_scheme="light")
        found += [f"{place}: {each}" for each in told]
    return found


def test_the_waiting_room_fits_and_is_accessible_at_every_size(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(players=3, join=False))[0]
    seat = sit(live_site, open_page, table, 0)
    expect(seat.page.locator("#invite-link")).to_have_value(re.compile(r"/join/"))
    assert examine(seat.page, "waiting") == []


@pytest.mark.parametrize("players", [2, 3])
def test_every_phase_fits_and_is_accessible_at_every_size(
    live_site: Site, open_page: OpenPage, players: int
) -> None:
    rules = wish(players=players, target=61, counting="manual", muggins=True, names=WIDE)
    table = make_tables(live_site.database_url, rules)[0]
    seats = [sit(live_site, open_page, table, who) for who in range(players)]
    found = []
    for phase in ("discard", "play", "claim", "answer"):
        play_until(seats, is_asked(seats[:1], phase))
        if phase in {"discard", "play"}:
            seats[0].page.keyboard.press("1")
        found += examine(seats[0].page, phase)
        seats[0].page.keyboard.press("Escape")
    assert found == []


def test_the_dialogs_and_the_result_fit_and_are_accessible(
    live_site: Site, open_page: OpenPage
) -> None:
    rules = wish(target=61, points=LATE, computers=(1,))
    table = make_tables(live_site.database_url, rules)[0]
    seat = sit(live_site, open_page, table, 0)
    page = seat.page
    found = []
    for name in ("Settings", "Help", "Resign"):
        page.get_by_role("button", name=name).click()
        page.get_by_role("dialog").wait_for()
        found += examine(page, name)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Log", exact=True).click()
    found += complaints(page)
    page.get_by_role("button", name="Close").click()
    play_out([seat])
    found += examine(page, "result")
    assert found == []


def test_with_pace_tap_the_show_waits_and_is_accessible(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    seat = sit(live_site, open_page, table, 0)
    seat.page.goto(seat.page.url.replace("pace=instant", "pace=tap"))
    play_until([seat], lambda: seat.page.locator(".show .total").count() == 1)
    assert examine(seat.page, "show") == []
    counted = seat.page.locator(".show .panel-title").inner_text()
    seat.page.keyboard.press("Space")
    expect(seat.page.locator(".show .panel-title")).not_to_have_text(counted)


def test_a_phone_shows_the_hand_in_one_row_of_wide_enough_cards(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    seat = sit(live_site, open_page, table, 0, viewport={"width": 360, "height": 640})
    expect(seat.hand).to_have_count(6)
    boxes = [box for box in (card.bounding_box() for card in seat.hand.all()) if box]
    assert len({round(box["y"]) for box in boxes}) == 1
    assert min(box["width"] for box in boxes) >= HAND_CARD_PX
    assert max(box["x"] + box["width"] for box in boxes) <= 360


def test_the_table_fits_with_text_at_200_percent(live_site: Site, open_page: OpenPage) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    seat = sit(live_site, open_page, table, 0, viewport={"width": 360, "height": 640})
    expect(seat.hand).to_have_count(6)
    seat.page.evaluate("document.documentElement.style.fontSize = '200%'")
    for name in ("small", "desktop"):
        width, height = SIZES[name]
        resize(seat.page, width, height)
        expect(seat.page.locator(".board" if name == "desktop" else ".strip")).to_be_visible()
        assert overflow(seat.page) <= 0, name
        plates = [
            box
            for box in (each.bounding_box() for each in seat.page.locator(".plate").all())
            if box
        ]
        assert plates, name
        assert max(box["x"] + box["width"] for box in plates) <= width, name
        seat.primary.scroll_into_view_if_needed()
        expect(seat.primary).to_be_in_viewport()


def test_keys_pick_and_clear_cards_move_the_focus_and_announce(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    seat = sit(live_site, open_page, table, 0)
    page, press = seat.page, seat.page.keyboard.press
    pressed = page.locator('.hand-card[aria-pressed="true"]')
    expect(seat.hand).to_have_count(6)
    for key in "123":
        press(key)
    expect(pressed).to_have_count(2)
    expect(seat.hand.nth(0)).to_have_attribute("aria-pressed", "false")
    press("Escape")
    expect(pressed).to_have_count(0)
    press("ArrowRight")
    expect(seat.hand.nth(3)).to_be_focused()
    press("Enter")
    expect(seat.hand.nth(3)).to_have_attribute("aria-pressed", "true")
    for key, said in {"s": "You 0", "h": " of ", "l": "Dealer"}.items():
        press(key)
        expect(page.get_by_role("log")).to_contain_text(said)
    press("?")
    help_ = page.get_by_role("dialog", name="Help")
    expect(help_.get_by_role("heading", name="Keyboard shortcuts")).to_be_visible()
    help_.get_by_role("link").last.focus()
    press("Tab")  # out of the dialog, which stays open
    press("Escape")
    expect(help_).to_be_hidden()


def test_on_a_phone_help_says_what_scores_and_shows_no_keys(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    seat = sit(live_site, open_page, table, 0, is_mobile=True, has_touch=True)
    seat.page.get_by_role("button", name="Help").click()
    help_ = seat.page.get_by_role("dialog", name="Help")
    expect(help_).to_contain_text("his nobs")
    expect(help_.get_by_role("heading", name="Keyboard shortcuts")).to_be_hidden()
    help_.get_by_role("button", name="Close").tap()
    seat.hand.first.hover()  # as a tap does, until the next one
    expect(seat.page.locator(".hand-card:hover")).to_have_css("transform", "none")


def test_a_screen_reader_hears_the_turn_as_an_alert_and_the_rest_in_order(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    seat = sit(live_site, open_page, table, 0)
    heard, alerts = seat.page.get_by_role("log"), seat.page.locator(".spoken[role=alert]")
    expect(alerts).to_contain_text("Choose 2 cards")
    expect(heard).to_contain_text("Cut for the deal.")
    expect(seat.page).to_have_title(re.compile("^● Your turn — Choose 2 cards"))
    card = seat.hand.first
    expect(card).to_have_accessible_name(re.compile(r"^\w+ of \w+, playable$"))
    play_until([seat], lambda: seat.page.locator(".pile li:not(.empty)").count() >= 2)
    expect(heard).to_contain_text("The starter is the")
    expect(heard).to_contain_text("played the")
    assert [
        heading.lower() for heading in seat.page.get_by_role("heading", level=2).all_inner_texts()
    ] == ["score", "table", "hand", "log"]


def test_a_screen_reader_reads_a_new_alert_without_the_earlier_ones(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    seat = sit(live_site, open_page, table, 0)
    expect(seat.page.locator(".spoken[role=alert]")).to_contain_text("Choose 2 cards")
    regions = read_whole(seat.page)
    assert (regions["alert"], regions["log"]) == (False, False)
