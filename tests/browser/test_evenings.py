"""A club's evening on phones: four people among sixteen, a match of two teams, a small league.

Two of the people sign up, are taken to their tables and read the results in browsers; two do the
same by scripts. All cards are played over sockets.
"""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.test_clubs import club_site, go_to_table
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
NAMES = ("Olive", "Percy")
"""Who have browsers."""
AWAY = ("Quinn", "Rosa")
"""Who have none, and do what their scripts do."""

_BEGIN = """
import json, sys
import django
django.setup()
from games.models import Player
given = json.load(sys.stdin)
"""

_MAKE = (
    _BEGIN
    + """
from tests.support.sessions import session_of
print(json.dumps([session_of(Player.objects.create_user(name)) for name in given]))
"""
)

_JOIN = (
    _BEGIN
    + """
from ratings.clubs import clubs
from ratings.events import events
from ratings.models import Club, Event
for player in Player.objects.filter(name__in=given["names"]):
    clubs.join(player=player, token=Club.objects.get(name=given["club"]).token)
    events.join(event=Event.objects.get(title=given["event"]), player=player)
print("null")
"""
)

_ENTER_TEAMS = (
    _BEGIN
    + """
from ratings.events import team_matches
from ratings.models import Event
for team, name in enumerate(given["names"]):
    player = Player.objects.get(name=name)
    team_matches.enter(event=Event.objects.get(title=given["event"]), player=player, team=team)
print("null")
"""
)

_ENTER_LEAGUE = (
    _BEGIN
    + """
from ratings.models import TeamLeague
from ratings.team_leagues import leagues
first, second = (Player.objects.get(name=name) for name in given["names"])
league = TeamLeague.objects.get(title=given["league"])
team = leagues.enter_team(league=league, by=first, name=given["team"], token=league.token)
leagues.join(team=team, player=second)
print("null")
"""
)

_GET_READY = (
    _BEGIN
    + """
from ratings.models import Fixture
from ratings.team_leagues import matches
for player in Player.objects.filter(name__in=given["names"]):
    row = Fixture.objects.get(league__title=given["league"])
    matches.get_ready(league=row.league, player=player, fixture=row.pk)
print("null")
"""
)

_TABLES = (
    _BEGIN
    + """
from games.models import Match, Seat
from tests.support.waiting import wait_for
seats = Seat.objects.filter(player__name__in=given, match__status=Match.Status.PLAYING)
wait_for(lambda: seats.count() == len(given))
found = dict(seats.values_list("player__name", "match__public_id"))
print(json.dumps([found[name] for name in given]))
"""
)


@dataclass(frozen=True)
class People:
    """Four people: two pages of phones, and the names and sessions of two without."""

    site: Site
    olive: Page
    percy: Page
    names: list[str]
    sessions: list[str]

    def away(self, script: str, **given: str) -> None:
        """Have those without a browser do what a script does."""
        run_script(self.site.database_url, script, {"names": self.names, **given}, {})


@pytest.fixture
def people(club_site: Site, open_page: OpenPage, request: pytest.FixtureRequest) -> People:
    """Return four people, each logged in to an account."""
    names = [f"{name} {len(request.node.name)}" for name in (*NAMES, *AWAY)]
    sessions = run_script(club_site.database_url, _MAKE, names, {})
    olive, percy = (open_page("about:blank", **PHONE) for _ in NAMES)
    for page, session in zip((olive, percy), sessions, strict=False):
        log_in(page.context, club_site, session)
    return People(club_site, olive, percy, names[len(NAMES) :], sessions[len(NAMES) :])


def play_round(event: str, people: People) -> None:
    """Wait until all are at their tables, and play these to the end."""
    seated: list[tuple[str, str]] = []
    for page in (people.olive, people.percy):
        page.goto(event)
        go_to_table(page)
        (cookie,) = (
            each["value"] for each in page.context.cookies() if each["name"] == "sessionid"
        )
        seated.append((match_of(page), cookie))
        page.goto("about:blank")
    matches = run_script(people.site.database_url, _TABLES, people.names, {})
    tables: dict[str, list[Client]] = {}
    seated += zip(matches, people.sessions, strict=True)
    for number, (match, cookie) in enumerate(seated):
        client = Client(people.site.socket_url, match, cookie, seed=number)
        tables.setdefault(match, []).append(client)
    with ThreadPoolExecutor(1) as pool:
        for clients in tables.values():
            pool.submit(asyncio.run, play_match(*clients)).result()


def start_club(people: People) -> None:
    """Have one person start a club, and the other join it by its link."""
    olive, percy = people.olive, people.percy
    olive.goto(f"{people.site.url}/clubs/")
    olive.get_by_label("Club name").fill("Pegs of Olive")
    olive.get_by_role("button", name="Start a club").tap()
    expect(olive.get_by_role("heading", name="Pegs of Olive")).to_be_visible()
    invitation = olive.locator("[data-copy-from]").first.inner_text()
    assert overflow(olive) == 0
    percy.goto(invitation)
    percy.get_by_role("button", name="Join the club").tap()
    expect(percy.get_by_role("heading", name="Pegs of Olive")).to_be_visible()


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


def test_an_evening_of_sixteen_from_sign_up_to_titles(club_site: Site, people: People) -> None:
    """The organiser starts a club, whose members join by its link, and plans an evening for them.

    Every table has the same cards; the organiser corrects a result that was entered wrongly.
    """
    start_club(people)
    olive, percy = people.olive, people.percy
    olive.goto(f"{club_site.url}/tournaments/")
    olive.get_by_role("link", name="Plan a tournament").tap()
    olive.get_by_label("Title").fill("Evening of sixteen")
    olive.get_by_label("Who can sign up").select_option(label="Members of the club")
    olive.get_by_label("Club", exact=True).select_option(label="Pegs of Olive")
    olive.get_by_label("Rounds (Swiss, qualifying)").fill("2")
    olive.get_by_role("button", name="Plan the tournament").tap()
    expect(olive.get_by_role("heading", name="Evening of sixteen")).to_be_visible()
    event = olive.url
    people.away(_JOIN, club="Pegs of Olive", event="Evening of sixteen")
    for page in (olive, percy):
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
        play_round(event, people)
    olive.goto(event)
    expect(olive.get_by_text("The tournament is over.")).to_be_visible()
    lines = olive.get_by_role("region", name="Standings").get_by_role("row")
    expect(lines).to_have_count(17)
    assert overflow(olive) == 0

    olive.get_by_role("link", name="Organiser's board").tap()
    for number in (1, 2):
        correct(olive, number)
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


def test_a_match_of_two_teams_is_won_by_one_of_them(club_site: Site, people: People) -> None:
    olive, percy = people.olive, people.percy
    olive.goto(f"{club_site.url}/tournaments/")
    teams = olive.get_by_role("region", name="Two against two")
    teams.get_by_label("Title").fill("Couples")
    teams.get_by_label("Rounds").select_option("1")
    teams.get_by_role("button", name="Create the match").tap()
    expect(olive.get_by_role("heading", name="Couples")).to_be_visible()
    event = olive.url
    link = olive.locator("[data-copy-from]").inner_text()
    people.away(_ENTER_TEAMS, event="Couples")
    for page, team in ((olive, "A"), (percy, "B")):
        page.goto(link)
        page.get_by_role("button", name=f"Join team {team}").tap()
        page.wait_for_url(event)
    play_round(event, people)
    percy.goto(event)
    expect(percy.get_by_text("The match is over.")).to_be_visible()
    winners = percy.get_by_role("listitem").filter(has_text="wins the match")
    expect(winners).not_to_have_count(0)
    names = " ".join(winners.all_inner_texts())
    assert overflow(percy) == 0
    sides = [set(re.findall("Olive|Quinn", names)), set(re.findall("Percy|Rosa", names))]
    assert sorted(map(len, sides)) in ([0, 2], [2, 2]), "both of the better team; or a tie"


def test_a_league_of_two_teams_from_its_form_to_its_table(club_site: Site, people: People) -> None:
    """Small phones: teams join by links, say that they are ready, play, and read the table."""
    olive, percy = people.olive, people.percy
    for page in (olive, percy):
        page.set_viewport_size({"width": 360, "height": 640})
    olive.goto(f"{club_site.url}/tournaments/")
    olive.get_by_role("link", name="Start a league").tap()
    olive.get_by_label("Title").fill("Autumn League")
    olive.get_by_label("Rounds per match").select_option("1")
    assert overflow(olive) == 0
    olive.get_by_role("button", name="Start the league").tap()
    expect(olive.get_by_role("heading", name="Autumn League")).to_be_visible()
    league = olive.url
    olive.goto(league)
    olive.get_by_label("Team name").fill("Foxes")
    olive.get_by_role("button", name="Enter a team").tap()
    expect(olive.get_by_text("needs a second player")).to_be_visible()
    link = olive.locator("[data-copy-from]").inner_text()
    percy.goto(link)
    assert overflow(percy) == 0
    percy.get_by_role("button", name="Join the team").tap()
    percy.wait_for_url(league)
    people.away(_ENTER_LEAGUE, league="Autumn League", team="Owls")
    olive.goto(league)
    olive.get_by_role("button", name="Start now").tap()
    expect(olive.get_by_text("Round 1 of 1 is under way.")).to_be_visible()
    people.away(_GET_READY, league="Autumn League")
    for page in (olive, percy):
        page.goto(league)
        ready = page.get_by_role("button", name="I'm ready to play")
        expect(ready).to_be_visible()
        assert overflow(page) == 0
        with page.expect_navigation(url=re.compile("/tournaments/[^/]+/$")):
            ready.tap()
        if page is olive:
            match = page.url
    play_round(match, people)
    percy.goto(league)
    expect(percy.get_by_text("The league is over.")).to_be_visible()
    table = percy.get_by_role("region", name="Table").get_by_role("row")
    expect(table).to_have_count(3)
    expect(table.filter(has_text="Foxes")).to_have_class(re.compile("row-own"))
    expect(table.filter(has_text="Owls")).to_have_count(1)
    assert overflow(percy) == 0
