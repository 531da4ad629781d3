"""A player who leaves during a match: what the other sees and may choose."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import complaints
from tests.support.seat import is_asked, play_until, sit
from tests.support.servers import StartSite
from tests.support.tables import make_tables, wish

GRACE = {"ABSENCE_GRACE_SECONDS": "15", "COMPUTER_PAUSE_MS": "0"}
"""Little patience for players who are absent, and the usual one for those who don't act: on a slow
machine, somebody hasn't acted for seconds before the first look at a page."""
LIMIT = {"IDLE_LIMIT_SECONDS": "10", "COMPUTER_PAUSE_MS": "0"}
"""Little patience for players who don't act."""


def test_a_player_is_told_of_an_absent_opponent_and_may_then_choose(
    start_site: StartSite, open_page: OpenPage
) -> None:
    site = start_site(extra=GRACE)
    table = make_tables(site.database_url, wish())[0]
    seats = [sit(site, open_page, table, who) for who in range(2)]
    play_until(seats, is_asked(seats, "play"))
    absent = next(seat for seat in seats if seat.asked == "play")
    waiting = next(seat for seat in seats if seat is not absent)
    panel = waiting.page.locator(".absent")
    expect(panel).to_have_count(0)

    absent.page.goto("about:blank")
    expect(panel).to_contain_text("to reconnect")
    expect(panel.locator(".grace")).to_contain_text(re.compile(r"in [1-9]\d* second"))
    expect(panel.get_by_role("button", name="Claim the win")).to_be_visible()
    assert complaints(waiting.page) == []
    panel.get_by_role("button", name="Let the computer play").click()

    expect(panel).to_have_count(0)
    play_until([waiting], is_asked([waiting], "discard"))
    expect(waiting.page.locator(".plate-name").last).to_contain_text("(")


def test_a_player_who_does_not_act_is_asked_and_the_other_may_then_choose(
    start_site: StartSite, open_page: OpenPage
) -> None:
    site = start_site(extra=LIMIT)
    table = make_tables(site.database_url, wish())[0]
    seats = [sit(site, open_page, table, who) for who in range(2)]
    play_until(seats, is_asked(seats, "play"))
    idle = next(seat for seat in seats if seat.asked == "play")
    waiting = next(seat for seat in seats if seat is not idle)
    asked, panel = (seat.page.locator(".absent") for seat in (idle, waiting))

    expect(asked).to_contain_text("Still there? It's your turn.")
    expect(panel).to_contain_text("hasn't played for a while")
    expect(panel.get_by_role("button", name="Claim the win")).to_be_visible()
    expect(asked).to_contain_text("can now go on without you")
    for seat in seats:
        assert complaints(seat.page) == []
    panel.get_by_role("button", name="Let the computer play").click()

    expect(idle.page.get_by_role("button", name="Take back my seat")).to_be_visible()
    idle.page.get_by_role("button", name="Take back my seat").click()
    expect(idle.page.get_by_role("button", name="Take back my seat")).to_have_count(0)
