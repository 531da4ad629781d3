"""A club night in real browsers: players join by link, are drawn and play; others watch."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.conftest import OpenPage
from tests.browser.test_ranked import FAST, TABLE, faults, match_of
from tests.support.accessible import complaints, overflow
from tests.support.clients import Client, play_match
from tests.support.seat import log_in
from tests.support.seated import run_script
from tests.support.servers import Site, sites

CLICK_WITHIN_MS = 3_000

_MAKE = """
import json, sys
import django
django.setup()
from datetime import timedelta
from django.utils import timezone
from games.models import Player
from ratings.clubs import clubs, nights
from tests.support.sessions import session_of

given = json.load(sys.stdin)
ann = Player.objects.create_user(given["organizer"])
begins = timezone.now() + timedelta(hours=1)
night = nights.plan(
    club=clubs.create(player=ann, name=f"Pegs of {ann.name}"), by=ann, title="Thursday",
    games=int(given.get("games", 1)), minutes=25,
    starts_at=begins, ends_at=begins + timedelta(hours=2),
)
print(json.dumps({"night": night.token, "cookie": session_of(ann)}))
"""

_LOG_IN = (
    _MAKE.split("begins =", maxsplit=1)[0]
    + """
print(json.dumps({"cookie": session_of(ann)}))
"""
)


@pytest.fixture(scope="module")
def club_site(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Site]:
    """Run a separate site without pauses or a socket rate limit."""
    folder = tmp_path_factory.mktemp("clubs")
    with sites(folder, empty_database=empty_database) as start:
        yield start(extra=FAST)


def play_by_sockets(site: Site, pages: list[Page]) -> None:
    """Play the match that two pages show, over sockets instead of the pages."""
    clients = []
    for number, page in enumerate(pages):
        match = match_of(page)
        cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
        page.goto("about:blank")
        clients.append(Client(site.socket_url, match, cookies["sessionid"], seed=number))
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, play_match(*clients)).result()


def go_to_table(page: Page) -> None:
    """Follow the link to the table, unless the page goes there by itself first."""
    link = page.get_by_role("link", name="Go to your table")
    while not TABLE.search(page.url):
        with contextlib.suppress(PlaywrightTimeout):
            link.click(timeout=CLICK_WITHIN_MS)
    page.wait_for_url(TABLE)


def test_a_club_night_from_joining_by_link_to_the_standings(
    club_site: Site, open_page: OpenPage
) -> None:
    made = run_script(club_site.database_url, _MAKE, {"organizer": "Ann"}, {})
    night = f"{club_site.url}/clubs/night/{made['night']}/"
    zoe = open_page(night, reduced_motion="reduce")
    zoe.get_by_label("Your name at the table").fill("Zoe")
    zoe.get_by_role("button", name="Join the night").click()
    expect(zoe.get_by_role("button", name="Withdraw")).to_be_visible()

    ann = open_page("about:blank", reduced_motion="reduce")
    log_in(ann.context, club_site, made["cookie"])
    ann.goto(night)
    ann.get_by_role("button", name="Join the night").click()
    watcher = open_page(night)
    expect(watcher.get_by_text("2 players so far.")).to_be_visible()
    ann.get_by_text("Start early").click()
    ann.get_by_role("button", name="Draw and start now").click()
    go_to_table(ann)

    # A waiting player is taken to their table, and spectators see that it is playing.
    zoe.wait_for_url(TABLE)
    ann.wait_for_url(TABLE)
    expect(watcher.get_by_text("playing", exact=True)).to_be_visible()
    expect(watcher.get_by_role("link", name="Refresh")).to_be_hidden()  # its script runs
    table = ann.url
    play_by_sockets(club_site, [ann, zoe])
    ann.goto(table)
    ann.get_by_role("link", name="Back to the club night").click()
    ann.wait_for_url(night)

    expect(watcher.get_by_text("The night is over.")).to_be_visible()
    lines = watcher.get_by_role("region", name="Standings").get_by_role("row")
    expect(lines).to_have_count(3)
    expect(lines.nth(1)).to_have_text(re.compile(r"1\s+(Ann|Zoe).*\s[23]\s", re.DOTALL))
    assert faults(watcher) == []
    plain = open_page(night, java_script_enabled=False)
    expect(plain.get_by_role("link", name="Refresh")).to_be_visible()
    expect(plain.get_by_text("The night is over.")).to_be_visible()


def test_a_player_who_still_reads_a_result_is_led_to_the_next_game(
    club_site: Site, open_page: OpenPage
) -> None:
    """The clock of that game runs as well."""
    made = run_script(club_site.database_url, _MAKE, {"organizer": "Cid", "games": "2"}, {})
    night = f"{club_site.url}/clubs/night/{made['night']}/"
    zoe = open_page(night, reduced_motion="reduce")
    zoe.get_by_label("Your name at the table").fill("Xena")
    zoe.get_by_role("button", name="Join the night").click()
    expect(zoe.get_by_role("button", name="Withdraw")).to_be_visible()
    cid = open_page("about:blank", reduced_motion="reduce")
    log_in(cid.context, club_site, made["cookie"])
    cid.goto(night)
    cid.get_by_role("button", name="Join the night").click()
    cid.get_by_text("Start early").click()
    cid.get_by_role("button", name="Draw and start now").click()
    go_to_table(cid)
    zoe.wait_for_url(TABLE)
    first = zoe.url
    play_by_sockets(club_site, [cid, zoe])
    zoe.goto(first)
    expect(zoe.get_by_text("Your next game has begun.")).to_be_visible()
    zoe.get_by_role("link", name="Go to your table").click()
    zoe.wait_for_url(lambda url: TABLE.search(url) is not None and url != first)


def test_a_table_that_begins_while_the_page_reloads_is_not_missed(
    club_site: Site, open_page: OpenPage
) -> None:
    made = run_script(club_site.database_url, _MAKE, {"organizer": "Bea"}, {})
    night = f"{club_site.url}/clubs/night/{made['night']}/"
    yara = open_page(night, reduced_motion="reduce")

    def hide_the_table(route: Route) -> None:
        """Answer as between the beginning of the night and the seating."""
        answer = route.fetch()
        text = re.sub(r'data-table="[^"]*"', 'data-table=""', answer.text())
        route.fulfill(response=answer, body=text)

    yara.route("**/live/", hide_the_table)
    yara.get_by_label("Your name at the table").fill("Yara")
    yara.get_by_role("button", name="Join the night").click()
    expect(yara.get_by_role("button", name="Withdraw")).to_be_visible()

    bea = open_page("about:blank", reduced_motion="reduce")
    log_in(bea.context, club_site, made["cookie"])
    bea.goto(night)
    bea.get_by_role("button", name="Join the night").click()
    bea.get_by_text("Start early").click()
    bea.get_by_role("button", name="Draw and start now").click()
    yara.wait_for_url(TABLE)

    # A player who comes back from the table to the night stays there.
    yara.unroute("**/live/")
    with yara.expect_response(re.compile("/live/$")):
        yara.goto(night)
    expect(yara.get_by_role("link", name="Go to your table")).to_be_visible()
    assert yara.url == night


def test_one_organiser_runs_a_tournament_on_a_phone_from_planning_to_titles(
    club_site: Site, open_page: OpenPage
) -> None:
    made = run_script(club_site.database_url, _LOG_IN, {"organizer": "Olive"}, {})
    page = open_page(
        "about:blank", viewport={"width": 390, "height": 844}, has_touch=True,
        reduced_motion="reduce",
    )  # fmt: skip
    log_in(page.context, club_site, made["cookie"])
    page.goto(f"{club_site.url}/tournaments/")
    page.get_by_role("link", name="Plan a tournament").tap()
    page.get_by_label("Title").fill("Olive Cup")
    page.get_by_label("Rounds (Swiss, qualifying)").fill("1")
    page.get_by_role("button", name="Plan the tournament").tap()
    page.get_by_role("button", name="Join", exact=True).tap()
    # A tap, other than a click, waits for no page, and the next one would stop the first's request.
    expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
    event = page.url
    page.get_by_role("link", name="Organiser's board").tap()
    for more, there in (("+1", 2), ("+2", 4)):
        page.get_by_role("button", name=more, exact=True).tap()
        expect(page.get_by_text(f"{there} players are here.")).to_be_visible()
    page.get_by_role("button", name="Start now").tap()
    expect(page.get_by_text("Round 1 is under way.")).to_be_visible()
    assert overflow(page) == 0
    page.get_by_role("link", name="Go to your table").tap()
    page.wait_for_url(TABLE)
    match = match_of(page)
    page.goto("about:blank")
    player = Client(club_site.socket_url, match, made["cookie"], seed=3)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, play_match(player)).result()
    page.goto(event)
    expect(page.get_by_text("The tournament is over.")).to_be_visible()
    lines = page.get_by_role("region", name="Standings").get_by_role("row")
    expect(lines).to_have_count(5)
    assert overflow(page) == 0


_LEAGUE = (
    _MAKE.split("begins =", maxsplit=1)[0]
    + """
from ratings.clubs import leagues
from ratings.models import ClubNight, Entrant, NightResult

club = clubs.create(player=ann, name=f"Pegs of {ann.name}")
bob = Player.objects.create_user("Bartholomew the Younger")
clubs.join(player=bob, token=club.token)
league = leagues.start(club=club, by=ann, title="Winter", nights=8, best=4)
for number in range(7):
    at = timezone.now() - timedelta(days=7 * number, hours=3)
    night = ClubNight.objects.create(
        club=club, league=league, title="Thursday", games=9, made_by=ann, state="over",
        starts_at=at, ends_at=at + timedelta(hours=2), over_at=at + timedelta(hours=2),
    )
    for player, points in ((ann, 10 + number), (bob, 9)):
        if player == ann or number:
            NightResult.objects.create(
                entrant=Entrant.objects.create(night=night, player=player), place=1, points=points,
                played=9, won=5, spread=12, form="WWWWWLLLL", best_hand=24,
            )
print(json.dumps({
    "league": f"/clubs/{club.public_id}/league/{league.public_id}/", "cookie": session_of(ann),
}))
"""
)


def test_a_league_of_many_nights_is_read_on_a_phone_without_sideways_scrolling(
    club_site: Site, open_page: OpenPage
) -> None:
    made = run_script(club_site.database_url, _LEAGUE, {"organizer": "Adelheid"}, {})
    page = open_page("about:blank", viewport={"width": 360, "height": 640})
    log_in(page.context, club_site, made["cookie"])
    page.goto(f"{club_site.url}{made['league']}")
    assert overflow(page) == 0
    box = page.locator(".league .scroll")
    assert box.evaluate("each => each.scrollWidth - each.clientWidth") == 0
    first, second = box.locator("tbody tr").all()
    expect(first).to_contain_text("Adelheid")
    for label in ("Place", "Game points", "Won", "Spread"):
        expect(first.locator(f"[data-label='{label}']")).to_be_visible()
    # Seven nights, of which the second player missed one.
    expect(first.locator(".league-night:visible")).to_have_count(7)
    expect(second.locator(".league-night:visible")).to_have_count(6)
    places = [
        first.locator(where).evaluate("each => each.getBoundingClientRect().top")
        for where in ("th", "[data-label='Game points']", ".league-night >> nth=6")
    ]
    assert places == sorted(places), "name, what decides, nights"
    assert complaints(page) == []


def test_a_refused_form_far_down_the_page_shows_its_wrong_field(
    club_site: Site, open_page: OpenPage
) -> None:
    cookie = run_script(club_site.database_url, _LOG_IN, {"organizer": "Greta"}, {})["cookie"]
    page = open_page("about:blank", viewport={"width": 360, "height": 640})
    log_in(page.context, club_site, cookie)
    page.goto(f"{club_site.url}/clubs/")
    page.get_by_label("Club name").fill("Far down")
    page.get_by_role("button", name="Start a club").click()
    page.get_by_text("Plan a club night").click()
    ends = page.get_by_label("Ends (no new game after this)")
    ends.fill("2020-01-01T20:00")
    page.get_by_role("button", name="Plan the night").click()
    expect(page.get_by_text("Choose an end within 24 hours of the start.")).to_be_in_viewport()
    expect(ends).to_be_focused()


def test_a_change_of_the_night_breaks_off_no_form_that_is_being_sent(
    club_site: Site, open_page: OpenPage
) -> None:
    """The change may be its own: the page asks for news before the form's answer has come."""
    made = run_script(club_site.database_url, _MAKE, {"organizer": "Otto"}, {})
    page = open_page(f"{club_site.url}/clubs/night/{made['night']}/")
    sent: list[Route] = []
    page.route("**/language/", lambda route: sent.append(route))  # noqa: PLW0108  # not a method
    page.route("**/live/", lambda route: route.fulfill(body='<p data-state="changed">Changed</p>'))
    page.get_by_role("button", name="Deutsch").click(no_wait_after=True)
    for _ in range(2):  # the second one shows that the page has stayed after the first
        page.wait_for_event("request", lambda asked: asked.url.endswith("/live/"))
    sent[0].fulfill(body="<h1>Answered</h1>", content_type="text/html")
    expect(page.get_by_role("heading", name="Answered")).to_be_visible()
