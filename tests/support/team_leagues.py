"""Team leagues played without a server."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.models import Player
from ratings.models import Fixture, LeagueTeam, TeamLeague
from ratings.team_leagues import leagues, matches, progress
from tests.support import tournaments
from tests.support.standard_tables import people

SOON = timedelta(hours=1)


def planned(
    teams: int, *, computers: int = 0, start: int = 0, **plan: Any
) -> tuple[TeamLeague, Player, list[list[Player]]]:
    """Plan a league in an hour; return it, its organiser and the players of each team."""
    organiser, *players = people(2 * teams + 1, start)
    league = leagues.plan(
        by=organiser,
        plan=leagues.Plan(
            **{"title": "Autumn", "starts_at": timezone.now() + SOON, "games": 1, **plan}
        ),
    )
    pairs = [players[at : at + 2] for at in range(0, len(players), 2)]
    for number, (first, second) in enumerate(pairs):
        team = leagues.enter_team(league=league, by=first, name=f"Team {number}")
        leagues.join(team=team, player=second)
    for _ in range(computers):
        leagues.fill(league=league, by=organiser)
    return league, organiser, pairs


def begun(teams: int, **plan: Any) -> tuple[TeamLeague, Player, list[list[Player]]]:
    """Return a league whose first round is open, its organiser and the players of each team."""
    league, organiser, pairs = planned(teams, **plan)
    leagues.begin(league=league, by=organiser)
    tournaments.work()
    return again(league), organiser, pairs


def again(league: TeamLeague) -> TeamLeague:
    """Return a league as it is stored."""
    return TeamLeague.objects.get(pk=league.pk)


def open_fixtures(league: TeamLeague) -> list[Fixture]:
    """Return the fixtures of the current round that are not over."""
    rows = Fixture.objects.filter(league=league, ended_at__isnull=True, event__isnull=False)
    return list(rows.select_related("home", "away", "event").order_by("pk"))


def get_ready(row: Fixture, *teams: LeagueTeam) -> None:
    """Have two players of these teams ready for a match."""
    for team in teams:
        for member in team.players.select_related("player").order_by("pk")[:2]:
            matches.get_ready(league=row.league, player=member.player, fixture=row.pk)
    tournaments.work()


def play(row: Fixture, margin: int) -> None:
    """Play a match of one round: the home team wins its first table by so much, loses none."""
    get_ready(row, row.home, row.away)
    event = row.event
    assert event is not None
    for match in tournaments.under_way(event):
        first = match.standard_play.event_game.table.first
        home_deals = first.team == 0
        ahead = (121, 121 - margin) if home_deals else (121 - margin, 121)
        tournaments.finish(match, *ahead)
    tournaments.work()


def deadline(league: TeamLeague) -> TeamLeague:
    """Take the steps that are due when the deadline of the current round has passed."""
    rows = Fixture.objects.filter(league=league, ended_at__isnull=True, round=league.current)
    last = rows.order_by("-due_at").values_list("due_at", flat=True).first()
    assert last is not None
    progress.advance(league=league, now=last + timedelta(seconds=1))
    tournaments.work()
    return again(league)
