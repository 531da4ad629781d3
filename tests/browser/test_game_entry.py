"""Entering a game by hand, card by card."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.support.seat import log_in
from tests.support.servers import Site
from tests.support.tables import make_tables, wish

SAMPLE = Path(__file__).parent.parent / "data" / "sample.jsonl"


@pytest.fixture
def page(live_site: Site, open_page: OpenPage) -> Page:
    """Return the page where a guest enters a game."""
    (table,) = make_tables(live_site.database_url, wish(computers=(1,)))
    opened = open_page("about:blank", reduced_motion="reduce")
    log_in(opened.context, live_site, table.cookies[0])
    opened.goto(live_site.url + "/matches/enter/")
    return opened


def test_cards_typed_while_the_server_checks_are_entered(page: Page) -> None:
    hand = json.loads(SAMPLE.read_text().splitlines()[0])["hands"][0]
    asked = page.locator("#entry-now")
    expect(asked).to_have_text("Seat 2 is dealt 6 cards")
    held: list[Route] = []
    released = threading.Event()
    page.route(
        "**/check/", lambda route: route.continue_() if released.is_set() else held.append(route)
    )
    with page.expect_request("**/check/"):
        page.get_by_label("First dealer").select_option("1")
    cards = page.get_by_label("Type or tap the cards")
    cards.fill(" ".join(hand["dealt"][0]))
    cards.press("Enter")
    released.set()
    for route in held:
        route.continue_()
    expect(asked).to_have_text("Seat 2 is dealt 6 cards")
    expect(cards).to_have_value("")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()


def test_a_game_can_be_entered_card_by_card(page: Page) -> None:
    hand = json.loads(SAMPLE.read_text().splitlines()[0])["hands"][0]
    dealer = hand["dealer"]
    page.get_by_label("First dealer").select_option(str(dealer))
    cards = page.get_by_label("Type or tap the cards")
    asked = page.locator("#entry-now")
    pone = 1 - dealer
    expect(asked).to_have_text(f"Seat {pone + 1} is dealt 6 cards")
    cards.fill(" ".join([*hand["dealt"][pone][:2], "XX"]))
    expect(page.locator("#entry-told")).to_contain_text("Type rank and suit")
    cards.fill(" ".join(hand["dealt"][pone]))
    cards.press("Enter")
    expect(asked).to_have_text(f"Seat {dealer + 1} is dealt 6 cards")
    cards.fill(hand["dealt"][pone][0])
    expect(page.locator("#entry-told")).to_contain_text("has already been dealt")
    expect(page.locator(f'[data-card="{hand["dealt"][pone][0]}"]')).to_be_disabled()
    for name in hand["dealt"][dealer]:
        page.locator(f'[data-card="{name}"]').click()
    for seat in (pone, dealer):
        expect(asked).to_contain_text(f"Seat {seat + 1} throws 2 cards")
        cards.fill(" ".join(hand["discards"][seat]))
        cards.press("Enter")
    expect(asked).to_have_text("The starter")
    page.locator(f'[data-card="{hand["starter"]}"]').click()
    expect(asked).to_contain_text(f"Count 0: Seat {pone + 1} to play")
    page.get_by_role("button", name="Save unfinished game").click()
    expect(page.get_by_text("Imported: not counted in any record.")).to_be_visible()


def deal(page: Page, hand: dict[str, list[list[str]]]) -> None:
    """Enter what both seats are dealt in the first hand of the sample, where seat 1 deals."""
    page.get_by_label("First dealer").select_option("0")
    cards, asked = page.get_by_label("Type or tap the cards"), page.locator("#entry-now")
    for seat, following in ((1, " is dealt 6 cards"), (0, " throws 2 cards")):
        cards.fill(" ".join(hand["dealt"][seat]))
        cards.press("Enter")
        expect(asked).to_contain_text(following)
        expect(cards).to_have_value("")


def test_a_game_being_entered_survives_a_reload_with_its_names_and_single_steps(
    page: Page,
) -> None:
    hand = json.loads(SAMPLE.read_text().splitlines()[0])["hands"][0]
    asked = page.locator("#entry-now")
    page.get_by_text("Names", exact=True).click()
    page.get_by_label("Name in seat 2").fill("Odile")
    page.get_by_label("My seat").select_option("0")
    deal(page, hand)
    page.reload()
    expect(asked).to_contain_text("Odile throws 2 cards")
    expect(page.get_by_label("My seat")).to_have_value("0")
    page.get_by_role("button", name="Undo").click()
    expect(asked).to_have_text("Seat 1 is dealt 6 cards")
    page.get_by_role("button", name="Undo").click()
    expect(asked).to_have_text("Odile is dealt 6 cards")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_a_lost_connection_takes_nothing_of_a_game_being_entered(page: Page) -> None:
    hand = json.loads(SAMPLE.read_text().splitlines()[0])["hands"][0]
    address, asked = page.url, page.locator("#entry-now")
    cards = page.get_by_label("Type or tap the cards")
    deal(page, hand)
    page.route("**/check/", lambda route: route.abort())
    cards.fill(" ".join(hand["discards"][1]))
    cards.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("The server isn't responding. Try again.")
    expect(cards).to_have_value(" ".join(hand["discards"][1]))
    page.reload()
    expect(page.get_by_role("alert")).to_be_visible()
    page.unroute("**/check/")
    page.get_by_role("button", name="Try again").click()
    expect(asked).to_contain_text("Seat 2 throws 2 cards")
    page.route("**/enter/", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Save unfinished game").click()
    page.unroute("**/enter/")
    page.goto(address)
    expect(asked).to_contain_text("Seat 2 throws 2 cards")
    page.get_by_role("button", name="Save unfinished game").click()
    expect(page.get_by_text("Imported: not counted in any record.")).to_be_visible()
