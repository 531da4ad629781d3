"""Replays in a real browser: stepping, playing on from a position, importing games."""

import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import complaints, complaints_at_another_size, overflow, resize
from tests.support.played import play_elsewhere
from tests.support.seat import Seat, log_in
from tests.support.servers import Site
from tests.support.tables import Table, make_tables, wish

Visit = Callable[..., Page]

PHONES = ((320, 568), (360, 640), (390, 844), (412, 915))
"""The windows of phones, smallest first."""

SMALLEST = {"width": 320, "height": 568}


@pytest.fixture(scope="module")
def played(live_site: Site) -> Table:
    """Return a finished match to 61 of a guest against the computer."""
    (table,) = make_tables(live_site.database_url, wish(computers=(1,), first_dealer=1, target=61))
    play_elsewhere(live_site.database_url, table.match)
    return table


@pytest.fixture(scope="module")
def played_by_three(live_site: Site) -> Table:
    """Return the same with three players."""
    three = wish(players=3, computers=(1, 2), first_dealer=1, target=61)
    (table,) = make_tables(live_site.database_url, three)
    play_elsewhere(live_site.database_url, table.match)
    return table


@pytest.fixture
def visit(live_site: Site, played: Table, open_page: OpenPage) -> Visit:
    """Give a function that opens an address as the guest who played the match, or another."""

    def visit_(path: str, *, of: Table = played, **options: object) -> Page:
        page = open_page("about:blank", reduced_motion="reduce", **options)
        log_in(page.context, live_site, of.cookies[0])
        page.goto(live_site.url + path)
        return page

    return visit_


def at(page: Page, step: str) -> None:
    """Wait until the replay shows a step, given as "12.0"."""
    expect(page.locator(f'#replay[data-shown="{step}"]')).to_be_attached()


def test_on_a_phone_the_help_explains_the_buttons_and_shows_no_keys(
    visit: Visit, played: Table
) -> None:
    phone = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}
    page = visit(f"/matches/{played.match}/1.1/", **phone)
    page.get_by_role("button", name="Help").click()
    help_ = page.get_by_role("dialog", name="Help")
    expect(help_).to_contain_text("one step forward")
    expect(help_.get_by_role("heading", name="Keyboard shortcuts")).to_be_hidden()


def test_arrow_keys_step_and_update_the_address(visit: Visit, played: Table) -> None:
    page = visit(f"/matches/{played.match}/")
    page.get_by_role("link", name="Replay", exact=True).click()
    at(page, "1.0")
    expect(page.locator(".hand-card")).to_have_count(6)
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    at(page, "5.0")
    expect(page.locator(".pile .card")).to_have_count(1)
    expect(page).to_have_url(re.compile(rf"/matches/{played.match}/1\.1/5/$"))
    page.keyboard.press("ArrowLeft")
    at(page, "4.0")
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile(r"/1\.2/\d+/$"))
    page.keyboard.press("End")
    expect(page.locator("[data-result=match]")).to_be_visible()
    page.keyboard.press("Home")
    at(page, "1.0")


def test_a_shared_address_opens_the_same_step_and_view(visit: Visit, played: Table) -> None:
    first = visit(f"/matches/{played.match}/1.1/6/")
    at(first, "6.0")
    first.get_by_label("View from").select_option("1")
    first.get_by_label("Show all hands").check()
    expect(first.locator(".turned-up .card")).not_to_have_count(0)
    expect(first).to_have_url(re.compile(r"/1\.1/6/\?side=1&open=1$"))
    shown = first.locator(".felt").inner_text()
    again = visit(first.url.removeprefix(first.url.split("/matches/")[0]))
    at(again, "6.0")
    assert again.locator(".felt").inner_text() == shown
    expect(again.get_by_label("Show all hands")).to_be_checked()


def test_slider_and_buttons_step_and_dispatch_events(visit: Visit, played: Table) -> None:
    page = visit(f"/matches/{played.match}/1.1/2/")
    at(page, "2.0")
    page.evaluate(
        "document.addEventListener('replay:step', (event) => { globalThis.told = event.detail; })"
    )
    page.get_by_role("button", name="Forward", exact=True).click()
    at(page, "3.0")
    page.get_by_role("slider").fill("5")
    at(page, "6.0")
    told = page.evaluate("told")
    assert (told["match"], told["game"], told["hand"], told["step"]) == (played.match, 1, 1, 6)
    page.evaluate("document.dispatchEvent(new CustomEvent('replay:goto', {detail: {step: 4}}))")
    at(page, "4.0")
    assert page.evaluate("told.step") == 4


def test_the_replay_fits_the_screen_and_is_accessible(visit: Visit, played: Table) -> None:
    desktop, phone = {"width": 1280, "height": 800}, (360, 640)
    page = visit(f"/matches/{played.match}/1.2/?open=1", viewport=desktop)
    expect(page.locator(".hand-card")).to_have_count(6)
    assert overflow(page) <= 0
    assert complaints(page) == []
    resize(page, *phone)
    assert overflow(page) <= 0
    assert complaints_at_another_size(page) == []


UNDER_THE_HAND = """felt => {
  const hand = felt.querySelector('.hand-card')?.getBoundingClientRect();
  return hand ? [...felt.querySelectorAll('.pile .card:not(.outline)')]
    .map(card => card.getBoundingClientRect().bottom - hand.top)
    .filter(covered => covered > 0) : [];
}"""
"""Returns by how many pixels the hand covers each card played, where it does."""

OUTSIDE = """cards => cards.filter(card => {
  const { left, right } = card.getBoundingClientRect();
  return left < 0 || right > innerWidth;
}).length"""


@pytest.mark.parametrize("players", [2, 3])
def test_on_a_phone_cards_played_the_controls_and_what_happened_are_seen(
    visit: Visit, played: Table, played_by_three: Table, players: int
) -> None:
    table = played if players == 2 else played_by_three
    page = visit(f"/matches/{table.match}/1.1/?open=1", of=table, viewport=SMALLEST)
    expect(page.locator("#review-panel *").first).to_be_attached()
    for width, height in PHONES:
        resize(page, width, height)
        page.keyboard.press("Home")
        at(page, "1.0")
        assert page.locator(".turned-up .card").evaluate_all(OUTSIDE) == 0
        for step in range(2, 9):
            page.keyboard.press("ArrowRight")
            at(page, f"{step}.0")
            assert page.locator(".felt").evaluate(UNDER_THE_HAND) == []
            said = page.locator(".replay-now")
            assert said.evaluate("at => at.scrollWidth <= at.clientWidth")
            assert said.evaluate("at => at.scrollHeight <= at.clientHeight")
        assert page.locator(".pile .card:not(.outline)").count() > 0
        play = page.locator(".replay-main").bounding_box()
        assert play and play["y"] + play["height"] <= height


WALK = """async () => {
  const slider = document.querySelector('.replay-slider'), found = [];
  const look = LOOK;
  for (let at = 0; at <= Number(slider.max); at += 1) {
    slider.value = String(at);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
    found.push(...look());
  }
  return found;
}"""
"""Goes through all positions of a game, and returns what LOOK finds."""

COUNTS_CUT = """() => {
  if (!document.querySelector('.show')) return [];
  const line = document.querySelector('.replay-now');
  const text = line.querySelector('span').firstChild;
  const total = text.data.match(/\\d+ points?\\./);
  const range = document.createRange();
  range.setStart(text, total.index);
  range.setEnd(text, total.index + total[0].length);
  const below = range.getBoundingClientRect().bottom - line.getBoundingClientRect().bottom;
  return below > 1 ? [text.data] : [];
}"""
"""Returns a count whose total is cut off."""

REASONS_OUTSIDE = """() => [...document.querySelectorAll('.bubble')].filter(at => {
  const { left, right } = at.getBoundingClientRect();
  return left < 0 || right > innerWidth;
}).map(at => at.innerText)"""


def test_on_a_phone_each_count_is_shown_with_its_total(visit: Visit, played: Table) -> None:
    page = visit(f"/matches/{played.match}/1.1/?open=1", viewport=SMALLEST)
    at(page, "1.0")
    for size in PHONES[:2]:
        resize(page, *size)
        assert page.evaluate(WALK.replace("LOOK", COUNTS_CUT)) == []


def test_on_the_smallest_phone_the_reasons_of_three_players_stay_on_the_screen(
    visit: Visit, played_by_three: Table
) -> None:
    match = played_by_three.match
    page = visit(
        f"/matches/{match}/1.1/?open=1",
        of=played_by_three,
        viewport=SMALLEST,
    )
    at(page, "1.0")
    assert page.evaluate(WALK.replace("LOOK", REASONS_OUTSIDE)) == []


def test_on_a_phone_the_buttons_stay_where_they_are(visit: Visit, played: Table) -> None:
    page = visit(f"/matches/{played.match}/1.1/?open=1", viewport=SMALLEST)
    expect(page.locator("#review-panel *").first).to_be_attached()
    for size in (PHONES[0], (844, 390)):
        resize(page, *size)
        page.keyboard.press("Home")
        at(page, "1.0")
        tops = []
        for _ in range(14):  # with the counts of the show
            shown = page.locator("#replay").get_attribute("data-shown") or ""
            page.keyboard.press("ArrowRight")
            expect(page.locator("#replay")).not_to_have_attribute("data-shown", shown)
            main = page.locator(".replay-main")
            tops.append(main.evaluate("at => at.getBoundingClientRect().top"))
            assert page.locator(".felt").evaluate(UNDER_THE_HAND) == []
        assert max(tops) - min(tops) <= 2


def test_before_a_decision_the_review_says_that_it_comes_next(visit: Visit, played: Table) -> None:
    page = visit(f"/matches/{played.match}/review/")
    expect(page.locator('[data-review][data-status="done"]')).to_be_visible()
    page.get_by_role("link", name="Show at the table").first.click()
    panel = page.locator("#review-panel")
    expect(panel).to_contain_text("A decision comes next. Step on to see the verdict.")
    page.keyboard.press("ArrowRight")
    expect(panel.locator(".beside-decision")).to_be_visible()


def test_a_review_that_does_not_load_says_so_and_can_be_asked_for_again(
    visit: Visit, played: Table
) -> None:
    page = visit("/")
    page.route("**/review.json", lambda route: route.fulfill(status=503))
    page.clock.install()  # so that it is only asked for by the button
    page.goto(page.url + f"matches/{played.match}/1.1/4/")
    panel = page.locator("#review-panel")
    expect(panel).to_contain_text("The review didn't load.")
    again = panel.get_by_role("button", name="Try again")
    with page.expect_response("**/review.json"):
        again.click()
    expect(again).to_be_focused()
    assert complaints(page) == []
    page.unroute("**/review.json")
    again.click()
    expect(panel.get_by_role("link", name="Full review")).to_be_visible()
    expect(panel).not_to_contain_text("didn't load")


def test_a_review_keeps_its_progress_while_the_connection_is_lost(
    visit: Visit, played: Table
) -> None:
    page = visit("/")
    lost = threading.Event()

    def answer(route: Route) -> None:
        if lost.is_set():
            route.abort()
            return
        found = route.fetch()
        progress = {"status": "working", "done": 3, "total": 20, "items": []}
        route.fulfill(response=found, json={**found.json(), **progress})

    page.route("**/review.json", answer)
    page.goto(page.url + f"matches/{played.match}/1.1/4/")
    panel = page.locator("#review-panel")
    progress = "3 of 20 decisions reviewed"
    expect(panel).to_contain_text(progress)
    lost.set()
    expect(panel.get_by_role("status")).to_have_text("Connection lost. Trying again…")
    expect(panel).to_contain_text(progress)
    assert complaints(page) == []
    lost.clear()
    expect(panel).not_to_contain_text("Connection lost")
    expect(panel).to_contain_text(progress)
    page.unroute("**/review.json")
    expect(panel).not_to_contain_text(progress)
    expect(panel.get_by_role("link", name="Full review")).to_be_visible()


def test_a_review_that_is_tried_again_says_so_and_is_asked_for_until_its_end(
    visit: Visit, played: Table
) -> None:
    page = visit("/")
    states = ["working", "retrying", "retrying"]

    def answer(route: Route) -> None:
        found = route.fetch()
        if not states:
            route.fulfill(response=found)
            return
        progress = {"status": states.pop(0), "done": 3, "total": 20, "items": []}
        route.fulfill(response=found, json={**found.json(), **progress})

    page.route("**/review.json", answer)
    page.goto(page.url + f"matches/{played.match}/1.1/4/")
    panel = page.locator("#review-panel")
    expect(panel).to_contain_text("The review was interrupted. We're trying again.")
    expect(panel).not_to_contain_text("trying again", timeout=15_000)
    expect(panel).not_to_contain_text("decisions reviewed")
    assert not states


def test_a_review_that_may_no_longer_be_seen_disappears(visit: Visit, played: Table) -> None:
    """Its reader has logged out in another tab."""
    page = visit("/")

    def first(route: Route) -> None:
        found = route.fetch()
        progress = {"status": "working", "done": 3, "total": 20, "items": []}
        route.fulfill(response=found, json={**found.json(), **progress})

    page.route("**/review.json", lambda route: route.fulfill(status=404))
    page.route("**/review.json", first, times=1)
    page.goto(page.url + f"matches/{played.match}/1.1/4/")
    panel = page.locator("#review-panel")
    expect(panel).to_contain_text("3 of 20 decisions reviewed")
    expect(panel).to_be_empty()
    page.keyboard.press("ArrowRight")
    expect(page.locator('#replay[data-shown="4.0"]')).not_to_be_attached()
    expect(panel).to_be_empty()


def test_a_match_can_be_played_on_from_any_step(visit: Visit, played: Table) -> None:
    page = visit(f"/matches/{played.match}/1.1/4/")
    at(page, "4.0")
    held = page.locator(".hand-card").evaluate_all("cards => cards.map(card => card.dataset.card)")
    page.get_by_role("button", name="Play on from here").click()
    page.get_by_role("dialog").get_by_role("button", name="Play on").click()
    seat = Seat.at_once(page)
    expect(seat.hand).to_have_count(len(held))
    assert set(
        page.locator(".hand-card").evaluate_all("cards => cards.map(card => card.dataset.card)")
    ) == set(held)
    expect(page.locator('.table-page[data-ask="play"][data-own="true"]')).to_be_attached()
    seat.act()
    expect(page.locator(".hand-card")).to_have_count(3)


def test_an_exported_game_can_be_imported_under_another_name(
    visit: Visit, played: Table, tmp_path: Path
) -> None:
    page = visit(f"/matches/{played.match}/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the game record").click()
    file = tmp_path / "game.jsonl"
    download.value.save_as(file)
    page.goto(page.url.replace(f"/{played.match}/", "/import/"))
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_label("Name in seat 1").fill("Uncle Toby")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator(".match-seats")).to_contain_text("Uncle Toby")
    page.get_by_role("link", name="Print").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Uncle Toby")
