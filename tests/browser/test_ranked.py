"""Ranked games in real browsers: pairing, play, field comparison, and later rating changes."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_table_of_three import BROKEN, CUT, SMALLEST
from tests.support.accessible import complaints, resize
from tests.support.accessible import faults as page_faults
from tests.support.clients import Client, play_match
from tests.support.seat import Seat, play_out, sit
from tests.support.seated import begin_challenge, make_ranked, run_script, set_clock
from tests.support.servers import Site, manage, sites

PAIRS = 10
"""Further pairs to play at most: usually the first one changes both ratings by 0.1 Elo or more."""
FAST = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000", "RANKED_POOL_DEPTH": "0"}
CLOCK_S = {"RANKED_CLOCK_SECONDS": "95"}
"""Time for a decision: enough to look at one page while the other player waits."""
LATE = 95
"""Points at which two players who played by sockets go on in their browsers."""
PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 720}
RING_TO_TEXT = """() => {
  const text = document.createRange();
  text.selectNodeContents(document.querySelector('.fair'));
  const panels = [...document.querySelectorAll('.plate')];
  const ring = 2; // its width
  return text.getBoundingClientRect().top - ring
    - Math.max(...panels.map(panel => panel.getBoundingClientRect().bottom));
}"""
"""Returns how far the commitment to the cards is below the ring of a panel, pixels."""
_numbers = itertools.count(1)
TABLE = re.compile(r"/t/(\w+)/")


@pytest.fixture(scope="module")
def ranked_site(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Site]:
    """Run a separate site with an empty catalogue, and without pauses or a socket rate limit."""
    with sites(tmp_path_factory.mktemp("ranked"), empty_database=empty_database) as start:
        yield start(extra=FAST | CLOCK_S)


def find_game(site: Site, open_page: OpenPage) -> tuple[Page, Page]:
    """Return the pages of two new accounts that the queue has paired at a table.

    What guests are dealt is dealt to nobody else.
    """
    pages = [open_page(f"{site.url}/accounts/signup/", reduced_motion="reduce") for _ in range(2)]
    for page in pages:
        sign_up(page)
        page.goto(f"{site.url}/ranked/")
    for page in pages:
        page.get_by_role("button", name="Play ranked, two players").click()
    for page in pages:
        page.wait_for_url(TABLE)
    return pages[0], pages[1]


def sign_up(page: Page) -> str:
    """Fill in the form of a new account; return its name."""
    name = f"Player {next(_numbers)}"
    page.get_by_label("Name", exact=False).first.fill(name)
    page.get_by_label("Password").fill("fifteen-two-4")
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url(lambda url: "signup" not in url)
    return name


_SEAT = """
import json, sys
import django
django.setup()
from django.conf import settings
settings.RANKED_POOL_DEPTH = 0
from games.models import Player
from ratings.matchmaking import queue
from tests.support.sessions import session_of
both = [Player.objects.create_user(name, kind="person") for name in json.load(sys.stdin)]
seated = [queue.enter(player=player, seats=2).match for player in both]
print(json.dumps({"match": seated[-1], "cookies": [session_of(player) for player in both]}))
"""

_GAME = """
import json, sys
import django
django.setup()
from ratings.models import Attempt, Play
from tests.support.waiting import wait_for
(match, number) = json.load(sys.stdin)
rated = Attempt.objects.filter(play__match__public_id=match, player__ratings__isnull=False)
wait_for(lambda: rated.count() == number)
print(json.dumps(Play.objects.get(match__public_id=match).standard_game_id))
"""


def play_elsewhere(site: Site, number: int) -> tuple[str, int]:
    """Have two more accounts paired by the queue play over sockets; return match and game.

    Once it is rated, which the pages of the first two show.
    """
    names = [f"Other {number} {which}" for which in ("A", "B")]
    made = run_script(site.database_url, _SEAT, names, {})
    players = [
        Client(site.socket_url, made["match"], cookie, seed=seed)
        for seed, cookie in enumerate(made["cookies"])
    ]
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, play_match(*players)).result()
    game = run_script(site.database_url, _GAME, [made["match"], len(players)], {})
    return made["match"], game


def match_of(page: Page) -> str:
    found = TABLE.search(page.url)
    assert found, page.url
    return found[1]


def play_by_sockets(site: Site, pages: Sequence[Page], *, points: int = 121) -> None:
    """Play the match that these players' pages show, over sockets, to so many points."""
    match = match_of(pages[0])
    clients = []
    for number, page in enumerate(pages):
        cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
        page.goto("about:blank")
        clients.append(Client(site.socket_url, match, cookies["sessionid"], seed=number))
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, play_match(*clients, points=points)).result()


def open_result(site: Site, page: Page, match: str) -> int:
    """Follow the match page to the result and wait for it; return the standard game's number."""
    page.goto(f"{site.url}/matches/{match}/")
    page.get_by_role("link", name="My result").click()
    expect(page.locator("dt", has_text="Your margin")).to_be_visible()
    found = re.search(r"/standard/(\d+)/result/", page.url)
    assert found
    return int(found[1])


def commitment_shown(page: Page) -> str | None:
    """Return the commitment shown at the table, where the discard clock must be running."""
    ring = page.locator(".ring").first
    expect(ring).to_be_visible()
    expect(ring).to_have_accessible_name(re.compile(r"^\d+ seconds? left$"))
    return page.locator(".fair code").first.get_attribute("title")


def faults(page: Page) -> list[str]:
    """Return axe's findings on a page, and whether a phone has to scroll it sideways."""
    found = complaints(page)
    resize(page, 360, 640)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("wider than a phone")
    resize(page, 1280, 720)
    return found


def feed_has(site: Site, page: Page, game: int) -> bool:
    """Return whether the newest item of a visitor's feed is about others playing this game."""
    page.goto(f"{site.url}/ratings/me/")
    return f"had your cards in game #{game} and" in page.locator(".feed-item").first.inner_text()


def top_of(page: Page, selector: str) -> float:
    """Return where an element begins, in pixels from the top."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["y"]


def rating(site: Site, page: Page) -> float:
    """Return the rating on a visitor's own page."""
    page.goto(f"{site.url}/ratings/me/")
    return float(page.locator("[data-rating]").get_attribute("data-rating") or "nan")


@pytest.mark.slow
def test_ratings_change_when_others_play_the_same_cards(
    ranked_site: Site, open_page: OpenPage
) -> None:
    first = find_game(ranked_site, open_page)
    assert match_of(first[0]) == match_of(first[1])
    match = match_of(first[0])
    commitments = {commitment_shown(page) for page in first}
    addresses = [page.url for page in first]
    play_by_sockets(ranked_site, first, points=LATE)
    for page, address in zip(first, addresses, strict=True):
        page.set_viewport_size(PHONE)
        page.goto(address)
    play_out([Seat.at_once(page) for page in first])
    for page in first:
        page.set_viewport_size(DESKTOP)
    for page in first:
        expect(page.locator(".recap-place")).to_contain_text("with these cards")
        expect(page.locator(".recap-rating")).to_contain_text("1500 →")
        expect(page.get_by_role("button", name="Next ranked game")).to_be_visible()
        expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
        expect(page.locator(".result-title")).to_be_focused()
        expect(page.locator("[data-pending]")).to_have_count(0)
        assert top_of(page, ".recap-place") < top_of(page, ".result-title")
        assert page_faults(page) == []
    games = {open_result(ranked_site, page, match) for page in first}
    game = games.pop()
    assert not games
    first[0].goto(f"{ranked_site.url}/standard/{game}/verify/")
    assert commitments == {first[0].locator("[data-commitment]").inner_text()}
    open_result(ranked_site, first[0], match)
    for page in first:
        expect(page.get_by_role("heading", level=1)).to_contain_text(
            re.compile(r"^\d\w\w of \d+\b")
        )
        assert faults(page) == []
    before = [rating(ranked_site, page) for page in first]

    pairs = 0
    while pairs < PAIRS and not all(feed_has(ranked_site, page, game) for page in first):
        pairs += 1
        theirs, played = play_elsewhere(ranked_site, pairs)
        assert theirs != match
        assert played == game

    for page, was in zip(first, before, strict=True):
        assert rating(ranked_site, page) != was
        news = page.locator(".feed-item").first
        expect(news).to_contain_text("while you were away")
        expect(news).to_contain_text(
            re.compile(rf"\d more players? had your cards in game #{game} and did \w+: now ")
        )
        assert faults(page) == []
        news.get_by_role("link", name=f"your cards in game #{game}").click()
        expect(page.locator(".row-own").first).to_contain_text("you")
        assert faults(page) == []


def test_a_reload_keeps_the_place_in_the_queue_and_the_queue_can_be_left(
    ranked_site: Site, open_page: OpenPage
) -> None:
    waited = re.compile(r"^\s*(?!0:0[01])\d+:\d\d\s*$")
    page = open_page(f"{ranked_site.url}/ranked/")
    page.get_by_role("button", name="Ranked, three players").click()
    expect(page.get_by_text("Looking for a game for 3 players…")).to_be_visible()
    expect(page.locator("[data-time]")).to_have_text(waited)
    before = page.locator("[data-time]").inner_text()
    page.reload()
    expect(page.locator("[data-time]")).to_have_text(waited)
    assert page.locator("[data-time]").inner_text() >= before
    other = page.context.new_page()
    other.goto(f"{ranked_site.url}/ranked/")
    other.locator("[data-plain]").wait_for(state="hidden")  # its script runs
    page.get_by_role("button", name="Leave the queue").click()
    expect(page.get_by_role("button", name="Ranked, three players")).to_be_visible()
    expect(other.get_by_text("You're no longer in the queue.")).to_be_visible()
    assert page_faults(other) == []


def test_the_browser_verifies_the_commitment_to_the_cards(
    ranked_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{ranked_site.url}/challenge/")
    page.get_by_role("button", name="Create a challenge").click()
    page.locator(".fair > summary").click()
    page.get_by_role("link", name="Check the cards").click()
    expect(page.get_by_text("Others can still play this game.")).to_be_visible()
    number = re.search(r"/standard/(\d+)/", page.url)
    assert number
    close(ranked_site, int(number[1]))
    page.reload()
    expect(page.locator("[data-good]")).to_be_visible()
    page.evaluate("document.querySelector('[data-packs] li code').textContent = 'AC'")
    assert (
        page.evaluate(
            """async () => {
          const address = document.querySelector('script[src*="verify"]').src;
          const { canonical, digest } = await import(address);
          const packs = [...document.querySelectorAll('[data-packs] li')].map(li => li.textContent);
          const salt = document.querySelector('[data-salt]').textContent;
          return await digest(canonical(salt, packs));
        }"""
        )
        != page.locator("[data-commitment]").inner_text()
    )


def test_on_a_phone_the_commitment_is_clear_of_the_ring_of_who_is_to_act(
    ranked_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_ranked(ranked_site.database_url, tables=1, clock=600)
    page = sit(ranked_site, open_page, table, 0, viewport=PHONE).page
    expect(page.locator(".plate.turn")).to_have_count(2)
    expect(page.locator(".fair")).to_be_visible()
    assert page.evaluate(RING_TO_TEXT) >= 2


def test_on_the_smallest_phone_the_names_beside_clocks_are_whole(
    ranked_site: Site, open_page: OpenPage
) -> None:
    (table,) = make_ranked(ranked_site.database_url, tables=1, clock=600)
    page = sit(ranked_site, open_page, table, 0).page
    resize(page, *SMALLEST)
    expect(page.locator(".plate .ring")).to_have_count(2)
    names = page.locator(".plate-name")
    expect(names.nth(1)).to_contain_text("Guest")
    assert names.evaluate_all(CUT) == []
    assert names.evaluate_all(BROKEN) == []


def close(site: Site, number: int) -> None:
    """Close a standard game, as its last play would."""
    manage(
        site.database_url,
        "shell",
        "-c",
        "from ratings.models import StandardGame\n"
        "from ratings.standard.catalogue import close\n"
        f"close(game=StandardGame.objects.get(pk={number}))",
    )


def test_time_that_runs_out_is_said_at_the_table_with_what_it_costs(
    ranked_site: Site, open_page: OpenPage
) -> None:
    page = open_page(f"{ranked_site.url}/accounts/signup/", reduced_motion="reduce")
    name = sign_up(page)
    match = begin_challenge(ranked_site, name, scores=(120, 0))
    page.goto(f"{ranked_site.url}/t/{match}/?pace=tap")
    page.locator("[data-ask=discard]").wait_for()
    # Only now, so that no page comes after the end; the regular search for late seats finds it.
    set_clock(ranked_site, match, seconds=3)
    said = "Time ran out: this game counts as lost. The computer plays it to the end."
    expect(page.get_by_role("alert")).to_contain_text(said)
    expect(page.get_by_role("button", name="Take back my seat")).to_have_count(0)
    assert page_faults(page) == []
    page.goto(f"{ranked_site.url}/t/{match}/?pace=instant")
    expect(page.locator(".result-title")).to_have_text("You lost on time")
    # The computer in this seat needed one point only, and was first.
    expect(page.locator(".final .seat-0 b")).to_have_text("121")
    expect(page.locator(".final .winner")).not_to_have_class(re.compile("seat-0"))
    page.get_by_role("button", name="Log", exact=True).click()
    expect(page.locator(".log-head").last).to_contain_text("The computer finished the game")
    expect(page.get_by_text(re.compile(r"\bYou won\b"))).to_have_count(0)
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator(".recap-note").first).to_contain_text("Your time ran out")
    expect(page.get_by_role("link", name="See who else has played")).to_be_visible()


@pytest.mark.slow
def test_who_resigns_is_told_what_follows_sees_no_card_more_and_gets_the_result(
    ranked_site: Site, open_page: OpenPage
) -> None:
    """At the size of a phone, through a reload, to the place and the rating at the end."""
    pages = find_game(ranked_site, open_page)
    for page in pages:
        page.set_viewport_size(PHONE)
    left, stays = (Seat.at_once(page) for page in pages)
    expect(left.hand).to_have_count(6)
    left.page.get_by_role("button", name="Resign", exact=True).click()
    left.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    while left.page.locator(".hand-card").count():
        if stays.asked:
            stays.act()
    for _ in range(2):
        actions = left.page.locator(".actions")
        expect(actions).to_contain_text("You resigned: this game counts as lost.")
        expect(actions).to_contain_text("you don't see them any more")
        expect(actions.get_by_role("link", name="Leave the table")).to_be_in_viewport()
        expect(left.page.get_by_role("button", name="Resign", exact=True)).to_have_count(0)
        assert left.page.locator("[data-card]").count() == 0
        assert page_faults(left.page) == []
        left.page.reload()
        left.table.wait_for()
    address = stays.page.url
    play_by_sockets(ranked_site, [stays.page], points=LATE)
    stays.page.goto(address)
    play_out([Seat(stays.page)])
    expect(left.page.locator(".result-title")).to_have_text("You left and lost")
    expect(left.page.locator(".recap-rating")).to_contain_text("1500 →")
    expect(left.page.get_by_role("button", name="Next ranked game")).to_be_visible()
    expect(left.page.locator("[data-pending]")).to_have_count(0)
    assert page_faults(left.page) == []
