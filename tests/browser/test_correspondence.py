"""A match by correspondence in two browsers: days chosen, told until when, listed as one's turn."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.seat import Seat, complaints
from tests.servers import Site

# Most of the world's clocks show no AM or PM; the day's name is English since the page is.
READER = {"reduced_motion": "reduce", "locale": "en-GB", "timezone_id": "Europe/Berlin"}


def test_days_are_chosen_and_told_at_the_table_and_in_the_lobby(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{live_site.url}/lobby/", viewport={"width": 1280, "height": 800}, **READER)
    page.get_by_text("Choose the rules").click()
    page.get_by_label("Time for each decision").select_option("3")
    page.get_by_role("button", name="Invite a friend", exact=True).click()
    link = page.locator("#invite-link").input_value()

    friend = open_page(link, viewport={"width": 360, "height": 640}, **READER)
    expect(friend.get_by_text("by correspondence: 3 days for each decision")).to_be_visible()
    friend.get_by_role("button", name="Sit down").click()
    bob = Seat.at_once(friend)
    ann = Seat.at_once(page)
    until = re.compile(r"^You have until \w+day( at)? \d\d:\d\d")
    for seat in (ann, bob):
        expect(seat.page.locator(".due")).to_have_text(until)
    assert complaints(friend) == []

    ann.page.locator("[data-ask=discard]").wait_for()
    ann.act()
    expect(ann.page.locator(".due")).to_contain_text(re.compile(r"has until \w+day"))
    expect(ann.page.get_by_role("link", name="Tell me when it is my turn")).to_be_visible()

    # Nobody is waited for at the table: the days run, and nothing is offered yet.
    match = friend.url.split("/t/")[1].split("/")[0]
    friend.goto(f"{live_site.url}/lobby/")
    expect(friend).to_have_title(re.compile(r"^\(1\) "))
    row = friend.locator("[data-own-turns] li")
    expect(row).to_have_attribute("data-match", match)
    expect(row.locator("time")).to_have_text(re.compile(r"^\w+day( at)? \d\d:\d\d"))
    expect(ann.page.locator(".away-mark, .absent")).to_have_count(0)
    row.get_by_role("link", name="Play").click()
    Seat(friend)
