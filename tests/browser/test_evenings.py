"""A club's evening on phones: four people among sixteen, a match of two teams, a small league.

The people sign up, are taken to their tables and read the results in browsers; their cards are
played over sockets meanwhile.
"""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_clubs import _LOG_IN, club_site, go_to_table
from tests.browser.test_ranked import match_of
from tests.support.accessible import overflow
from tests.support.clients import Client, play_match
from tests.support.seat import log_in
from tests.support.seated import run_script
from tests.support.servers import Site

__all__ = ["club_site"]

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "reduced_motion": "reduce",
}
NAMES = ("Olive", "Percy", "Quinn", "Rosa")


@pytest.fixture
def people(club_site: Site, open_page: OpenPage, request: pytest.FixtureRequest) -> list[Page]:
    """Return four people's browsers at phone size, each logged in to an account."""
    pages = []
    for name in NAMES:
        named = {"organizer": f"{name} {len(request.node.name)}"}
        made = run_script(club_site.database_url, _LOG_IN, named, {})
        page = open_page("about:blank", **PHONE)
        log_in(page.context, club_site, made["cookie"])
        pages.append(page)
    return pages


def play_round(site: Site, event: str, people: list[Page]) -> None:
    """Wait until all are at their tables, and play these to the end."""
    for page in people:
        page.goto(event)
        go_to_table(page)
    tables: dict[str, list[Client]] = {}
    for number, page in enumerate(people):
        (cookie,) = (
            each["value"] for each in page.context.cookies() if each["name"] == "sessionid"
        )
        match = match_of(page)
        page.goto("about:blank")
        tables.setdefault(match, []).append(Client(site.socket_url, match, cookie, seed=number))
    with ThreadPoolExecutor(1) as pool:
        for clients in tables.values():
            pool.submit(asyncio.run, play_match(*clients)).result()


def start_club(site: Site, people: list[Page]) -> None:
    """Have the first person start a club, and the others join it by its link."""
    olive = people[0]
    olive.goto(f"{site.url}/clubs/")
    olive.get_by_label("Club name").fill("Pegs of Olive")
    olive.get_by_role("button", name="Start a club").tap()
    expect(olive.get_by_role("heading", name="Pegs of Olive")).to_be_visible()
    invitation = olive.locator("[data-copy-from]").first.inner_text()
    assert overflow(olive) == 0
    for page in people[1:]:
        page.goto(invitation)
        page.get_by_role("button", name="Join the club").tap()
        expect(page.get_by_role("heading", name="Pegs of Olive")).to_be_visible()


def correct(board: Page, number: int) -> None:
    """Correct Olive's game of a round on the organiser's board: Olive won by 121 to 0."""
    details = board.locator(f"#board-{number}")
    if details.get_attribute("open") is None:
        details.locator("> summary").tap()
    table = details.locator(".board-correct").filter(has=board.get_by_text(re.compile("Olive")))
    table.locator("summary").tap()
    own = table.locator("label").filter(has_text="Olive").locator("input")
    other = table.locator("label").filter(has_not_text="Olive").locator("input[type=number]")
    own.fill("121")
    other.fill("0")
    table.get_by_label("Why (everyone sees this)").fill("The board was read wrongly")
    assert overflow(board) == 0
    with board.expect_navigation():
        table.get_by_role("button", name="Save the correction").tap()


def test_an_evening_of_sixteen_from_sign_up_to_titles(club_site: Site, people: list[Page]) -> None:
    """The organiser starts a club, whose members join by its link, and plans an evening for them.

    Every table has the same cards; the organiser corrects a result that was entered wrongly.
    """
    start_club(club_site, people)
    olive = people[0]
    olive.goto(f"{club_site.url}/tournaments/")
    olive.get_by_role("link", name="Plan a tournament").tap()
    olive.get_by_label("Title").fill("Evening of sixteen")
    olive.get_by_label("Who can sign up").select_option(label="Members of the club")
    olive.get_by_label("Club", exact=True).select_option(label="Pegs of Olive")
    olive.get_by_label("Rounds (Swiss, qualifying)").fill("2")
    olive.get_by_role("button", name="Plan the tournament").tap()
    expect(olive.get_by_role("heading", name="Evening of sixteen")).to_be_visible()
    event = olive.url
    for page in people:
        page.goto(event)
        page.get_by_role("button", name="Join", exact=True).tap()
        expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
    olive.goto(event)
    olive.get_by_role("link", name="Organiser's board").tap()
    for more, there in (("+4", 8), ("+8", 16)):
        olive.get_by_role("button", name=more, exact=True).tap()
        expect(olive.get_by_text(f"{there} players are here.")).to_be_visible()
    assert overflow(olive) == 0
    olive.get_by_role("button", name="Start now").tap()
    expect(olive.get_by_text("Round 1 is under way.")).to_be_visible()

    for _ in range(2):
        play_round(club_site, event, people)
    olive.goto(event)
    expect(olive.get_by_text("The tournament is over.")).to_be_visible()
    lines = olive.get_by_role("region", name="Standings").get_by_role("row")
    expect(lines).to_have_count(17)
    assert overflow(olive) == 0

    olive.get_by_role("link", name="Organiser's board").tap()
    for number in (1, 2):
        correct(olive, number)
    percy = people[1]
    percy.goto(event)
    expect(percy.get_by_text(re.compile("The board was read wrongly")).first).to_be_visible()
    winner = percy.get_by_role("listitem").filter(has_text="wins the tournament")
    expect(winner).to_have_text(re.compile("Olive"))
    percy.get_by_role("link", name=re.compile("^Olive")).first.tap()
    expect(percy.get_by_role("link", name="Evening of sixteen")).to_be_visible()
    expect(
        percy.get_by_text(re.compile("Evening of sixteen.*winner", re.DOTALL)).first
    ).to_be_visible()
    assert overflow(percy) == 0


def test_a_match_of_two_teams_is_won_by_one_of_them(club_site: Site, people: list[Page]) -> None:
    olive = people[0]
    olive.goto(f"{club_site.url}/tournaments/")
    teams = olive.get_by_role("region", name="Two against two")
    teams.get_by_label("Title").fill("Couples")
    teams.get_by_label("Rounds").select_option("1")
    teams.get_by_role("button", name="Create the match").tap()
    expect(olive.get_by_role("heading", name="Couples")).to_be_visible()
    event = olive.url
    link = olive.locator("[data-copy-from]").inner_text()
    for number, page in enumerate(people):
        page.goto(link)
        team = "AB"[number % 2]
        page.get_by_role("button", name=f"Join team {team}").tap()
        page.wait_for_url(event)
    play_round(club_site, event, people)
    rosa = people[3]
    rosa.goto(event)
    expect(rosa.get_by_text("The match is over.")).to_be_visible()
    winners = rosa.get_by_role("listitem").filter(has_text="wins the match")
    expect(winners).not_to_have_count(0)
    names = " ".join(winners.all_inner_texts())
    assert overflow(rosa) == 0
    sides = [set(re.findall("Olive|Quinn", names)), set(re.findall("Percy|Rosa", names))]
    assert sorted(map(len, sides)) in ([0, 2], [2, 2]), "both of the better team; or a tie"


def test_a_league_of_two_teams_from_its_form_to_its_table(
    club_site: Site, people: list[Page]
) -> None:
    """Small phones: teams join by links, say that they are ready, play, and read the table."""
    for page in people:
        page.set_viewport_size({"width": 360, "height": 640})
    olive, percy, quinn, rosa = people
    olive.goto(f"{club_site.url}/tournaments/")
    olive.get_by_role("link", name="Start a league").tap()
    olive.get_by_label("Title").fill("Autumn League")
    olive.get_by_label("Rounds per match").select_option("1")
    assert overflow(olive) == 0
    olive.get_by_role("button", name="Start the league").tap()
    expect(olive.get_by_role("heading", name="Autumn League")).to_be_visible()
    league = olive.url
    for first, second, name in ((olive, percy, "Foxes"), (quinn, rosa, "Owls")):
        first.goto(league)
        first.get_by_label("Team name").fill(name)
        first.get_by_role("button", name="Enter a team").tap()
        expect(first.get_by_text("needs a second player")).to_be_visible()
        link = first.locator("[data-copy-from]").inner_text()
        second.goto(link)
        assert overflow(second) == 0
        second.get_by_role("button", name="Join the team").tap()
        second.wait_for_url(league)
    olive.goto(league)
    olive.get_by_role("button", name="Start now").tap()
    expect(olive.get_by_text("Round 1 of 1 is under way.")).to_be_visible()
    for page in people:
        page.goto(league)
        ready = page.get_by_role("button", name="I'm ready to play")
        expect(ready).to_be_visible()
        assert overflow(page) == 0
        with page.expect_navigation(url=re.compile("/tournaments/[^/]+/$")):
            ready.tap()
        if page is olive:
            match = page.url
    play_round(club_site, match, people)
    rosa.goto(league)
    expect(rosa.get_by_text("The league is over.")).to_be_visible()
    table = rosa.get_by_role("region", name="Table").get_by_role("row")
    expect(table).to_have_count(3)
    expect(table.filter(has_text="Owls")).to_have_class(re.compile("row-own"))
    expect(table.filter(has_text="Foxes")).to_have_count(1)
    assert overflow(rosa) == 0
