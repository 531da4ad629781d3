"""A match of this week is found from the landing page; the player's own page reads well."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_pages import SIZES, complaints, overflow
from tests.games.played import play_elsewhere
from tests.games.tables import make_tables, wish
from tests.servers import Site, manage


@pytest.fixture
def player(live_site: Site, open_page: OpenPage) -> Page:
    """Return the landing page of somebody who has played a match to its end."""
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    play_elsewhere(live_site.database_url, table.match)
    manage(live_site.database_url, "measure_matches")
    page = open_page(live_site.url)
    cookie = {"name": "sessionid", "value": table.cookies[0], "url": live_site.url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.goto(live_site.url)
    return page


def test_a_match_of_this_week_is_three_clicks_away(player: Page) -> None:
    player.get_by_role("link", name="My matches").click()
    player.get_by_role("link", name="7 days").click()
    expect(player.locator("[data-total=matches]")).to_have_text("1")
    player.locator(".history-row a").click()
    player.wait_for_url(re.compile(r"/matches/\w+/"))
    expect(player.get_by_role("heading", name="won the match").first).to_be_visible()


def test_filters_work_without_a_script_and_say_what_they_do_not_understand(player: Page) -> None:
    player.get_by_role("link", name="My matches").click()
    player.get_by_label("Player", exact=True).fill("nobody like this")
    player.get_by_role("button", name="Search").click()
    expect(player.get_by_text("No match is like this.")).to_be_visible()
    player.get_by_role("link", name="Clear all filters").click()
    player.get_by_text("More filters").click()
    player.get_by_label("Against").select_option("computer")
    player.get_by_role("button", name="Filter").click()
    expect(player.locator(".history-row")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ones_own_page_is_whole_at_every_size(player: Page, scheme: str) -> None:
    player.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    player.get_by_role("link", name="My matches").click()
    player.get_by_role("link", name=re.compile("My page")).click()
    for heading in ("Record", "Averages of a deal", "My luck", "Best hands", "Recent matches"):
        expect(player.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    for width, height in SIZES.values():
        player.set_viewport_size({"width": width, "height": height})
        assert overflow(player) <= 0
    player.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert complaints(player) == []
