"""Review, drills and the daily puzzle in a browser: filled in by itself, and without scripts."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.games.played import play_elsewhere
from tests.games.tables import Table, make_tables, wish
from tests.servers import Site

SIZES = ((1280, 800), (390, 844), (360, 640))
DONE_MS = 120_000
"""How long the first review of a machine may take: its loops are compiled then."""


@pytest.fixture(scope="module")
def played(live_site: Site) -> Table:
    """Return a match of a guest against the computer, played to its end."""
    (table,) = make_tables(live_site.database_url, wish(computers=(1,), target=61))
    play_elsewhere(live_site.database_url, table.match)
    return table


def as_player(open_page: OpenPage, site: Site, table: Table, path: str, **options: object) -> Page:
    """Open a page as the first person of a table."""
    page = open_page(f"{site.url}/rules/", **options)
    page.context.add_cookies([{"name": "sessionid", "value": table.cookies[0], "url": site.url}])
    page.goto(site.url + path)
    return page


def complaints(page: Page) -> list[str]:
    """Return what axe finds serious on a page, and what does not fit at any size."""
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if over > 0:
            found.append(f"{page.url} at {width}: {over} px sideways")
        found += [
            f"{page.url} at {width}: {one['id']} {[node['target'] for node in one['nodes']]}"
            for one in Axe().run(page).response["violations"]
            if one["impact"] in {"serious", "critical"}
        ]
    return found


def test_a_review_fills_in_and_leads_to_the_step_where_the_game_was_lost(
    live_site: Site, open_page: OpenPage, played: Table
) -> None:
    page = as_player(open_page, live_site, played, f"/matches/{played.match}/")
    page.get_by_role("link", name="Review", exact=True).click()
    expect(page.locator('[data-review][data-status="done"]')).to_be_visible(timeout=DONE_MS)
    expect(page.get_by_role("heading", name="Skill and luck")).to_be_visible()
    decision = page.locator(".decision").first
    decision.locator("summary").click()
    expect(decision.locator(".choice-table")).to_be_visible()
    page.get_by_role("link", name=re.compile("Mistakes and blunders alone")).click()
    wrong = page.locator(".decision").first
    verdict = wrong.locator(".verdict").inner_text()
    wrong.get_by_role("link", name=re.compile("^Show")).click()
    panel = page.locator("#review-panel")
    panel.get_by_role("button", name="Next mistake").click()
    expect(panel.locator(".beside-decision .verdict")).to_have_text(verdict)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_review_drills_and_puzzle_are_whole_and_readable_at_every_size(
    live_site: Site, open_page: OpenPage, played: Table, scheme: str
) -> None:
    address = f"/matches/{played.match}/review/?seat=all"
    page = as_player(open_page, live_site, played, address, color_scheme=scheme)
    expect(page.locator('[data-review][data-status="done"]')).to_be_visible(timeout=DONE_MS)
    page.locator(".decision summary").first.click()
    found = complaints(page)
    for path in ("/drills/", "/puzzle/"):
        page.goto(live_site.url + path)
        found += complaints(page)
    assert not found, "\n".join(found)


def test_the_puzzle_is_answered_by_keys_and_tells_what_others_threw(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/puzzle/")
    button = page.get_by_role("button", name="Throw")
    expect(button).to_be_disabled()
    for key in ("1", "2", "3"):
        page.keyboard.press(key)
    chosen = page.locator(".pick input:checked")
    expect(chosen).to_have_count(2)
    expect(page.locator(".pick input").first).not_to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("You threw"))).to_be_visible()
    expect(page.locator(".puzzle-throws tbody tr")).to_have_count(15)


def test_a_mistake_is_asked_again_without_scripts(
    live_site: Site, open_page: OpenPage, played: Table
) -> None:
    page = as_player(open_page, live_site, played, "/drills/", java_script_enabled=False)
    for _ in range(DONE_MS // 500):
        if page.locator(".pick-form").count():
            break
        page.wait_for_timeout(500)  # the match is being reviewed
        page.reload()
    cards = page.locator(".pick input:not([disabled])")
    for at in range(2 if cards.first.get_attribute("type") == "checkbox" else 1):
        cards.nth(at).check(force=True)
    page.locator(".pick-form button").click()
    expect(page.locator(".drill-answer .verdict").first).to_be_visible()
    expect(page.get_by_role("link", name="Next", exact=True)).to_be_visible()
