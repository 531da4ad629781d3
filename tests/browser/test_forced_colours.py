"""Readers whose system forces its own colours, such as high contrast, white on black."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.seat import sit
from tests.support.servers import Site
from tests.support.tables import make_tables, wish

FORCED: dict[str, Any] = {"forced_colors": "active", "color_scheme": "dark"}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}}


def ground(page: Page, selector: str) -> str:
    """Return the background colour of the first element that matches."""
    return str(page.locator(selector).first.evaluate("at => getComputedStyle(at).backgroundColor"))


def ring(page: Page, selector: str) -> str:
    """Return the colour of the outline of the first element that matches; "" for none."""
    of = """at => {
        const { outlineStyle, outlineColor } = getComputedStyle(at);
        return outlineStyle === "solid" ? outlineColor : "";
    }"""
    return str(page.locator(selector).first.evaluate(of))


def test_cards_keep_their_paper_under_black_ink(live_site: Site, open_page: OpenPage) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    page = sit(live_site, open_page, table, 0, **FORCED).page
    expect(page.locator(".hand-card")).to_have_count(6)
    assert ground(page, "body") == "rgb(0, 0, 0)"
    assert all(int(part) > 200 for part in re.findall(r"\d+", ground(page, ".hand-card")))
    pegs = {ground(page, f".plate.seat-{seat} .plate-peg") for seat in (0, 1)}
    assert len(pegs | {"rgb(0, 0, 0)"}) == 3


def test_the_menu_of_a_phone_covers_what_scrolls_below_it(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/help/", **FORCED, **PHONE)
    assert ground(page, ".site-nav") == "rgb(0, 0, 0)"


def test_the_choices_of_the_analysis_board_are_marked(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/analysis/", **FORCED)
    marked = ground(page, ".analysis-switch label:has(:checked)")
    assert ground(page, ".analysis-switch label:not(:has(:checked))") != marked
    assert ground(page, '.analysis-rows [aria-pressed="true"]') == marked
    page.locator('[data-card="5H"]').click()
    assert ground(page, '[data-card="5H"]') == marked != ground(page, '[data-card="6H"]')
    assert ring(page, ".analysis-switch label:has(:checked)") == ""
    page.get_by_role("button", name="Starter").click()
    assert ground(page, '[data-card="5H"]') == marked, "the card is in another row"
    # In Firefox, the ink would be white on cream.
    expect(page.locator(".card-face").first).to_have_css("forced-color-adjust", "none")
    page.locator(".analysis-switch :checked").first.focus()
    page.keyboard.press("ArrowRight")
    assert ring(page, ".analysis-switch label:has(:focus)") not in ("", marked), "the focus shows"
