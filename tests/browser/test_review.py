"""Review, drills and the daily puzzle in a browser, with and without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_table_return import DRAWN
from tests.support.accessible import faults, overflow
from tests.support.played import play_elsewhere
from tests.support.seat import heed_until, log_in
from tests.support.servers import Site
from tests.support.tables import Table, make_tables, wish
from tests.support.waiting import wait_for

SCROLLED = """() => [...document.querySelectorAll(".scroll")]
    .filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => box.getAttribute("aria-labelledby"))"""
"""The boxes that have to be scrolled sideways."""


@pytest.fixture(scope="module")
def played(live_site: Site) -> Table:
    """Return a finished match of a guest against the computer."""
    (table,) = make_tables(live_site.database_url, wish(computers=(1,), target=61))
    play_elsewhere(live_site.database_url, table.match)
    return table


def as_player(open_page: OpenPage, site: Site, table: Table, path: str, **options: object) -> Page:
    """Open a page as the first person of a table."""
    page = open_page("about:blank", **options)
    log_in(page.context, site, table.cookies[0])
    page.goto(site.url + path)
    return page


def test_a_review_completes_by_itself_and_links_to_each_mistake(
    live_site: Site, open_page: OpenPage, played: Table
) -> None:
    page = as_player(open_page, live_site, played, f"/matches/{played.match}/")
    page.get_by_role("link", name="Review", exact=True).click()
    expect(page.locator('[data-review][data-status="done"]')).to_be_visible()
    expect(page.get_by_role("heading", name="Skill and luck")).to_be_visible()
    decision = page.locator(".decision").first
    decision.locator("summary").click()
    expect(decision.locator(".choice-table")).to_be_visible()
    page.get_by_role("link", name=re.compile("Mistakes and blunders only")).click()
    page.wait_for_load_state()
    wrong = page.locator(".decision").first
    verdict = wrong.locator(".verdict").inner_text()
    loss = wrong.locator(".decision-lost").inner_text()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/replay.json", hold)
    with page.expect_response("**/review.json"):
        wrong.get_by_role("link", name=re.compile("^Show")).click()
    panel = page.locator("#review-panel")
    page.evaluate(DRAWN)
    expect(panel.get_by_role("button"), "no replay could go to another step").to_have_count(0)
    heed_until(page, lambda: held)
    held[0].continue_()
    panel.get_by_role("button", name="Next mistake").click()
    expect(panel.locator(".beside-decision .verdict")).to_have_text(verdict)
    expect(panel.locator(".beside-decision .decision-lost")).to_have_text(loss)


def test_a_review_is_shown_although_its_last_request_failed(
    live_site: Site, open_page: OpenPage
) -> None:
    """As while the site restarts: the page asks again, and does not stay as it was."""
    (table,) = make_tables(live_site.database_url, wish(computers=(1,), target=61))
    play_elsewhere(live_site.database_url, table.match)
    page = as_player(open_page, live_site, table, "/rules/")
    ended: list[str] = []
    failed: list[str] = []

    def follow(route: Route) -> None:
        answer = route.fetch()
        if answer.json()["status"] == "done":
            ended.append(route.request.url)
        route.fulfill(response=answer)

    def fail_once(route: Route) -> None:
        if failed:
            route.continue_()
        elif ended and route.request.resource_type != "document":
            failed.append(route.request.url)
            route.fulfill(status=503, body="<h1>One moment</h1>")
        else:  # as a moment before the end, also if the review has ended since its state was told
            answer = route.fetch()
            text = answer.text().replace('data-status="done"', 'data-status="working"')
            route.fulfill(response=answer, body=text)

    page.route("**/review/state/", follow)
    page.route(f"**/matches/{table.match}/review/", fail_once)
    page.goto(f"{live_site.url}/matches/{table.match}/review/")
    expect(page.locator('[data-review][data-status="done"]')).to_be_visible()
    assert failed
    # In the reader's time zone and language, as before.
    expect(page.locator(".match-when time")).to_have_attribute("data-local", "")


def test_a_review_that_is_tried_again_is_shown_at_its_end(
    live_site: Site, open_page: OpenPage, played: Table
) -> None:
    page = as_player(open_page, live_site, played, f"/matches/{played.match}/review/")
    expect(page.locator('[data-review][data-status="done"]')).to_be_visible()
    asked: list[str] = []

    def retrying(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 2:
            route.continue_()
        else:
            route.fulfill(json={"status": "retrying", "done": 0, "total": 0})

    def not_yet(route: Route) -> None:
        answer = route.fetch()
        status = "done" if len(asked) > 2 else "retrying"
        text = answer.text().replace('data-status="done"', f'data-status="{status}"')
        route.fulfill(response=answer, body=text)

    page.route("**/review/state/", retrying)
    page.route(f"**/matches/{played.match}/review/", not_yet)
    page.reload()
    expect(page.locator('[data-review][data-status="retrying"]')).to_be_visible()
    expect(page.locator('[data-review][data-status="done"]')).to_be_visible(timeout=15_000)
    assert len(asked) == 3


def test_a_review_that_goes_on_leaves_the_reader_where_they_are(
    live_site: Site, open_page: OpenPage, played: Table
) -> None:
    page = as_player(open_page, live_site, played, "/rules/")
    address = f"{live_site.url}/matches/{played.match}/review/"
    page.goto(address)
    expect(page.locator('[data-review][data-status="done"]')).to_be_visible()

    def working(route: Route) -> None:
        answer = route.fetch()
        text = answer.text().replace('data-status="done"', 'data-status="working"')
        route.fulfill(response=answer, body=text)

    further = {"status": "working", "done": 10_000, "total": 10_000}
    page.route("**/review/state/", lambda route: route.fulfill(json=further))
    page.route(address, working)
    page.goto(address)

    def shown_again() -> None:
        for _ in range(2):
            with page.expect_response(address):
                pass

    how = page.locator(".review-how > summary")
    decision = page.locator(".decision summary").first
    for summary in (how, decision):
        summary.press("Enter")
        shown_again()
        expect(summary).to_be_focused()
    for details in (page.locator(".review-how"), page.locator(".decision details").first):
        expect(details).to_have_attribute("open", "")
    everyone = page.get_by_role("link", name="All", exact=True)
    everyone.focus()
    shown_again()
    expect(everyone).to_be_focused()
    page.locator("main").focus()
    shown_again()
    expect(page.locator("main")).to_be_focused()


def test_review_drills_and_puzzle_fit_and_are_accessible_at_every_size(
    live_site: Site, open_page: OpenPage, played: Table
) -> None:
    address = f"/matches/{played.match}/review/?seat=all"
    page = as_player(open_page, live_site, played, address)
    expect(page.locator('[data-review][data-status="done"]')).to_be_visible()
    page.locator(".decision summary").first.click()
    found = faults(page)
    for path in ("/drills/", "/puzzle/"):
        page.goto(live_site.url + path)
        found += faults(page)
    assert not found, "\n".join(found)


def test_no_table_of_a_review_has_to_be_scrolled_on_the_narrowest_phone(
    live_site: Site, open_page: OpenPage, played: Table
) -> None:
    address = f"/matches/{played.match}/review/?seat=all"
    narrow = {"width": 320, "height": 640}
    page = as_player(open_page, live_site, played, address, viewport=narrow)
    for language in ("en", "de", "fr", "es"):
        page.context.add_cookies([{"name": "language", "value": language, "url": live_site.url}])
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator('[data-review][data-status="done"]')).to_be_visible()
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert overflow(page) <= 0, language
        assert not page.evaluate(SCROLLED), language


def test_the_puzzle_is_answered_by_keys_and_ranks_every_throw(
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


def test_a_mistake_becomes_a_drill_without_scripts(
    live_site: Site, open_page: OpenPage, played: Table
) -> None:
    page = as_player(open_page, live_site, played, "/drills/", java_script_enabled=False)

    def asked() -> bool:
        page.reload()
        return page.locator(".pick-form").count() > 0

    wait_for(asked, pause=0.5)  # the match is being reviewed
    cards = page.locator(".pick input:not([disabled])")
    for at in range(2 if cards.first.get_attribute("type") == "checkbox" else 1):
        cards.nth(at).check()
    page.locator(".pick-form button").click()
    expect(page.locator(".drill-answer .verdict").first).to_be_visible()
    expect(page.get_by_role("link", name="Next", exact=True)).to_be_visible()
