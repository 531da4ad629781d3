"""Finding a match of last week from the landing page, and the player's own page."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import SIZES, complaints, overflow, resize
from tests.support.played import play_elsewhere
from tests.support.seat import log_in
from tests.support.servers import Site, manage
from tests.support.tables import make_tables, wish


@pytest.fixture
def player(live_site: Site, open_page: OpenPage) -> Page:
    """Return the landing page as seen by a guest who has finished a match."""
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    play_elsewhere(live_site.database_url, table.match, days_ago=5)
    manage(live_site.database_url, "measure_matches")
    page = open_page(live_site.url)
    log_in(page.context, live_site, table.cookies[0])
    page.goto(live_site.url)
    return page


def open_own_matches(page: Page) -> None:
    """Open the player's matches from their own menu."""
    page.locator(".who").click()
    page.get_by_role("link", name="My matches").click()


def test_a_match_of_last_week_can_be_found_reviewed_printed_and_exported(
    player: Page, tmp_path: Path
) -> None:
    """Starting from the landing page: find, step through, review, print, export and re-import."""
    open_own_matches(player)
    player.get_by_role("link", name="7 days").click()
    expect(player.locator("[data-total=matches]")).to_have_text("1")
    player.locator(".history-row a").click()
    player.wait_for_url(re.compile(r"/matches/\w+/"))
    match = player.url
    expect(player.get_by_role("heading", name="won the match").first).to_be_visible()

    player.get_by_role("link", name="Replay", exact=True).click()
    expect(player.locator("#replay[data-shown]")).to_be_attached()
    player.keyboard.press("ArrowRight")
    player.keyboard.press("ArrowRight")
    player.wait_for_url(re.compile(r"/1\.1/\d+/"))

    player.goto(match)
    player.get_by_role("link", name="Review", exact=True).click()
    expect(player.locator('[data-review][data-status="done"]')).to_be_visible()
    player.get_by_role("link", name=re.compile("Mistakes and blunders only")).click()
    player.locator(".decision").first.get_by_role("link", name=re.compile("^Show")).click()
    expect(player.locator("#review-panel .beside-decision .verdict")).to_be_visible()

    player.goto(match)
    player.get_by_role("link", name="Print").click()
    expect(player.get_by_role("heading", level=1)).to_be_visible()
    paper = player.pdf()
    assert paper.startswith(b"%PDF")

    player.goto(match)
    with player.expect_download() as download:
        player.get_by_role("link", name="Download the game record").click()
    file = tmp_path / "game.jsonl"
    download.value.save_as(file)
    open_own_matches(player)
    player.get_by_role("main").get_by_role("link", name="Import a game").click()
    player.get_by_label("File", exact=True).set_input_files(file)
    player.get_by_label("Name in seat 1").fill("Uncle Toby")
    player.get_by_role("button", name="Import", exact=True).click()
    expect(player.locator(".match-seats")).to_contain_text("Uncle Toby")
    player.get_by_role("link", name="Replay", exact=True).click()
    expect(player.locator("#replay[data-shown]")).to_be_attached()


def test_filters_narrow_the_match_list_and_can_be_cleared(player: Page) -> None:
    open_own_matches(player)
    player.get_by_label("Player", exact=True).fill("nobody like this")
    player.get_by_role("button", name="Search").click()
    expect(player.get_by_text("No matches found.")).to_be_visible()
    player.get_by_role("link", name="Clear all filters").click()
    player.get_by_text("More filters").click()
    player.get_by_label("Against").select_option("computer")
    player.get_by_role("button", name="Filter").click()
    expect(player.locator(".history-row")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_players_own_page_fits_every_size(player: Page, scheme: str) -> None:
    player.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_own_matches(player)
    player.get_by_role("link", name=re.compile("My averages")).click()
    for heading in ("Record", "Averages per hand", "My luck", "Best hands", "Recent matches"):
        expect(player.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    for width, height in SIZES.values():
        resize(player, width, height)
        assert overflow(player) <= 0
    player.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert complaints(player) == []


EDGES = "scores => new Set(scores.map(score => score.getBoundingClientRect().right)).size"
"""Counts the edges at which scores end."""

APART = """headings => headings.filter(heading => {
    const peg = heading.querySelector(".peg").getBoundingClientRect();
    const name = document.createRange();
    name.selectNodeContents(heading.querySelector(".peg").nextElementSibling ?? heading);
    return name.getClientRects()[0].top > peg.bottom;
}).length"""
"""Counts the headings of columns in which the name begins below its peg."""

LONG_NAME = """
from games.models import Match
other = Match.objects.get(public_id="{match}").seats.get(seat=1).player
other.name = "W" * 40
other.save()
"""


def test_pages_of_a_match_hold_the_longest_name_of_one_word(
    live_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_tables(live_site.database_url, wish())
    play_elsewhere(live_site.database_url, table.match)
    script = LONG_NAME.format(match=table.match)
    manage(live_site.database_url, "shell", "-v", "0", "-c", script)
    page = open_page("about:blank", viewport={"width": 360, "height": 640})
    log_in(page.context, live_site, table.cookies[0])
    at_match = f"/matches/{table.match}/"
    for address in ("/matches/", at_match, f"{at_match}print/"):
        page.goto(live_site.url + address)
        expect(page.get_by_text("WWWWWW").first).to_be_visible()
        assert overflow(page) <= 0, address
        if address == at_match:
            assert page.locator(".match-seat-score").evaluate_all(EDGES) == 1
    page.goto(f"{live_site.url}{at_match}review/?seat=all")
    expect(page.locator(".decision-who", has_text="WWWWWW").first).to_be_visible()
    assert overflow(page) <= 0
    assert page.locator(".review-rows thead th").evaluate_all(APART) == 0
