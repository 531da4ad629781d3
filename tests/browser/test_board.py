"""The analysis board in a browser: by tap, by key, without scripts, and from a replay."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import faults, resize
from tests.support.played import play_elsewhere
from tests.support.seat import log_in
from tests.support.servers import Site
from tests.support.tables import make_tables, wish
from tests.support.waiting import wait_for

THROW = "/analysis/?cards=4H+5H+6S+JC+9D+KS&dealer=1&own=45&other=52"
PLAY = "/analysis/?cards=3C+7H+8H+8S&dealer=1&own=62&other=58&starter=QD&plays=8H+7D"
REQUESTS = 6
"""One request, and five more after longer and longer pauses if all fail."""
PHONE = {"width": 360, "height": 640}


def pick(page: Page, *names: str) -> None:
    """Tap cards of the pack."""
    for name in names:
        page.get_by_role("group", name="The pack").get_by_role("button", name=name).click()


def row(page: Page, name: str) -> None:
    """Choose the row that tapped cards go to."""
    page.get_by_role("group", name="Where cards go").get_by_role("button", name=name).click()


def test_a_newcomer_sets_up_a_hand_and_follows_it_into_the_play(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/analysis/", viewport=PHONE)
    pick(page, "four of hearts", "five of hearts", "six of spades", "jack of clubs")
    status = page.locator("[data-status]")
    expect(status).to_have_text("Pick 2 more cards.")
    pick(page, "nine of diamonds", "king of spades")
    best = page.locator(".analysis-best")
    expect(best.locator(".analysis-why")).not_to_be_empty()
    expect(page).to_have_url(re.compile(r"cards=4H\+5H\+6S\+JC\+9D\+KS"))
    best.get_by_role("link", name="Throw them").click()
    expect(status).to_contain_text("Add the starter.")
    pick(page, "queen of diamonds")
    expect(status).to_have_text("Your opponent is next, at 0. Add their card.")
    pick(page, "nine of spades")
    expect(page.locator("[data-result] h2")).to_have_text("Which card do you play?")


def test_a_failed_request_is_explained_and_repeated_less_and_less_often(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/analysis/", viewport=PHONE)
    page.clock.install()
    asked: list[str] = []

    def lose(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    page.route("**/analysis/?*", lose)
    pick(page, "four of hearts")
    page.clock.run_for(1000)
    status, again = page.locator("[data-status]"), page.get_by_role("button", name="Try again")
    expect(status).to_contain_text("The server can't be reached.")

    def all_asked() -> bool:
        page.clock.run_for(5000)
        return len(asked) >= REQUESTS

    wait_for(all_asked, message=lambda: f"{len(asked)} requests instead of {REQUESTS}")
    page.clock.run_for(1_000_000)
    assert len(asked) == REQUESTS
    page.unroute("**/analysis/?*")
    again.click()
    expect(status).to_have_text("Pick 5 more cards.")
    expect(again).to_be_hidden()


def test_the_list_of_levels_shows_their_ratings_on_a_phone(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(live_site.url + THROW, viewport={"width": 390, "height": 640})
    levels = page.get_by_label("Play on against")
    shown = levels.evaluate("list => list.offsetWidth")
    resize(page, PHONE["width"], PHONE["height"])
    least = levels.evaluate("list => list.offsetWidth")
    needed = levels.evaluate("list => (list.style.inlineSize = 'max-content', list.offsetWidth)")
    assert needed <= least < shown


def test_cards_are_typed_on_the_pack_and_an_impossible_one_is_explained(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(live_site.url + PLAY)
    expect(page.locator(".analysis-choice")).to_have_count(3)
    row(page, "Played so far")
    page.locator("[data-pack] [data-card='AS']").focus()
    for key in "8S":
        page.keyboard.press(key)
    expect(page.locator("[data-status]")).to_contain_text("is next, at 23. Add a card or “go”")
    page.get_by_role("button", name="They say go").click()
    expect(page.locator("[data-result] h2")).to_have_text("Which card do you play?")
    page.locator("[data-pack] [data-card='AS']").focus()
    for key in "KS":
        page.keyboard.press(key)
    expect(page.locator("[data-status]")).to_contain_text("but you don't hold")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("[data-result] h2")).to_have_text("Which card do you play?")


def test_a_typed_text_that_cannot_be_read_is_kept(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/analysis/")
    page.get_by_text("Type the cards").click()
    seen, hand = page.locator("[name='seen']"), page.locator("[name='cards']")
    seen.fill("9C, ten of clubs")
    pick(page, "four of hearts")
    expect(hand).to_have_value("4H")
    expect(seen).to_have_value("9C, ten of clubs")
    hand.fill("4H 5x")
    expect(page.locator("[data-status]")).to_contain_text("“5x” isn't a card")
    pick(page, "six of spades")
    expect(hand).to_have_value("4H 5x")
    expect(page.locator("[data-status]")).to_have_text("Correct the typed cards of this row first.")
    hand.fill("4H 5H")
    pick(page, "six of spades")
    expect(hand).to_have_value("4H 5H 6S")


def test_a_position_is_played_on_against_a_computer(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(live_site.url + PLAY)
    page.get_by_label("Play on against").select_option("poppy")
    page.get_by_role("button", name="Play on").click()
    expect(page).to_have_url(re.compile("/t/"))
    expect(page.locator("#table")).to_contain_text("62")
    expect(page.locator("#table")).to_contain_text("58")


def test_the_board_works_without_scripts(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/analysis/", java_script_enabled=False)
    page.get_by_label("Your hand").fill("4h 5h 6s jc 9d ks")
    page.get_by_role("button", name="Analyse").click()
    answer = page.locator(".analysis-wait, .analysis-best").first
    answer.wait_for()

    def analysed() -> bool:
        if page.locator(".analysis-wait").count():
            page.get_by_role("link", name="Refresh").click()
            answer.wait_for()
        return page.locator(".analysis-wait").count() == 0

    wait_for(analysed, pause=0.3)
    expect(page.locator(".analysis-best .analysis-why")).not_to_be_empty()


def test_on_a_phone_a_linked_position_begins_with_its_analysis(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(live_site.url + THROW, viewport={"width": 360, "height": 640})
    best = page.locator(".analysis-choice").first
    expect(best).to_be_in_viewport()
    page.goto(f"{live_site.url}/analysis/")
    page.goto(live_site.url + THROW)  # its answer is known now, and comes with the page
    expect(best).to_be_in_viewport()


def test_a_replay_opens_the_board_at_its_step(live_site: Site, open_page: OpenPage) -> None:
    (table,) = make_tables(live_site.database_url, wish(computers=(1,), target=61))
    play_elsewhere(live_site.database_url, table.match)
    page = open_page("about:blank")
    log_in(page.context, live_site, table.cookies[0])
    page.goto(f"{live_site.url}/matches/{table.match}/1.1/")
    page.get_by_role("button", name="Forward").click()
    expect(page.locator("#replay")).to_have_attribute("data-shown", "3.0")
    with page.expect_request("**/analysis/3/?seat=0"):
        page.get_by_role("link", name="Analyse").click()
    expect(page).to_have_url(re.compile(r"/analysis/\?cards="))
    expect(page.locator("[data-result] h2")).to_have_text(re.compile("^Which"))


def test_the_board_fits_and_is_accessible_at_every_size(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page("about:blank")
    found = []
    for address in ("/analysis/", THROW, PLAY, THROW.replace("analysis/", "analysis/embed/")):
        page.goto(live_site.url + address)
        if "?" in address and "embed" not in address:
            page.locator(".analysis-choice").first.wait_for()
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        found += faults(page)
    assert found == []
