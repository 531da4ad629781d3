"""Premoves (cards picked before the player's turn), and dragging cards."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.seat import Seat, play_until, sit
from tests.support.servers import Site
from tests.support.tables import make_tables, wish


def drag_to_middle(seat: Seat, at: int) -> None:
    """Drag a hand card to the middle of the table with the mouse."""
    mouse = seat.page.mouse
    card, middle = seat.hand.nth(at).bounding_box(), seat.page.locator(".pile").bounding_box()
    assert card
    assert middle
    mouse.move(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2)
    mouse.down()
    mouse.move(middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2, steps=4)
    mouse.up()


def test_a_premove_waits_for_its_turn_and_a_dragged_card_is_played(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish())[0]
    seats = [sit(live_site, open_page, table, who) for who in range(2)]

    drag_to_middle(seats[0], 0)
    expect(seats[0].picked).to_have_count(1)
    seats[0].page.keyboard.press("Escape")
    play_until(seats, lambda: all(seat.data()["phase"] == "play" for seat in seats))
    leader = next(seat for seat in seats if seat.data()["ask"] == "play")
    other = next(seat for seat in seats if seat is not leader)
    ahead = other.hand.first
    ahead.click()
    expect(ahead).to_have_accessible_name(re.compile("queued for your turn"))
    other.page.keyboard.press("Escape")
    expect(other.picked).to_have_count(0)
    ahead.click()
    expect(leader.page.locator(".pile li:not(.empty)")).to_have_count(0)

    drag_to_middle(leader, 0)

    for seat in seats:
        expect(seat.page.locator(".pile li:not(.empty)")).to_have_count(2)
    expect(other.hand).to_have_count(3)
