"""Pages of team leagues: planning, teams, readiness, results, and what each reader is offered."""

from datetime import timedelta
from html import unescape

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.api import Refused
from games.jobs.backend import MAIL
from games.jobs.worker import work_off
from ratings.events import events
from ratings.models import Fixture, LeagueTeam, TeamLeague
from ratings.team_leagues import leagues
from tests.support import team_leagues, tournaments
from tests.support.letters import make_person
from tests.support.people import as_
from tests.support.standard_tables import people, text

pytestmark = pytest.mark.django_db

CANCELLED = "Not played: the organiser cancelled this match."


def path(league: TeamLeague, *parts: object) -> str:
    """Return the address of a page of a league."""
    return "/".join(["/tournaments/leagues", league.public_id, *map(str, parts), ""])


def form(**values: str) -> dict[str, str]:
    """Return the fields of the form that plans a league in two hours."""
    starts = (timezone.now() + timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M")
    return {
        "title": "Autumn League", "starts": starts, "double": "0", "games": "1", "days": "7",
        "listed": "on", **values,
    }  # fmt: skip


def test_from_the_form_to_the_title_on_the_pages_alone() -> None:
    organiser, *players = *people(4), make_person("ann")
    browser = as_(organiser)
    answer = browser.post("/tournaments/leagues/new/", form())
    league = TeamLeague.objects.get()
    assert answer["Location"] == path(league)
    assert "Autumn League" in text(Client(), "/tournaments/")
    for name, (first, second) in {"Foxes": players[:2], "Owls": players[2:]}.items():
        as_(first).post(path(league, "enter"), {"name": name})
        assert "needs a second player" in text(as_(first), path(league))
        link = f"/tournaments/leagues/team/{LeagueTeam.objects.get(name=name).token}/"
        assert link in as_(first).get(path(league)).content.decode()
        assert "You're invited to play for this team" in text(as_(second), link)
        as_(second).post(link)
    browser.post(path(league, "begin"))
    tournaments.work()
    (row,) = team_leagues.open_fixtures(league)
    for player in players:
        assert "I'm ready to play" in text(as_(player), path(league))
        answer = as_(player).post(path(league, "ready", row.pk))
        assert row.event is not None
        assert answer["Location"] == f"/tournaments/{row.event.public_id}/"
    tournaments.work()
    work_off([MAIL])
    assert [letter.subject for letter in mail.outbox] == [f"It has started: {row.event.title}"]
    match = text(as_(players[0]), answer["Location"])
    assert "Your table is ready." in match
    assert "Team A" not in match, "the teams have names"
    assert 'Foxes <span class="tag">' in match
    team_leagues.play(row, 6)
    page = text(Client(), path(league))
    assert "The league is over." in page
    assert "wins the league" in page
    winner = row.home.players.order_by("pk")[0].player
    assert "Autumn League" in text(Client(), f"/players/{winner.public_id}/")


def test_a_wrong_form_says_what_is_wrong_and_plans_nothing() -> None:
    (organiser,) = people(1)
    answer = as_(organiser).post("/tournaments/leagues/new/", form(starts="2001-01-01T10:00"))
    assert b"Choose a start within the next year." in answer.content
    assert not TeamLeague.objects.exists()
    Client().post("/tournaments/leagues/new/", form())
    assert not TeamLeague.objects.exists()


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York", "UTC"])
@pytest.mark.parametrize("starts", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_a_start_at_the_end_of_the_calendar_is_refused(starts: str, zone: str) -> None:
    (organiser,) = people(1)
    answer = as_(organiser).post("/tournaments/leagues/new/", form(starts=starts, zone=zone))
    assert b"Choose a start within the next year." in answer.content


def test_the_admin_refuses_the_name_of_another_team(admin_client: Client) -> None:
    league, _, _ = team_leagues.planned(2)
    one, other = league.teams.order_by("number")
    address = f"/admin/ratings/leagueteam/{one.pk}/change/"
    answer = admin_client.post(address, {"name": other.name.upper()})
    assert "That team name is taken." in answer.content.decode()
    assert admin_client.post(address, {"name": "Renamed"}).status_code == 302
    one.refresh_from_db()
    assert one.name == "Renamed"


def test_accounts_of_one_browser_do_not_both_get_ready_for_a_match() -> None:
    league, _, _ = team_leagues.begun(2)
    (row,) = team_leagues.open_fixtures(league)
    one, other = (team.players.order_by("pk")[0].player for team in (row.home, row.away))
    browser = as_(one)
    browser.post(path(league, "ready", row.pk))
    second = as_(other)
    second.cookies["device"] = browser.cookies["device"].value
    page = second.post(path(league, "ready", row.pk), follow=True).content.decode()
    assert "Another account from this browser is already playing." in page


def test_a_refused_name_is_explained() -> None:
    league, organiser, _ = team_leagues.planned(1)
    page = as_(organiser).post(path(league, "enter"), {"name": "Team 0"}, follow=True)
    assert "That team name is taken. Try another." in page.content.decode()
    page = as_(organiser).post(path(league, "enter"), {"name": "x"}, follow=True)
    assert "Give your team a name of 2 to 30 characters." in page.content.decode()


def test_visitors_see_the_league_and_are_asked_to_sign_up() -> None:
    league, _, _ = team_leagues.planned(1)
    page = text(Client(), path(league))
    assert "Sign up to enter a team" in page
    assert "Run the league" not in page
    hidden, _, _ = team_leagues.planned(0, start=20, listed=False)
    browser = Client()
    assert "Sign up to enter a team" not in text(browser, path(hidden))
    browser.get(f"/tournaments/leagues/invited/{hidden.token}/")
    assert "Sign up to enter a team" in text(browser, path(hidden))
    assert browser.get("/tournaments/leagues/invited/nothing/").status_code == 404
    assert browser.get("/tournaments/leagues/nothing/").status_code == 404


@pytest.mark.parametrize("action", ["begin", "end", "fill", "withdraw/1"])
def test_the_organisers_buttons_do_nothing_for_others(action: str) -> None:
    league, _, (pair, _) = team_leagues.planned(2)
    for browser in (Client(), as_(pair[0])):
        browser.post(path(league, action))
    found = team_leagues.again(league)
    assert found.is_planned
    assert found.teams.count() == 2


def test_the_organiser_sets_a_result_that_everyone_sees_with_its_reason() -> None:
    league, organiser, _ = team_leagues.begun(2)
    (row,) = team_leagues.open_fixtures(league)
    team_leagues.play(row, 5)
    fields = {"winner": "away", "margin_points": "12", "reason": "Wrong seats"}
    as_(row.home.players.order_by("pk")[0].player).post(path(league, "result", row.pk), fields)
    assert "Wrong seats" not in text(Client(), path(league))
    as_(organiser).post(path(league, "result", row.pk), fields | {"margin_points": ""})
    assert "Wrong seats" not in text(Client(), path(league))
    as_(organiser).post(path(league, "result", row.pk), fields)
    page = text(Client(), path(league))
    assert "0 : 2 (-12)" in page
    assert "Wrong seats" in page


def test_a_poll_is_answered_304_until_something_changes_for_its_reader() -> None:
    league, _, _ = team_leagues.begun(2)
    (row,) = team_leagues.open_fixtures(league)
    reader = as_(row.home.players.order_by("pk")[0].player)
    live = path(league, "live")
    tag = reader.get(live)["ETag"]
    assert reader.get(live, headers={"If-None-Match": tag}).status_code == 304
    team_leagues.get_ready(row, row.home)
    fresh = reader.get(live, headers={"If-None-Match": tag})
    assert fresh.status_code == 200
    assert "Ready:" in fresh.content.decode()


def test_a_reader_who_is_not_ready_any_more_is_offered_the_button_again() -> None:
    league, _, _ = team_leagues.begun(2)
    (row,) = team_leagues.open_fixtures(league)
    player = row.home.players.order_by("pk")[0].player
    team_leagues.get_ready(row, row.home)
    assert "I'm ready to play" not in text(as_(player), path(league))
    assert row.event is not None
    assert "I'm not ready" in text(as_(player), f"/tournaments/{row.event.public_id}/")
    events.leave(event=row.event, player=player)
    assert "I'm ready to play" in text(as_(player), path(league))


def test_the_table_as_a_file() -> None:
    league, _, _ = team_leagues.begun(2)
    (row,) = team_leagues.open_fixtures(league)
    team_leagues.play(row, 5)
    row.away.name = "＝1+1"  # which some spreadsheets take for a formula
    row.away.save()
    head, first, second = Client().get(path(league, "table.csv")[:-1]).content.decode().splitlines()
    assert head == "place,team,played,won,drawn,lost,league_points,spread"
    assert first.startswith("1,")
    assert second.startswith("2,'＝1+1,")


def test_a_page_needs_no_more_queries_for_more_teams() -> None:
    numbers = []
    for teams, start in ((2, 0), (4, 20)):
        league, organiser, _ = team_leagues.begun(teams, start=start)
        browser = as_(organiser)
        with CaptureQueriesContext(connection) as queries:
            browser.get(path(league))
        numbers.append(len(queries))
    assert numbers[0] == numbers[1]


def test_a_player_leaves_the_team_by_its_button() -> None:
    league, _, (pair,) = team_leagues.planned(1)
    as_(pair[0]).post(path(league, "leave"))
    assert league.players.get().player == pair[1]


def test_a_cancelled_league_invites_no_one() -> None:
    league, organiser, _ = team_leagues.planned(0)
    page = f"/tournaments/leagues/{league.public_id}/"
    assert "Enter the first one." in text(Client(), page)
    leagues.end(league=league, by=organiser)
    told = text(Client(), page)
    assert "Enter the first one." not in told
    assert "No one entered." in told


@pytest.mark.parametrize("minutes", [0, 50])
def test_a_league_leaves_teams_time_to_enter(minutes: int) -> None:
    (organiser,) = people(1)
    starts = (timezone.now() + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M")
    answer = as_(organiser).post("/tournaments/leagues/new/", form(starts=starts))
    assert (
        "Teams need time to enter. Choose a start in an hour or later." in answer.content.decode()
    )
    assert not TeamLeague.objects.exists()


def test_a_planned_league_says_what_it_still_needs() -> None:
    needs = "A league needs two teams of two players when it starts, or it's cancelled."
    league, organiser, _ = team_leagues.planned(1)
    assert needs in text(Client(), path(league))
    leagues.fill(league=league, by=organiser)
    assert needs not in text(Client(), path(league))


def test_a_walkover_says_who_got_it_and_why() -> None:
    league, organiser, _ = team_leagues.begun(4)
    first, second = team_leagues.open_fixtures(league)
    team_leagues.get_ready(first, first.home)
    leagues.withdraw(league=league, by=organiser, number=second.home.number)
    tournaments.work()
    team_leagues.deadline(league)
    late = f"Walkover for {first.home.name}: {first.away.name} didn't have 2 players ready in time."
    gone = f"Walkover for {second.away.name}: {second.home.name} withdrew."
    page = unescape(text(Client(), path(league)))
    assert "walkover" not in page  # the sentence says it
    for row, why in ((first, late), (second, gone)):
        assert why in page
        assert row.event is not None
        address = f"/tournaments/{row.event.public_id}/"
        for part in ("", "wall/", "board/"):
            shown = unescape(text(as_(organiser), address + part))
            assert why in shown
            assert "cancelled" not in shown


def test_a_match_that_nobody_played_says_why() -> None:
    league, organiser, _ = team_leagues.begun(2)
    (row,) = team_leagues.open_fixtures(league)
    team_leagues.deadline(league)
    assert row.event is not None
    address = f"/tournaments/{row.event.public_id}/"
    why = "Not played: neither team had 2 players ready in time."
    assert why in text(Client(), address)
    page = text(Client(), path(league))
    assert why in page
    assert page.lower().count("not played") == 1
    fields = {"winner": "home", "margin_points": "12", "reason": "Power cut"}
    as_(organiser).post(path(league, "result", row.pk), fields)
    assert "The organiser set the result." in text(Client(), address)
    ended, organiser, _ = team_leagues.begun(2, start=20)
    (row,) = team_leagues.open_fixtures(ended)
    leagues.end(league=ended, by=organiser)
    tournaments.work()
    assert "Not played: the organiser ended the league first." in text(Client(), path(ended))


@pytest.mark.parametrize("late", [False, True])
def test_a_match_that_the_organiser_cancelled_says_so_and_nobody_wins_it(*, late: bool) -> None:
    """Otherwise an organiser who plays could win before the other team is ready.

    Also if the worker comes to it after the deadline.
    """
    league, organiser, _ = team_leagues.begun(2)
    (row,) = team_leagues.open_fixtures(league)
    assert row.event is not None
    team_leagues.get_ready(row, row.home)
    with pytest.raises(Refused):  # nor make the other team unready
        events.mark(event=row.event, by=organiser, number=1, absent=True)
    events.end(event=row.event, by=organiser)
    if late:
        team_leagues.deadline(league)
    tournaments.work()
    row.refresh_from_db()
    assert row.how == Fixture.How.VOID
    for address in (path(league), f"/tournaments/{row.event.public_id}/"):
        assert CANCELLED in text(Client(), address)


def test_a_match_that_the_organiser_paused_until_its_deadline_was_cancelled() -> None:
    league, organiser, _ = team_leagues.begun(2)
    (row,) = team_leagues.open_fixtures(league)
    assert row.event is not None
    events.pause(event=row.event, by=organiser, paused=True)
    team_leagues.get_ready(row, row.home, row.away)
    team_leagues.deadline(league)
    row.refresh_from_db()
    assert row.how == Fixture.How.VOID
    assert CANCELLED in text(Client(), path(league))


def test_a_team_that_withdrew_before_its_late_round_was_not_just_unready() -> None:
    league, organiser, _ = team_leagues.begun(3)
    late = Fixture.objects.filter(league=league, round=2).select_related("home", "away").get()
    long_ago = timezone.now() - timedelta(minutes=1)
    Fixture.objects.filter(pk=late.pk).update(due_at=long_ago)
    leagues.withdraw(league=league, by=organiser, number=late.home.number)
    tournaments.work()
    late.refresh_from_db()
    assert late.ended_at is not None
    assert late.ended_at > late.due_at
    gone = f"Walkover for {late.away.name}: {late.home.name} withdrew."
    assert gone in unescape(text(Client(), path(league)))


def test_half_points_of_the_spread_are_shown() -> None:
    league, _, _ = team_leagues.begun(2)
    (row,) = team_leagues.open_fixtures(league)
    team_leagues.play(row, 5)
    Fixture.objects.filter(pk=row.pk).update(margin=2.5)
    page = text(Client(), path(league))
    assert "(+2.5)" in page
    assert '<td class="num">+2.5</td>' in page
    assert '<td class="num">−2.5</td>' in page


def test_a_match_to_come_names_its_deadline_and_is_for_its_teams_only() -> None:
    league, organiser, _ = team_leagues.begun(2)
    (row,) = team_leagues.open_fixtures(league)
    assert row.event is not None
    page = text(as_(organiser), f"/tournaments/{row.event.public_id}/")
    assert "Play by" in page
    assert row.due_at.isoformat()[:16] in page
    assert "No one is ready yet." in page
    assert "Agree on a time." in page
    for other in ("Invite players", "Be the first", "Add to calendar", row.event.token):
        assert other not in page


def test_an_invitation_to_a_team_says_when_its_league_starts() -> None:
    league, _, _ = team_leagues.planned(1, double=True, days=5)
    page = text(Client(), f"/tournaments/leagues/team/{league.teams.get().token}/")
    assert league.starts_at.isoformat()[:16] in page
    assert "Teams meet twice" in page
    assert "5 days per match" in page
