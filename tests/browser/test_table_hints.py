"""Hints at the table: requested by button and key, shown with reasons, dismissed."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.accessible import complaints, resize
from tests.support.seat import is_asked, play_until, sit
from tests.support.servers import Site
from tests.support.tables import make_tables, wish


def test_a_hint_is_shown_with_reasons_and_never_covers_the_hand(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(computers=(1,), hints=True))[0]
    seat = sit(live_site, open_page, table, 0, viewport={"width": 360, "height": 640})
    page = seat.page
    hint = page.locator(".hint")
    outlined = page.locator(".hand-card.advised")
    play_until([seat], is_asked([seat], "discard"))

    page.get_by_role("button", name="Hint", exact=True).click()

    expect(hint).to_contain_text("Throw the")
    expect(hint.get_by_role("listitem")).to_have_count(5)
    expect(outlined).to_have_count(2)
    expect(page.get_by_role("log")).to_contain_text("% to win")
    box, hand = hint.bounding_box(), page.locator(".hand").bounding_box()
    assert box and hand
    assert hand["y"] + hand["height"] <= box["y"]
    assert complaints(page) == []
    resize(page, 1280, 800)
    assert complaints(page) == []

    page.get_by_role("button", name="Close hint").click()
    expect(hint).to_have_count(0)
    expect(outlined).to_have_count(0)

    play_until([seat], is_asked([seat], "play"))
    page.keyboard.press("t")
    expect(hint).to_contain_text(re.compile("^Play the"))
    expect(outlined).to_have_count(1)
    page.keyboard.press("Escape")
    expect(hint).to_have_count(0)


def test_no_hint_is_offered_where_hints_are_not_allowed(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish())[0]
    seats = [sit(live_site, open_page, table, who) for who in range(2)]
    play_until(seats, is_asked(seats[:1], "discard"))
    expect(seats[0].page.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    seats[0].page.keyboard.press("t")
    seats[0].act_by_keys()  # answered after a refused request for a hint
    expect(seats[0].page.locator(".notice")).to_have_count(0)
