"""Browsers that keep nothing: storage that is blocked, missing or full stops no page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.seat import Seat, log_in
from tests.support.servers import Site
from tests.support.tables import make_tables, wish

STORAGES = {
    "blocked": """for (const name of ["localStorage", "sessionStorage"]) {
        const get = () => { throw new DOMException("blocked", "SecurityError"); };
        Object.defineProperty(window, name, { get });
    }""",
    "missing": """for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, { get: () => null });
    }""",
    "full": """Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
    };""",
}
"""Run before a page's scripts: as when cookies are blocked, in the browser of another app, and on a
full device."""


def visit(open_page: OpenPage, storage: str) -> Page:
    """Return an empty page of a new visitor with such a storage."""
    page = open_page("about:blank", reduced_motion="reduce")
    page.add_init_script(STORAGES[storage])
    return page


@pytest.mark.parametrize("storage", STORAGES)
def test_a_table_works(live_site: Site, open_page: OpenPage, storage: str) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    page = visit(open_page, storage)
    log_in(page.context, live_site, table.cookies[0])
    page.goto(f"{live_site.url}/t/{table.match}/?pace=instant")
    page.locator("[data-ask=discard]").wait_for()
    page.reload()  # the first view of a hand that has begun shows the cut, once
    page.locator("[data-ask=discard]").wait_for()
    Seat(page).act()
    page.get_by_role("button", name="Sound").click()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("storage", STORAGES)
def test_colours_and_the_entry_of_a_game_work(
    live_site: Site, open_page: OpenPage, storage: str
) -> None:
    page = visit(open_page, storage)
    page.goto(f"{live_site.url}/matches/enter/")
    expect(page.get_by_role("heading", name="is dealt")).to_be_visible()
    page.get_by_role("button", name="Dark colours").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
