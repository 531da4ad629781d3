"""Two tabs of one browser: what is set in one holds in the other, and a hidden table calls."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_clubs import club_site
from tests.browser.test_ranked import sign_up
from tests.support.seat import is_asked, log_in, play_until, sit
from tests.support.servers import Site
from tests.support.tables import make_tables, wish

__all__ = ["club_site"]

BACK_FROM_CACHE = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
"""What a page gets that the Back button shows as it was. Chromium's headless shell keeps none."""


HIDEABLE = """
    globalThis.away = false;
    const frame = requestAnimationFrame;
    Object.defineProperty(document, "hidden", { get: () => away });
    globalThis.requestAnimationFrame = (work) => frame((now) => away || work(now));
    globalThis.look = (here) => {
        away = !here;
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    };
"""
"""Lets a test hide a page, which then gets no frames; the headless shell shows all of its pages."""


def test_a_change_at_the_table_keeps_what_another_tab_has_set(
    live_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_tables(live_site.database_url, wish())
    page = sit(live_site, open_page, table, 0).page
    other = page.context.new_page()
    other.goto(f"{live_site.url}/rules/")
    other.get_by_role("button", name="Dark colours").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Sound").click()
    other.reload()
    expect(other.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_page_that_comes_back_has_the_colours_chosen_meanwhile(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/rules/")
    page.evaluate("localStorage['cribbage.settings'] = '{\"theme\": \"dark\"}'")
    page.evaluate(BACK_FROM_CACHE)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = page.get_by_role("button", name="Dark colours")
    expect(dark).to_have_attribute("aria-pressed", "true")


def test_a_hidden_table_says_who_has_sat_down(live_site: Site, open_page: OpenPage) -> None:
    (table,) = make_tables(live_site.database_url, wish(players=3, join=False))
    host = open_page("about:blank")
    host.add_init_script(HIDEABLE)
    log_in(host.context, live_site, table.cookies[0])
    host.goto(f"{live_site.url}/t/{table.match}/")
    host.locator(".waiting").wait_for()
    usual = host.title()
    host.evaluate("look(false)")
    guest = open_page(f"{live_site.url}/join/{table.invite}/")
    guest.get_by_role("button", name="Sit down").click()
    expect(host).to_have_title(re.compile("^● .* sat down$"))
    expect(host.locator(".seats .empty")).to_have_count(1)
    expect(host).to_have_title(re.compile("^● .* sat down$"))
    host.evaluate("look(true)")
    expect(host).to_have_title(usual)


def test_a_table_hidden_in_the_middle_of_a_change_says_whose_turn_it_is(
    live_site: Site, open_page: OpenPage
) -> None:
    """The browser keeps a frame that was planned until the page is shown again."""
    (table,) = make_tables(live_site.database_url, wish())
    seats = [sit(live_site, open_page, table, who) for who in range(2)]
    for seat in seats:
        seat.page.add_init_script(HIDEABLE)
        seat.page.reload()
        seat.table.wait_for()
    play_until(seats, is_asked(seats, "play"))
    player = next(seat for seat in seats if seat.asked == "play")
    away = next(seat for seat in seats if seat is not player)
    version = player.data()["version"]
    away.page.locator(f'.table-page[data-version="{version}"][data-own=false]').wait_for()
    away.page.get_by_role("button", name="Sound").evaluate(
        "button => { button.click(); look(false); }"
    )
    player.act()
    expect(away.page).to_have_title(re.compile("^● Your turn"))


def test_the_ranked_queue_goes_on_after_a_login_in_another_tab(
    club_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{club_site.url}/ranked/", worker=True)
    page.get_by_role("button", name="Play ranked, two players").click()
    page.locator("[data-plain]").wait_for(state="hidden")  # its script runs
    other = page.context.new_page()
    other.goto(f"{club_site.url}/accounts/signup/")
    sign_up(other)
    with page.expect_response(lambda answer: answer.url.endswith("/ranked/state/") and answer.ok):
        pass
    expect(page.locator("[data-trouble]")).to_be_hidden()


def test_the_ranked_queue_goes_on_while_its_session_is_unknown(
    club_site: Site, open_page: OpenPage
) -> None:
    """As between the end of a session by a login in another tab and the answer to that login."""
    page = open_page(f"{club_site.url}/ranked/")
    # Of another number of players than above: a page that has just closed still counts as waiting.
    page.get_by_role("button", name="Ranked, three players").click()
    page.locator("[data-plain]").wait_for(state="hidden")  # its script runs
    (known,) = (one for one in page.context.cookies() if one["name"] == "sessionid")
    page.context.add_cookies([{**known, "value": "a" * 32}])  # type: ignore[typeddict-item]
    for status in (401, 401, 200):
        if status == 200:
            page.context.add_cookies([known])  # type: ignore[list-item]
        with page.expect_response(
            lambda answer, status=status: (
                answer.url.endswith("/ranked/state/") and answer.status == status
            )
        ):
            pass
    expect(page.locator("[data-trouble]")).to_be_hidden()
    expect(page.locator("[data-queue]")).to_be_visible()


@pytest.mark.parametrize("told", [True, False])
def test_a_host_who_has_a_name_since_a_login_in_another_tab_is_not_asked_for_one(
    live_site: Site, open_page: OpenPage, told: bool
) -> None:
    """Neither if the table has told of it nor if the form is sent before that."""
    (table,) = make_tables(live_site.database_url, wish(join=False))
    page = open_page("about:blank")
    log_in(page.context, live_site, table.cookies[0])
    muted = False

    def connect(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        route.on_message(server.send)
        server.on_message(lambda message: None if muted else route.send(message))

    page.route_web_socket("**/ws/t/**", connect)
    page.goto(f"{live_site.url}/t/{table.match}/")
    page.get_by_label("Your name on the invitation").fill("Zoe")
    muted = not told
    other = page.context.new_page()
    other.goto(f"{live_site.url}/accounts/signup/")
    sign_up(other)
    if not told:
        page.get_by_role("button", name="Save name").click()
        muted = False
    expect(page.get_by_label("Your name on the invitation")).to_be_hidden()
    expect(page.get_by_text("Waiting for players").first).to_be_visible()


def test_what_is_written_in_a_form_is_sent_after_a_login_in_another_tab(
    live_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_tables(live_site.database_url, wish())
    page = open_page("about:blank")
    log_in(page.context, live_site, table.cookies[0])
    page.goto(f"{live_site.url}/name/")
    other = page.context.new_page()
    other.goto(f"{live_site.url}/accounts/signup/")
    sign_up(other)
    page.get_by_label("Name", exact=True).fill("Xanthippe")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".who")).to_contain_text("Xanthippe")


def test_a_form_of_an_account_is_refused_after_another_one_has_logged_in(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/accounts/signup/")
    sign_up(page)
    page.goto(f"{live_site.url}/name/")
    other = page.context.new_page()
    other.goto(f"{live_site.url}/accounts/logout/")
    other.get_by_role("button", name="Log out").click()
    other.goto(f"{live_site.url}/accounts/signup/")
    name = sign_up(other)
    page.get_by_label("Name", exact=True).fill("Xanthippe")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("This page has expired")
    page.goto(live_site.url)
    expect(page.locator(".who")).to_contain_text(name)


@pytest.mark.parametrize("path", ["/matches/enter/", "/learn/count/3/2/"])
def test_a_script_sends_the_token_that_a_login_in_another_tab_brought(
    live_site: Site, open_page: OpenPage, path: str
) -> None:
    page = open_page(f"{live_site.url}{path}")
    page.evaluate("globalThis.still = true")
    other = page.context.new_page()
    other.goto(f"{live_site.url}/accounts/signup/")
    sign_up(other)
    with page.expect_response(lambda answer: answer.request.method == "POST") as sent:
        if "enter" in path:
            page.get_by_label("Type or tap the cards").fill("5H 5C 5S JD 5D 4S")
            page.get_by_label("Type or tap the cards").press("Enter")
        else:
            page.get_by_role("button", name="That's all").click()
    assert sent.value.ok
    assert page.evaluate("globalThis.still")


def test_a_table_of_a_guest_who_logs_in_in_another_tab_goes_on_as_the_account(
    live_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_tables(live_site.database_url, wish())
    (seat, friend) = (sit(live_site, open_page, table, who) for who in (0, 1))
    elsewhere = open_page(f"{live_site.url}/accounts/signup/")
    name = sign_up(elsewhere)
    other = seat.page.context.new_page()
    other.goto(f"{live_site.url}/accounts/login/")
    other.get_by_label("Name or email").fill(name)
    other.get_by_label("Password").fill("fifteen-two-4")
    other.get_by_role("button", name="Log in", exact=True).click()
    expect(other.locator(".who")).to_contain_text(name)
    expect(friend.page.locator(".table-page")).to_contain_text(name)
    play_until([seat, friend], lambda: seat.data()["phase"] == "play")

    other.goto(f"{live_site.url}/accounts/logout/")
    other.get_by_role("button", name="Log out").click()
    expect(seat.page.locator(".refused")).to_contain_text("You're logged out")
