"""Pages that went on to a table and are shown again, as they were left, by the Back button."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, Route

from tests.browser.conftest import OpenPage
from tests.browser.test_clubs import _MAKE, club_site
from tests.browser.test_two_tabs import BACK_FROM_CACHE
from tests.support.seated import run_script
from tests.support.servers import Site

__all__ = ["club_site"]

TABLE = "/t/nowhere1/"
FOUND = {
    "queue": json.dumps({"waiting": False, "offer": False, "others": 0, "table": TABLE}),
    "night": f'<div data-state="playing" data-table="{TABLE}"></div>',
}
"""What a page hears when its reader has a table."""


def open_queue(site: Site, open_page: OpenPage) -> Page:
    page = open_page(f"{site.url}/ranked/")
    page.get_by_role("button", name="Play ranked, two players").click()
    page.locator("[data-queue]").wait_for()
    return page


def open_night(site: Site, open_page: OpenPage) -> Page:
    made = run_script(site.database_url, _MAKE, {"organizer": "Olga"}, {})
    return open_page(f"{site.url}/clubs/night/{made['night']}/")


@pytest.mark.parametrize("kind", FOUND)
def test_a_waiting_page_that_comes_back_is_loaded_again(
    club_site: Site, open_page: OpenPage, kind: str
) -> None:
    page = {"queue": open_queue, "night": open_night}[kind](club_site, open_page)
    asks = "**/ranked/state/" if kind == "queue" else "**/live/"

    def find(route: Route) -> None:
        route.fulfill(body=FOUND[kind], content_type="text/html")

    # Without content the page stays as it is, with its script at its end. A service worker would
    # get a page of the site instead, which the test would take for the page loaded again.
    page.route(f"**{TABLE}", lambda route: route.fulfill(status=204))
    page.route(asks, find)
    with page.expect_request(f"**{TABLE}"):
        pass
    # Not expect_navigation, which fails with the one that had no content.
    with page.expect_event("framenavigated"):
        page.evaluate(f"setTimeout(() => {BACK_FROM_CACHE})")  # which ends the page
    assert "?" not in page.url  # with which the server sends a player on to the table
