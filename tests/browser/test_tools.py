"""The hand counter and the discard helper in a browser: by tap, by key, and without scripts."""

import re

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import complaints, faults, overflow
from tests.support.seat import heed_until
from tests.support.servers import Site
from tests.support.waiting import wait_for

ADDRESSES = (
    "/count/",
    "/count/?cards=5H+5C+5S+JD+5D",
    "/count/?cards=5H+5H",
    "/discards/",
    "/discards/?cards=4H+5H+6S+JC+9D+KS&role=pone&own=96&other=110",
    "/discards/?cards=5D+5S+7C+JH+QS&role=dealer",
    "/discards/?cards=4H+5H+6S+JC+9D+KS&own=130&other=x&least=40",
    "/learn/",
    "/learn/count/",
    "/learn/count/4/1/",
)


TOP = "field => field.getBoundingClientRect().top + scrollY"
"""Returns where a field begins on its page, pixels."""


def test_no_field_moves_when_the_pack_is_shown(live_site: Site, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    places: list[dict[tuple[str, int], float]] = []
    for shown in ("[data-picker]:not([hidden])", "[data-picker][hidden]"):
        places.append({})
        for width in (360, 1280):  # a pack is open at first only on a wide page
            page.set_viewport_size({"width": width, "height": 800})
            for address in ("/count/", "/discards/", "/explorer/", ADDRESSES[1]):
                page.goto(live_site.url + address)
                page.locator(shown).wait_for(state="attached")
                place = page.locator("input[name=cards]").evaluate(TOP)
                places[-1][address, width] = place
        page.route("**/*.js", lambda route: route.abort())
    with_pack, without = places
    assert without == pytest.approx(with_pack, abs=1)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_fields_of_a_position_stay_where_they_are_typed_into(
    live_site: Site, open_page: OpenPage, width: int
) -> None:
    address = f"{live_site.url}/analysis/"
    page = open_page(address, viewport={"width": width, "height": 800})
    fields = page.locator("[data-typed]")
    page.locator("[data-pick]:not([hidden])").wait_for()
    with_pack = fields.evaluate(TOP)
    page.route("**/*.js", lambda route: route.abort())
    page.reload()
    page.locator("[data-pick][hidden]").wait_for(state="attached")
    assert abs(fields.evaluate(TOP) - with_pack) < 1


def pick(page: Page, *names: str) -> None:
    """Tap cards of the pack."""
    for name in names:
        page.get_by_role("group", name="The pack").get_by_role("button", name=name).click()


def result(page: Page) -> Locator:
    """Return the part of the page that shows the result."""
    return page.locator("[data-result]")


def test_the_tools_fit_and_are_accessible_at_every_size(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page("about:blank")
    found = []
    for address in ADDRESSES:
        page.goto(live_site.url + address)
        found += faults(page)
    assert found == []


def test_tapped_cards_are_counted_and_combinations_highlight_their_cards(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/count/", viewport={"width": 390, "height": 844})
    pick(page, "seven of diamonds", "eight of spades", "queen of clubs", "king of hearts")
    expect(page.get_by_label("Four cards, then the starter")).to_have_value("7D 8S QC KH")
    pick(page, "nine of diamonds")
    expect(result(page)).to_contain_text("fifteen two, and a run of three is five")
    expect(page).to_have_url(re.compile(r"/count/\?cards=7D\+8S\+QC\+KH\+9D$"))

    run = result(page).get_by_role("button", name="a run of three")
    run.click()
    expect(run).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".slot.lit")).to_have_count(3)
    # First away from the lines: a focus that scrolls the page would move another one below it.
    page.mouse.move(0, 0)
    result(page).get_by_role("button", name=re.compile("fifteen")).focus()
    expect(page.locator(".slot.lit")).to_have_count(2)
    run.hover()
    expect(page.locator(".slot.lit")).to_have_count(3)
    page.mouse.move(0, 0)
    expect(page.locator(".slot.lit"), "the focused line, not the tapped one").to_have_count(2)

    page.get_by_label("Count it as a crib").check()
    expect(page).to_have_url(re.compile("crib=1$"))

    pick(page, "queen of clubs")
    expect(page.locator(".slot-empty")).to_have_count(1)
    expect(page.locator("[data-answer]")).to_be_hidden()
    pick(page, "nine of hearts")
    expect(result(page)).to_contain_text("a double run of three")
    expect(page).to_have_url(re.compile(r"cards=7D\+8S\+9H\+KH\+9D&crib=1$"))


def test_a_card_can_be_picked_by_keyboard(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/count/")
    pack = page.get_by_role("group", name="The pack")
    pack.get_by_role("button", name="ace of spades").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(pack.get_by_role("button", name="two of hearts")).to_be_focused()
    expect(page.get_by_label("Four cards, then the starter")).to_have_value("2H")


def test_tapped_cards_are_ranked_and_entering_scores_ranks_them_again(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/discards/", viewport={"width": 360, "height": 640})
    pick(page, "four of hearts", "five of hearts", "six of spades")
    pick(page, "jack of clubs", "nine of diamonds", "king of spades")
    rows = result(page).get_by_role("row")
    expect(rows).to_have_count(16)
    expect(rows.nth(1)).to_contain_text("best")

    page.get_by_label("Theirs: they deal").check()
    expect(result(page).get_by_role("columnheader", name="Dealer's crib")).to_have_count(1)
    page.get_by_text("Scores and more").click()
    page.get_by_label("Your score").fill("130")
    page.get_by_label("Next player's score").fill("110")
    expect(page.get_by_text("scores are 0 to 120")).to_be_visible()
    page.get_by_label("Your score").fill("118")
    expect(result(page)).to_contain_text("Sorted by chance to win")
    expect(page).to_have_url(re.compile("own=118&other=110$"))
    expect(page.get_by_text("scores are 0 to 120")).to_have_count(0)
    assert complaints(page) == []


HELD = "4H 5H 6S JC 9D"


def hold_next(page: Page) -> tuple[list[Route], list[str]]:
    """Hold the page's next question; return a list for it and one that fills when it has ended."""
    held: list[Route] = []
    ended: list[str] = []

    def hold(route: Route) -> None:
        held.append(route)

    def end(request: Request) -> None:
        if held and request == held[0].request:
            ended.append(request.url)

    page.on("requestfinished", end)
    page.on("requestfailed", end)
    page.route("**/discards/?*", hold, times=1)
    return held, ended


def release(page: Page, held: list[Route], ended: list[str]) -> None:
    """Let the question go, and wait until the page has its answer or wants none any more."""
    held[0].continue_()
    heed_until(page, lambda: ended)


def test_a_card_taken_back_stays_so_when_the_answer_with_it_comes(
    live_site: Site, open_page: OpenPage
) -> None:
    address = f"{live_site.url}/discards/?cards={HELD.replace(' ', '+')}"
    page = open_page(address)
    held, ended = hold_next(page)
    with page.expect_request("**/discards/?*"):
        pick(page, "king of spades")
    pick(page, "king of spades")
    release(page, held, ended)
    pick(page, "queen of clubs")
    expect(page).to_have_url(re.compile(r"9D\+QC"))
    expect(page.get_by_label("Six cards, or five for three players")).to_have_value(f"{HELD} QC")


def test_a_link_is_selected_where_the_browser_refuses_to_copy_it(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page("about:blank")
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new DOMException())")
    page.goto(f"{live_site.url}/count/?cards=5H+5C+5S+JD+5D")
    page.get_by_role("button", name="Copy link").click()
    wait_for(lambda: page.evaluate("String(getSelection())") == "Link to this hand")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()


def test_an_error_leaves_the_focus_in_the_field_that_is_being_filled_in(
    live_site: Site, open_page: OpenPage
) -> None:
    address = f"{live_site.url}/discards/?cards={HELD.replace(' ', '+')}+KS"
    page = open_page(address)
    page.get_by_text("Scores and more").click()
    held, ended = hold_next(page)
    with page.expect_request("**/discards/?*"):
        page.get_by_label("Your score").fill("130")
    page.get_by_label("Next player's score").focus()
    release(page, held, ended)
    expect(page.get_by_text("scores are 0 to 120")).to_be_visible()
    page.keyboard.type("110")
    expect(page.get_by_label("Next player's score")).to_have_value("110")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your score")).to_be_focused()


def test_both_tools_work_without_scripts(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{live_site.url}/count/", java_script_enabled=False)
    page.get_by_label("Four cards, then the starter").fill("5h 5c 5s jd 5d")
    page.keyboard.press("Enter")
    expect(result(page)).to_contain_text("his nobs is twenty-nine")
    page.get_by_role("link", name="Discard helper").first.click()
    page.get_by_label("Six cards, or five for three players").fill("5d 5s 7c jh qs")
    page.get_by_role("button", name="Compare throws").click()
    expect(result(page).get_by_role("row")).to_have_count(6)


def test_the_counting_tutor_works_by_keyboard_and_announces_every_answer(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/learn/count/3/2/")
    spoken, press = page.locator("[data-spoken]"), page.keyboard.press

    def say(kind: str, *cards: str) -> None:
        for card in cards:
            page.get_by_role("checkbox", name=card).focus()
            press("Space")
        page.get_by_role("button", name=kind, exact=True).focus()
        press("Enter")

    say("Run", "five of spades", "six of clubs", "seven of clubs")
    expect(spoken).to_have_text("The run is longer. Pick all of it.")
    expect(page.get_by_role("checkbox", name="five of spades")).to_be_focused()
    say("Run", "five of spades", "six of clubs", "seven of clubs", "starter, eight of clubs")
    expect(spoken).to_have_text("Yes, a run of four: 4 points.")
    say("That's all")
    expect(spoken).to_have_text("Not yet. 2 combinations to go.")
    say("Fifteen", "five of spades", "queen of clubs")
    expect(spoken).to_have_text("Yes, fifteen: 2 points.")
    say("Fifteen", "seven of clubs", "starter, eight of clubs")
    expect(page.get_by_role("list", name="Found so far").get_by_role("listitem")).to_have_count(3)
    say("That's all")
    expect(page.get_by_label("Total", exact=True)).to_be_focused()
    page.keyboard.type("8")
    press("Enter")
    expect(spoken).to_have_text("Right: 8 points.")
    expect(page.get_by_role("link", name="Next hand")).to_be_focused()
    assert complaints(page) == []


def test_a_long_word_for_the_starter_stays_on_a_small_phone(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page("about:blank", locale="es-ES", viewport={"width": 320, "height": 640})
    for path in ("/learn/count/6/1/", "/count/?cards=5H+5S+5D+JC+5C"):
        page.goto(f"{live_site.url}{path}")
        expect(page.get_by_text("carta de corte", exact=True)).to_be_visible()
        assert overflow(page) == 0, path


def test_a_lost_connection_takes_nothing_of_a_hand_being_counted(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/learn/count/1/1/")
    found = page.get_by_role("list", name="Found so far").get_by_role("listitem")
    hint = page.get_by_role("button", name="Give me a hint")
    said = page.locator("[data-said]")
    for text in ("combination", "pair"):
        hint.click()
        expect(said).to_contain_text(text)
    hint.click()
    expect(found).to_have_count(1)
    page.route("**/learn/count/**", lambda route: route.abort())
    all_found = page.get_by_role("button", name="That's all")
    all_found.click()
    expect(said).to_have_text("The server can't be reached. Check your connection, then try again.")
    expect(found).to_have_count(1)
    page.unroute("**/learn/count/**")
    page.route("**/learn/count/**", lambda route: route.fulfill(status=503, body="restarting"))
    with page.expect_response("**/learn/count/**"):
        all_found.click()
    page.unroute("**/learn/count/**")
    all_found.click()
    expect(page.get_by_label("Total", exact=True)).to_be_visible()
    expect(found).to_have_count(1)


def test_a_filter_applies_at_once_also_to_the_four_cards_kept(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/explorer/?cards=4H+5H+6S+JC&role=pone")
    expect(result(page)).to_contain_text("No one has had this hand yet")
    page.get_by_text("Players and score").click()
    page.get_by_label("Computers").check()
    expect(result(page)).to_contain_text("No one with these filters")
    expect(page).to_have_url(re.compile("who=computers"))


def test_a_filter_waits_while_cards_are_being_exchanged(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/discards/?cards=4H+5H+6S+JC+2D+3D&role=pone")
    page.clock.install()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for card in ("2D", "3D"):
        page.locator(f'[data-picker] [data-card="{card}"]').click()
    page.locator("input[name=role][value=dealer]").check()
    page.clock.run_for(1000)
    for card in ("7C", "8C"):
        page.locator(f'[data-picker] [data-card="{card}"]').click()
    expect(page).to_have_url(re.compile("7C.8C.*role=dealer"))
    assert all("8C" in url for url in asked)


def test_no_part_that_opens_shows_the_triangle_of_the_browser(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page("about:blank")
    for path in ("/count/", "/analysis/", "/explorer/"):
        page.goto(f"{live_site.url}{path}")
        summaries = page.locator("main summary:visible")
        expect(summaries).not_to_have_count(0)
        plain = summaries.evaluate_all(
            "all => all.filter(at => getComputedStyle(at).display === 'list-item' &&"
            " getComputedStyle(at).listStyleType !== 'none').map(at => at.innerText)"
        )
        assert plain == [], path
