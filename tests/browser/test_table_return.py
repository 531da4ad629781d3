"""Returning to a table: reloads and lost connections in every phase lose nothing."""

import json
import re
from time import monotonic

from playwright.sync_api import Route, WebSocket, WebSocketRoute, expect

from games.sockets.connection import FORBIDDEN
from tests.browser.conftest import OpenPage
from tests.support.seat import Seat, heed_until, is_asked, log_in, play_until, sit
from tests.support.seated import make_ranked
from tests.support.servers import Site
from tests.support.tables import make_tables, wish

A_MINUTE = 60_000  # milliseconds; a lost connection is tried again after half a second
PHASES = ("discard", "play", "claim", "answer")


def reload(seat: Seat) -> None:
    """Reload the page."""
    seat.page.reload()
    seat.table.wait_for()


def lose_connection(seat: Seat) -> None:
    """Go offline until the page says so, then go online again."""
    seat.page.context.set_offline(True)
    banner = seat.page.get_by_text("Reconnecting… your cards are safe")
    expect(banner).to_be_visible()
    seat.page.context.set_offline(False)
    expect(banner).to_be_hidden()
    expect(seat.page.locator(".notice").last).to_contain_text("Back at the table")


DRAWN = """async () => {
    for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame);
}"""
"""Waits until the log, which is drawn in the frame after the cards, shows as much as they do."""


def shown(seat: Seat) -> dict[str, object]:
    """Return what must be the same after returning."""
    page = seat.page
    page.evaluate(DRAWN)
    return {
        "asked": seat.asked,
        "version": seat.data()["version"],
        "scores": seat.scores(),
        "hand": seat.hand.evaluate_all("cards => cards.map(card => card.dataset.card)"),
        "pile": page.locator(".pile .card").evaluate_all("cards => cards.map(c => c.ariaLabel)"),
        "log": page.locator(".log li").all_inner_texts(),
        "title": page.locator(".ask").inner_text(),
        "counted": page.locator(".show .card").evaluate_all("cards => cards.map(c => c.ariaLabel)"),
    }


def test_returning_in_every_phase_shows_the_same_table(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(target=61, counting="manual", muggins=True))[0]
    wide = {"viewport": {"width": 1280, "height": 800}}
    seats = [sit(live_site, open_page, table, who, **wide) for who in range(2)]
    for phase in PHASES:
        play_until(seats, is_asked(seats, phase))
        seat = next(seat for seat in seats if seat.asked == phase)
        before = shown(seat)
        for way in (reload, lose_connection):
            way(seat)
            seat.page.locator(f"[data-ask={phase}]").wait_for()
            assert shown(seat) == before, (phase, way.__name__)
        seat.act()


def test_a_returning_player_is_told_that_it_is_their_turn(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish())[0]
    seats = [sit(live_site, open_page, table, who) for who in range(2)]
    play_until(seats, is_asked(seats, "play"))
    player = next(seat for seat in seats if seat.asked == "play")
    away = next(seat for seat in seats if seat is not player)
    # A slow page may be behind, or have lost its connection already, which it tells as well.
    now = player.data()["version"]
    away.page.locator(f'.table-page[data-conn=open][data-version="{now}"]').wait_for()
    away.page.context.set_offline(True)
    away.page.locator("[data-conn=lost]").wait_for()
    player.act()
    away.page.context.set_offline(False)
    told = away.page.locator(".notice").filter(has_text="your turn")
    expect(told).to_be_visible()
    now = player.data()["version"]
    assert away.data()["version"] == now
    away.act()
    away.page.locator(f'.table-page:not([data-version="{now}"])').wait_for()
    assert told.count() == 0, "it is not their turn any more"


def test_a_script_that_comes_late_opens_no_second_socket(
    live_site: Site, open_page: OpenPage
) -> None:
    """A second one would keep all messages, and tell them again after the connection was lost."""
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    page = open_page("about:blank")
    log_in(page.context, live_site, table.cookies[0])
    held: list[Route] = []
    sockets: list[WebSocket] = []

    def hold(route: Route) -> None:
        held.append(route)

    def count(socket: WebSocket) -> None:
        sockets.append(socket)

    page.route("**/early_socket*", hold)
    page.on("websocket", count)
    page.goto(f"{live_site.url}/t/{table.match}/?pace=instant", wait_until="commit")
    page.locator("[data-ask=discard]").wait_for()
    held[0].continue_()
    page.wait_for_load_state()
    page.evaluate(DRAWN)
    assert len(sockets) == 1
    cuts = page.get_by_role("log").get_by_text("Cut for the deal")
    told = cuts.count()  # two after a tie
    lose_connection(Seat(page))
    expect(cuts).to_have_count(told)


SLOW_PHONE_S = 5.0
"""How long the modules take longer than the early script's socket."""

TABLE_MODULE = re.compile(r"/(dist/table|table/main)[.\w]*\.js$")


def test_modules_that_come_late_show_the_time_that_is_left(
    live_site: Site, open_page: OpenPage
) -> None:
    """The message with the time was heard by the early script, and is as old as that by then."""
    (table,) = make_ranked(live_site.database_url, tables=1)
    page = open_page("about:blank")
    log_in(page.context, live_site, table.cookies[0])
    held: list[Route] = []
    clocks: list[tuple[float, float]] = []  # when one was heard, and the seconds left then

    def hear(frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["t"] == "clock":
            clocks.append((monotonic(), message["d"]["until"] - message["d"]["now"]))

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", hear)

    def hold(route: Route) -> None:
        held.append(route)

    page.route(TABLE_MODULE, hold)
    page.on("websocket", listen)
    page.goto(f"{live_site.url}/t/{table.match}/?pace=instant", wait_until="commit")
    heed_until(page, lambda: clocks and held)
    page.wait_for_timeout(SLOW_PHONE_S * 1000)
    heard, left = clocks[0]
    left -= monotonic() - heard
    held[0].continue_()
    shown = int(page.locator(".ring b").first.inner_text())
    assert len(clocks) == 1, "no later message has corrected it"
    assert shown <= left + SLOW_PHONE_S / 2


def test_the_figures_of_the_cards_come_once_the_connection_allows(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    page = open_page("about:blank")
    log_in(page.context, live_site, table.cookies[0])
    page.route("**/deck*.svg", lambda route: route.abort(), times=1)
    with page.expect_event("requestfailed"):
        page.goto(f"{live_site.url}/t/{table.match}/?pace=instant")
    page.locator("symbol#court-KS").wait_for(state="attached")
    expect(page.locator(".sprite")).to_have_count(1)


def test_a_move_made_offline_is_played_on_reconnecting(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,)))[0]
    seat = sit(live_site, open_page, table, 0)
    seat.page.locator("[data-ask=discard]").wait_for()
    before = seat.data()["version"]
    seat.hand.nth(0).click()
    seat.hand.nth(1).click()
    seat.page.context.set_offline(True)
    seat.page.locator("[data-conn=lost]").wait_for()
    assert seat.primary.get_attribute("aria-disabled") is None
    seat.page.keyboard.press("Enter")
    expect(seat.primary).to_have_attribute("aria-disabled", "true")
    seat.page.context.set_offline(False)
    seat.page.locator(f'.table-page:not([data-version="{before}"])').wait_for()
    expect(seat.hand).not_to_have_count(6)
    expect(seat.page.locator(".notice.bad")).to_have_count(0)


def test_a_refused_table_stays_refused_when_the_network_is_lost(
    live_site: Site, open_page: OpenPage
) -> None:
    """Such as one that a player may no longer see."""
    (table,) = make_tables(live_site.database_url, wish())
    page = open_page("about:blank")
    log_in(page.context, live_site, table.cookies[0])
    asked: list[WebSocketRoute] = []

    def refuse(route: WebSocketRoute) -> None:
        asked.append(route)
        route.close(code=FORBIDDEN)

    page.route_web_socket("**/ws/t/**", refuse)
    page.goto(f"{live_site.url}/t/{table.match}/")
    refused = page.get_by_text("This table is private.")
    expect(refused).to_be_visible()
    # Two, if the socket opened early was refused before the modules came: then they ask as well.
    before = len(asked)
    page.clock.install()
    page.evaluate("dispatchEvent(new Event('offline'))")
    page.clock.run_for(A_MINUTE)
    expect(refused).to_be_visible()
    assert len(asked) == before
