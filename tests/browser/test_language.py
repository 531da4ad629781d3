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


def test_another_language_keeps_the_cards_that_were_picked(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/count/")
    for card in ("five of hearts", "five of clubs", "five of spades", "jack of diamonds"):
        page.get_by_role("group", name="The pack").get_by_role("button", name=card).click()
    page.get_by_role("button", name="five of diamonds").click()
    expect(page).to_have_url(re.compile(r"\?cards=5H\+5C\+5S\+JD\+5D$"))

    page.get_by_role("button", name="Deutsch").click()

    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("[data-result]")).to_contain_text("29")
