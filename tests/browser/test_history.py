"""A match of last week is found from the landing page; the player's own page reads well."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_pages import SIZES, complaints, overflow
from tests.games.played import play_elsewhere
from tests.games.tables import make_tables, wish
from tests.servers import Site, manage

REVIEWED_MS = 120_000
"""For the whole review, on a machine that has never compiled its loops too."""


@pytest.fixture
def player(live_site: Site, open_page: OpenPage) -> Page:
    """Return the landing page of somebody who has played a match to its end."""
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    play_elsewhere(live_site.database_url, table.match, days_ago=5)
    manage(live_site.database_url, "measure_matches")
    page = open_page(live_site.url)
    cookie = {"name": "sessionid", "value": table.cookies[0], "url": live_site.url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.goto(live_site.url)
    return page


def test_a_match_of_last_week_is_found_understood_and_taken_away(
    player: Page, tmp_path: Path
) -> None:
    """From the landing page alone: found, stepped through, reviewed, on paper, out and in."""
    player.get_by_role("link", name="My matches").click()
    player.get_by_role("link", name="7 days").click()
    expect(player.locator("[data-total=matches]")).to_have_text("1")
    player.locator(".history-row a").click()
    player.wait_for_url(re.compile(r"/matches/\w+/"))
    match = player.url
    expect(player.get_by_role("heading", name="won the match").first).to_be_visible()

    player.get_by_role("link", name="Step through", exact=True).click()
    expect(player.locator("#replay[data-shown]")).to_be_attached()
    player.keyboard.press("ArrowRight")
    player.keyboard.press("ArrowRight")
    player.wait_for_url(re.compile(r"/1\.1/\d+/"))

    player.goto(match)
    player.get_by_role("link", name="Review", exact=True).click()
    expect(player.locator('[data-review][data-status="done"]')).to_be_visible(timeout=REVIEWED_MS)
    player.get_by_role("link", name=re.compile("Mistakes and blunders alone")).click()
    player.locator(".decision").first.get_by_role("link", name=re.compile("^Show")).click()
    expect(player.locator("#review-panel .beside-decision .verdict")).to_be_visible()

    player.goto(match)
    player.get_by_role("link", name="For paper").click()
    expect(player.get_by_role("heading", level=1)).to_be_visible()
    paper = player.pdf()
    assert paper.startswith(b"%PDF")

    player.goto(match)
    with player.expect_download() as download:
        player.get_by_role("link", name="Download the game record").click()
    file = tmp_path / "game.jsonl"
    download.value.save_as(file)
    player.get_by_role("link", name="My matches").click()
    player.get_by_role("link", name="Bring a game from elsewhere").click()
    player.get_by_label("Game record").set_input_files(file)
    player.get_by_label("Name of seat 1").fill("Uncle Toby")
    player.get_by_role("button", name="Take it in").click()
    expect(player.locator(".match-seats")).to_contain_text("Uncle Toby")
    player.get_by_role("link", name="Step through", exact=True).click()
    expect(player.locator("#replay[data-shown]")).to_be_attached()


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
