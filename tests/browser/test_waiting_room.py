"""The waiting room of a table when its host clicks twice, or loses the connection for long."""

from __future__ import annotations

from playwright.sync_api import WebSocket, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_ranked import sign_up
from tests.support.seat import log_in
from tests.support.servers import Site
from tests.support.tables import make_tables, wish

MINUTES_AWAY = 15
"""The waiting room asks five times a minute who is online; 40 messages may be sent at once."""


ROOM = """select => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = getComputedStyle(select).font;
    const widest = Math.max(...[...select.options].map(each => pen.measureText(each.text).width));
    return select.clientWidth - parseFloat(getComputedStyle(select).paddingLeft) - widest;
}"""
"""How many pixels the longest option of a list leaves for the list's arrow."""

ARROW = 16
"""The width of that arrow, pixels."""


def test_a_double_click_adds_one_computer(live_site: Site, open_page: OpenPage) -> None:
    (table,) = make_tables(live_site.database_url, wish(join=False))
    page = open_page("about:blank", reduced_motion="reduce")
    log_in(page.context, live_site, table.cookies[0])
    page.goto(f"{live_site.url}/t/{table.match}/?pace=instant")
    page.get_by_role("button", name="Add a computer").dblclick()
    page.locator("[data-ask=discard]").wait_for()
    # The answer to a second request would come before that to this one.
    page.locator(".hand-card").nth(0).click()
    page.locator(".hand-card").nth(1).click()
    page.locator("#primary").click()
    expect(page.locator(".hand-card")).to_have_count(4)
    alerts = page.get_by_role("alert").locator("p").all_inner_texts()
    assert [text for text in alerts if not text.startswith(("Choose 2 cards", "Your "))] == []


def test_the_focus_is_not_lost_when_the_room_or_the_last_card_goes(
    live_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_tables(live_site.database_url, wish(join=False))
    page = open_page("about:blank", reduced_motion="reduce")
    log_in(page.context, live_site, table.cookies[0])
    page.goto(f"{live_site.url}/t/{table.match}/?pace=instant")
    page.get_by_role("button", name="Add a computer").focus()
    page.keyboard.press("Enter")
    page.locator("[data-ask=discard]").wait_for()
    hand = page.get_by_role("group", name="Your hand")
    expect(hand).to_be_focused()
    page.keyboard.press("Tab")
    expect(hand.locator(".hand-card:focus")).to_have_count(1)
    page.evaluate("document.querySelectorAll('.hand-card').forEach((card) => card.remove())")
    expect(hand).to_be_focused()


def test_a_host_whose_connection_was_lost_for_long_is_not_turned_away(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/accounts/signup/")
    sign_up(page)  # guests have no friends
    heard: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    page.on("websocket", listen)
    page.clock.install()
    page.goto(live_site.url)
    page.get_by_role("button", name="Invite a friend").first.click()
    page.locator(".waiting").wait_for()
    page.context.set_offline(True)
    for _ in range(MINUTES_AWAY):
        page.clock.run_for(60_000)
    heard.clear()
    page.context.set_offline(False)
    page.locator("[data-conn=open]").wait_for()
    page.get_by_role("button", name="Add a computer").click()
    page.locator("[data-status=playing]").wait_for()
    assert not [frame for frame in heard if '"bye"' in frame or "too_many" in frame]


def test_a_guest_may_leave_the_waiting_room_and_the_host_may_close_it(
    live_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_tables(live_site.database_url, wish(join=False, players=3))
    host, guest = (open_page("about:blank", reduced_motion="reduce") for _ in range(2))
    for page in (host, guest):
        page.set_viewport_size({"width": 360, "height": 640})
    for page, cookie in ((host, table.cookies[0]), (guest, table.cookies[1])):
        log_in(page.context, live_site, cookie)
    host.goto(f"{live_site.url}/t/{table.match}/")
    level = host.get_by_role("combobox", name="Computer level").first
    assert level.evaluate(ROOM) >= ARROW  # the names of all levels can be read
    for leaves in (True, False):
        guest.goto(f"{live_site.url}/join/{table.invite}/")
        guest.get_by_role("button", name="Sit down").click()
        expect(host.locator(".waiting .empty")).to_have_count(1)
        expect(guest.locator(".waiting").get_by_text("Empty seat")).to_be_visible()
        if leaves:
            guest.get_by_role("button", name="Leave the table").click()
            guest.wait_for_url("**/lobby/")
            expect(guest.get_by_text("You left the table.")).to_be_visible()
            expect(host.locator(".waiting .empty")).to_have_count(2)
    guest.locator(".waiting").wait_for()
    host.get_by_role("button", name="Close the table").click()
    host.wait_for_url("**/lobby/")
    expect(host.get_by_text("The table is closed.")).to_be_visible()
    expect(guest.locator(".ask")).to_have_text("This table was closed")
    guest.get_by_role("link", name="Leave the table").click()
    guest.wait_for_url(f"{live_site.url}/")
