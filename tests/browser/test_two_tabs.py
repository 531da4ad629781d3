"""Two tabs of one browser: what is set in one holds in the other."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.seat import sit
from tests.support.servers import Site
from tests.support.tables import make_tables, wish

BACK_FROM_CACHE = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
"""What a page gets that the Back button shows as it was. Chromium's headless shell keeps none."""


def test_a_change_at_the_table_keeps_what_another_tab_has_set(
    live_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_tables(live_site.database_url, wish())
    page = sit(live_site, open_page, table, 0).page
    other = page.context.new_page()
    other.goto(f"{live_site.url}/rules/")
    other.get_by_role("button", name="Dark colours").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Sound").click()
    other.reload()
    expect(other.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_page_that_comes_back_has_the_colours_chosen_meanwhile(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/rules/")
    page.evaluate("localStorage['cribbage.settings'] = '{\"theme\": \"dark\"}'")
    page.evaluate(BACK_FROM_CACHE)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = page.get_by_role("button", name="Dark colours")
    expect(dark).to_have_attribute("aria-pressed", "true")
