"""Rated puzzles in a browser: a new visitor solves some, counts a hand, and plays a storm."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import faults, overflow, resize
from tests.support.servers import Site, manage
from tests.support.waiting import wait_for

STOP_CLOCK = "for (let id = setTimeout(() => {}); id > 0; id -= 1) clearTimeout(id);"
"""Keeps a page with a clock from being loaded anew when its time is up."""

END_STORMS = """
from games.learn import storm
from games.models import PuzzleAttempt, RatedPuzzle, Storm
rows = PuzzleAttempt.objects.filter(storm__isnull=False, answered_at__isnull=False)
rows.update(solved=False)
last = rows.latest("pk")
wide = RatedPuzzle.objects.filter(attempts=last)
wide.update(kind="throw", position="d 45-60 TCTDTHTS9C9D")
rows.filter(pk=last.pk).update(answer="TCTD")
for each in Storm.objects.all():
    each.started_at -= storm.LIMIT
    each.save()
"""
"""Ends all storms, with only wrong answers, one of them to the widest cards."""


@pytest.fixture(scope="module")
def site(live_site: Site) -> Site:
    """Return a site whose puzzles are loaded."""
    manage(live_site.database_url, "load_puzzles")
    return live_site


def test_a_new_visitor_solves_a_puzzle_and_sees_both_ratings(
    site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{site.url}/puzzles/")
    found = faults(page)
    page.get_by_role("button", name="Solve a puzzle").click()
    expect(page.locator(".pick-form")).to_be_visible()
    found += faults(page)
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.locator(".pick-form button[type=submit]:not([disabled])").wait_for()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("olved"))).to_be_visible()
    expect(page.get_by_text(re.compile("puzzle rated"))).to_be_visible()
    found += faults(page)
    assert not found, "\n".join(found)
    resize(page, 320, 640)
    assert overflow(page) == 0, "the table of choices fits whatever its cards are"


def test_a_hand_is_counted_before_the_clock_which_starts_by_itself(
    site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{site.url}/puzzles/")
    page.get_by_role("button", name="Count against the clock").click()
    left = page.locator("[data-left]")
    first = int(left.inner_text())
    wait_for(lambda: int(left.inner_text()) < first)
    expect(page.get_by_label(re.compile("What does this"))).to_be_focused()
    page.evaluate(STOP_CLOCK)  # however long the checks take
    found = faults(page)
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("It scores"))).to_be_visible()
    assert not (found + faults(page))


def test_a_storm_counts_answers_without_scripts(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/puzzles/storm/", java_script_enabled=False)
    page.get_by_role("button", name="Start the clock").click()
    for number in (1, 2):
        answer(page)
        expect(page.locator(".storm-marks li")).to_have_count(number)


def test_what_a_storm_missed_fits_phones_and_is_accessible(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/puzzles/storm/")
    page.get_by_role("button", name="Start the clock").click()
    for number in range(1, 4):
        answer(page)
        expect(page.locator(".storm-marks li")).to_have_count(number)
    page.goto("about:blank")  # a page with a clock asks for the next when its time is up
    manage(site.database_url, "shell", "-v", "0", "-c", END_STORMS)
    page.goto(f"{site.url}/puzzles/storm/")
    expect(page.get_by_role("heading", name="What you missed")).to_be_visible()
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(3)
    found = faults(page)
    for width in (390, 320):
        resize(page, width, 640)
        assert overflow(page) == 0
        assert page.locator(".scroll").evaluate("box => box.scrollWidth <= box.clientWidth")
    found += faults(page)
    rows.last.get_by_role("link").click()
    found += faults(page)
    assert not found, "\n".join(found)
    page.get_by_role("link", name="Back to the storm").click()
    expect(rows).to_have_count(3)


def answer(page: Page) -> None:
    """Answer the puzzle that a storm asks, right or wrong."""
    page.locator(".pick-form button").wait_for()
    counted = page.locator("#count-points")
    if counted.count():
        counted.fill("12")
    else:
        cards = page.locator(".pick input:not([disabled])")
        for at in range(2 if cards.first.get_attribute("type") == "checkbox" else 1):
            cards.nth(at).check()
    page.locator(".pick-form button").click()
