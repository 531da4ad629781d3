"""A visitor's chosen language applies to pages, table and socket."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import complaints
from tests.support.servers import Site


def test_choosing_german_shows_the_table_in_german(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/rules/", viewport={"width": 360, "height": 640})
    expect(page.locator("html")).to_have_attribute("lang", "en")

    page.get_by_role("button", name="Deutsch").click()

    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page).to_have_url(f"{live_site.url}/rules/")
    expect(page.get_by_role("button", name="Deutsch")).to_have_attribute("aria-current", "true")

    page.goto(f"{live_site.url}/lobby/")
    page.get_by_role("button", name="Gegen Computer spielen", exact=True).click()

    page.wait_for_url(re.compile(r"/t/\w+/"))
    expect(page.locator("#primary")).to_contain_text("Crib")
    page.get_by_role("button", name="Tipp", exact=True).click()
    expect(page.locator(".hint")).to_contain_text("Wirf")
    assert complaints(page) == []
