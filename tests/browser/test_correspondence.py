"""A correspondence match in two browsers: time limit, deadline, list of the player's turns."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import complaints
from tests.support.seat import Seat
from tests.support.servers import Site

# Most of the world's clocks show no AM or PM; the day's name is English since the page is.
READER = {"reduced_motion": "reduce", "locale": "en-GB", "timezone_id": "Europe/Berlin"}


def test_the_chosen_deadline_is_shown_at_the_table_and_in_the_lobby(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/lobby/", viewport={"width": 1280, "height": 800}, **READER)
    page.get_by_text("Choose the rules").click()
    page.get_by_label("Time per decision").select_option("3")
    page.get_by_role("button", name="Invite a friend", exact=True).click()
    link = page.locator("#invite-link").input_value()

    friend = open_page(link, viewport={"width": 360, "height": 640}, **READER)
    expect(friend.get_by_text("by correspondence: 3 days per decision")).to_be_visible()
    friend.get_by_role("button", name="Sit down").click()
    bob = Seat.at_once(friend)
    ann = Seat.at_once(page)
    until = re.compile(r"^You have until \w+day( at)? \d\d:\d\d")
    for seat in (ann, bob):
        expect(seat.page.locator(".due")).to_have_text(until)
    assert complaints(friend) == []

    ann.page.locator("[data-ask=discard]").wait_for()
    ann.act()
    news = ann.page.locator(".due [role=status]")
    expect(news).to_have_text(re.compile(r"has until \w+day( at)? \d\d:\d\d$"))
    expect(ann.page.get_by_role("link", name="Tell me when it's my turn")).to_be_visible()

    # The absent opponent is not marked as away: the deadline has not passed, so nothing is offered.
    match = friend.url.split("/t/")[1].split("/")[0]
    friend.goto(f"{live_site.url}/lobby/")
    expect(friend).to_have_title(re.compile(r"^\(1\) "))
    row = friend.locator("[data-own-turns] li")
    expect(row).to_have_attribute("data-match", match)
    expect(row.locator("time")).to_have_text(re.compile(r"^\w+day( at)? \d\d:\d\d"))
    expect(ann.page.locator(".away-mark, .absent")).to_have_count(0)
    row.get_by_role("link", name="Play").click()
    Seat(friend)
