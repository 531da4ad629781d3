"""Games entered by hand, card by card, in a real browser."""

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.support.seat import log_in
from tests.support.servers import Site, manage

SAMPLE = Path(__file__).parent.parent / "data" / "sample.jsonl"

TWO_ACCOUNTS = """
from games.models import Player
from tests.support.sessions import session_of
for name in ("Odile", "Ruben"):
    print(session_of(Player.objects.create_user(name)))
"""

Visit = Callable[[str], Page]


@pytest.fixture
def visit(live_site: Site, open_page: OpenPage) -> Visit:
    """Give a function that opens an address as a visitor."""
    return lambda path: open_page(live_site.url + path, reduced_motion="reduce")


def test_cards_typed_while_the_server_checks_are_entered(visit: Visit) -> None:
    hand = json.loads(SAMPLE.read_text().splitlines()[0])["hands"][0]
    page = visit("/matches/enter/")
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


def test_a_game_can_be_entered_card_by_card(visit: Visit) -> None:
    hand = json.loads(SAMPLE.read_text().splitlines()[0])["hands"][0]
    page = visit("/matches/enter/")
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
    visit: Visit,
) -> None:
    hand = json.loads(SAMPLE.read_text().splitlines()[0])["hands"][0]
    page = visit("/matches/enter/")
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


def test_a_lost_connection_takes_nothing_of_a_game_being_entered(visit: Visit) -> None:
    hand = json.loads(SAMPLE.read_text().splitlines()[0])["hands"][0]
    page = visit("/matches/enter/")
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
    page.go_back()
    expect(asked).to_have_text("Seat 2 is dealt 6 cards")
    page.goto(address)
    expect(asked).to_have_text("Seat 2 is dealt 6 cards")


def test_a_name_that_is_changed_before_the_draft_is_checked_keeps_it(visit: Visit) -> None:
    hand = json.loads(SAMPLE.read_text().splitlines()[0])["hands"][0]
    page = visit("/matches/enter/")
    asked, name = page.locator("#entry-now"), page.get_by_label("Name in seat 2")
    deal(page, hand)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/check/", hold)
    page.reload()
    while not held:
        page.wait_for_timeout(50)
    page.get_by_text("Names", exact=True).click()
    name.fill("Odile")
    name.blur()  # while it is being checked
    held.pop().abort()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    page.unroute("**/check/")
    name.fill("Ruben")
    name.blur()  # after that has failed
    expect(asked).to_contain_text("Ruben throws 2 cards")


def test_a_game_being_entered_is_shown_to_no_other_account(
    live_site: Site, open_page: OpenPage
) -> None:
    hand = json.loads(SAMPLE.read_text().splitlines()[0])["hands"][0]
    sessions = manage(live_site.database_url, "shell", "-v0", "-c", TWO_ACCOUNTS).split()
    address = f"{live_site.url}/matches/enter/"
    page = open_page(address)
    asked = page.locator("#entry-now")
    deal(page, hand)
    log_in(page.context, live_site, sessions[0])
    page.goto(address)
    expect(asked).to_contain_text("Seat 2 throws 2 cards")  # who entered it has logged in since
    log_in(page.context, live_site, sessions[1])
    page.goto(address)
    expect(asked).to_have_text("Seat 2 is dealt 6 cards")
