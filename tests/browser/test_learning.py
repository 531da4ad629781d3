"""Courses and insights on a small phone: an exercise, the way to the exam, and the pictures."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import faults, overflow
from tests.support.played import play_elsewhere
from tests.support.seat import log_in
from tests.support.servers import Site, manage
from tests.support.tables import Table, make_tables, wish

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}

MENU = 62
"""The height of the menu at the foot of a phone, in pixels."""

SOLVE_ALL = """
from games.learn.courses.progress import note_answer
from games.learn.courses.throwing import THROWING
from games.models import Player
for player in Player.objects.filter(kind="guest"):
    for each in THROWING.exercises:
        note_answer(player=player, course=THROWING, exercise=each, right=True)
"""

TAKE_EXAM = """
from games.learn.courses.catalogue import course_of
from games.learn.courses.exams import begin_exam
from games.people.accounts import create_guest
from tests.support.played import play_on
from tests.support.sessions import session_of
learner = create_guest()
match = begin_exam(player=learner, course=course_of("throwing")).match.public_id
play_on(match)
print(match, session_of(learner))
"""


@pytest.fixture(scope="module")
def played(live_site: Site) -> Table:
    """Return a finished match of a guest against the computer."""
    (table,) = make_tables(live_site.database_url, wish(computers=(1,), target=61))
    play_elsewhere(live_site.database_url, table.match)
    return table


def throw(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f".pick:has([value='{card}'])").tap()
    page.get_by_role("button", name="Throw").tap()


def test_a_course_leads_from_its_first_exercise_to_an_exam_at_a_table(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/learn/", **PHONE)
    page.get_by_role("link", name=re.compile("Open.*Discarding")).tap()
    expect(page.get_by_role("heading", name="The exam")).to_be_visible()
    found = [overflow(page)]
    page.get_by_role("link", name="Start").tap()
    expect(page.locator(".pick-form")).to_be_visible()
    found.append(overflow(page))
    throw(page, "4C", "4D")
    expect(page.get_by_role("heading", name="Not the best")).to_be_visible()
    expect(page.get_by_text("Three fours score 6.")).to_be_visible()
    found.append(overflow(page))
    page.get_by_role("link", name="Try again").tap()
    throw(page, "8S", "QH")
    expect(page.get_by_role("heading", name="Right")).to_be_visible()
    page.get_by_role("link", name="Next exercise").tap()
    expect(page).to_have_url(re.compile("/learn/throwing/2/$"))
    manage(live_site.database_url, "shell", "-c", SOLVE_ALL)
    page.get_by_role("link", name="All exercises").tap()
    expect(page.get_by_text("30 of 30 solved")).to_be_visible()
    found.append(overflow(page))
    assert max(found) <= 0, found
    assert not faults(page)
    page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]
    page.get_by_role("button", name="Take the exam").tap()
    page.wait_for_url(re.compile(r"/t/\w+/"))
    expect(page.get_by_role("heading", name="Score")).to_be_attached()


def test_the_table_of_an_exam_leads_to_its_result(live_site: Site, open_page: OpenPage) -> None:
    match, session = manage(live_site.database_url, "shell", "-c", TAKE_EXAM).split()[-2:]
    page = open_page("about:blank", **PHONE)
    log_in(page.context, live_site, session)
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"{live_site.url}/t/{match}/")
    expect(page.locator(".recap-cards")).to_be_attached()
    assert overflow(page) <= 0
    page.get_by_role("link", name="See the exam result").tap()
    expect(page).to_have_url(re.compile("/learn/throwing/#exam$"))
    # Without a reload, once the review is done.
    expect(page.locator(".course-exam").get_by_text("your choices cost")).to_be_visible()
    expect(page.get_by_role("link", name="Read the review")).to_be_visible()


def test_an_answer_is_shown_again_by_the_back_button(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/learn/throwing/1/", **PHONE)
    throw(page, "8S", "QH")
    expect(page.get_by_role("heading", name="Right")).to_be_visible()
    page.get_by_role("link", name="Next exercise").tap()
    expect(page).to_have_url(re.compile("/learn/throwing/2/$"))
    page.go_back()
    expect(page.get_by_role("heading", name="Right")).to_be_visible()
    page.locator("footer").get_by_role("button", name="Deutsch").tap()
    expect(page.get_by_role("heading", name="Richtig")).to_be_visible()
    table, panel = (
        page.locator(name).bounding_box() for name in (".choice-table", ".drill-answer")
    )
    assert table and panel
    assert table["x"] + table["width"] <= panel["x"] + panel["width"], "with German headings"


def test_an_answer_given_without_a_connection_waits_for_it(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/learn/throwing/1/", **PHONE)
    page.context.set_offline(True)
    throw(page, "8S", "QH")
    told = page.get_by_role("alert")
    expect(told).to_contain_text("The server can't be reached.")
    shown = told.bounding_box()
    assert shown and shown["y"] + shown["height"] < 640 - MENU, "it is not under the menu"
    expect(page.locator(".pick input:checked")).to_have_count(2)
    assert overflow(page) <= 0
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Throw").tap()
    expect(page.get_by_role("heading", name="Right")).to_be_visible()


@pytest.mark.parametrize("tool", ["count", "discards", "explorer"])
def test_a_tool_without_a_connection_keeps_what_was_typed(
    live_site: Site, open_page: OpenPage, tool: str
) -> None:
    page = open_page(f"{live_site.url}/{tool}/", **PHONE)
    cards = page.locator("form[data-tool] [name=cards]")
    cards.fill("4H 5H 6S JC")
    page.context.set_offline(True)
    cards.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The server can't be reached.")
    expect(cards).to_have_value("4H 5H 6S JC")
    assert overflow(page) <= 0


def test_a_browser_that_denies_a_connection_is_not_believed(
    live_site: Site, open_page: OpenPage
) -> None:
    """As with a site on the computer itself, where no network is needed."""
    page = open_page("about:blank", **PHONE)
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'onLine', { value: false })")
    posts: list[str] = []
    page.on("request", lambda asked: posts.append(asked.url) if asked.method == "POST" else None)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/healthz", hold)
    page.goto(f"{live_site.url}/learn/throwing/1/")
    throw(page, "8S", "QH")
    page.get_by_role("button", name="Throw").tap()
    while not held:
        page.wait_for_timeout(50)
    held.pop().continue_()
    expect(page.get_by_role("heading", name="Right")).to_be_visible()
    assert not held, "one question for two taps"
    page.unroute("**/healthz")
    page.wait_for_load_state()  # with its scripts
    with page.expect_request("**/healthz"):
        page.locator("footer").get_by_role("button", name="Deutsch").tap()
    expect(page.get_by_role("heading", name="Richtig")).to_be_visible()
    assert len(posts) == 2


def test_insights_fit_a_small_phone_with_their_numbers_and_filters(
    live_site: Site, open_page: OpenPage, played: Table
) -> None:
    page = open_page("about:blank", **PHONE)
    log_in(page.context, live_site, played.cookies[0])
    page.goto(f"{live_site.url}/matches/{played.match}/review/")
    expect(page.locator('[data-review][data-status="done"]')).to_be_visible()
    page.goto(f"{live_site.url}/insights/")
    expect(page.locator(".plot-dots").first).to_be_visible()
    # The first chart begins on the first screen, above the menu at its foot.
    row = page.locator("figure .dot-rows li").first
    assert row.evaluate("row => row.getBoundingClientRect().bottom") < 640 - MENU
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert overflow(page) <= 0
    assert not faults(page)
    page.get_by_role("link", name="Throws", exact=True).click()
    expect(page).to_have_url(re.compile(r"\?kind=throw$"))
    expect(page.locator(".plot-dots").first).to_be_visible()
    expect(page.locator(".dot-name", has_text="Leads")).to_have_count(0)
