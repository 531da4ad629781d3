"""A table of three guests on a phone: the names, and the place of the cards played."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import resize
from tests.support.seat import Seat, play_until, sit
from tests.support.servers import Site
from tests.support.tables import make_tables, wish

UPRIGHT, ON_ITS_SIDE, SMALL_ON_ITS_SIDE = (360, 640), (844, 390), (640, 360)
SMALLEST = (320, 568)

CUT = """names => names
    .filter(at => at.scrollWidth > at.clientWidth || at.scrollHeight > at.clientHeight)
    .map(at => at.innerText)"""

BROKEN = """names => names
    .filter(at => {
      at.style.overflowWrap = 'normal';
      const broken = at.scrollWidth > at.clientWidth;
      at.style.overflowWrap = '';
      return broken;
    })
    .map(at => at.innerText)"""
"""Returns the names that are broken within a word."""

UNDER_THE_HAND = """page => {
  const hand = page.querySelector('.hand-card').getBoundingClientRect();
  return [...page.querySelectorAll('.pile .card')]
    .map(card => card.getBoundingClientRect().bottom - hand.top)
    .filter(covered => covered > 0);
}"""
"""Returns by how many pixels the hand covers each card played, where it does."""


def seat_of_a_guest(page: Page) -> Seat:
    """Return the seat that a new guest takes on the page of an invitation."""
    page.get_by_role("button", name="Sit down").click()
    return Seat.at_once(page)


def test_three_guests_are_told_apart_and_cards_have_a_place_on_a_phone(
    live_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_tables(live_site.database_url, wish(players=3, join=False))
    host = sit(live_site, open_page, table, 0)
    invitation = f"{live_site.url}/join/{table.invite}/"
    guests = [seat_of_a_guest(open_page(invitation, reduced_motion="reduce")) for _ in range(2)]
    names = host.page.locator(".plate-name")
    for number in (1, 2):
        expect(names.nth(number)).to_contain_text("Guest")
    last_hand = host.page.locator(".last-hand")

    play_until([host, *guests], lambda: host.asked == "discard" and last_hand.count() == 1)

    for width, height in (SMALL_ON_ITS_SIDE, UPRIGHT, ON_ITS_SIDE):
        resize(host.page, width, height)
        assert names.evaluate_all(CUT) == []
        assert names.evaluate_all(BROKEN) == []
    pack = host.page.locator(".deck .card").bounding_box()
    place = host.page.locator(".pile .card").bounding_box()
    assert pack and place
    assert pack["x"] + pack["width"] <= place["x"]


@pytest.mark.parametrize("players", [2, 3])
def test_on_the_smallest_phone_the_hand_covers_no_card_played(
    live_site: Site, open_page: OpenPage, players: int
) -> None:
    (table,) = make_tables(live_site.database_url, wish(players=players))
    seats = [sit(live_site, open_page, table, who) for who in range(players)]
    played = seats[0].page.locator(".pile li:not(.empty)")

    play_until(seats, lambda: seats[0].asked == "play" and played.count() > 1)

    resize(seats[0].page, *SMALLEST)
    expect(seats[0].hand.first).to_be_visible()
    assert seats[0].table.evaluate(UNDER_THE_HAND) == []
