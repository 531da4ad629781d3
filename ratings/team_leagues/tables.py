"""Selector of a league's table: the values of `scoring` from stored fixtures."""

from __future__ import annotations

from collections.abc import Sequence

from ratings.models import LeagueTeam, TeamLeague
from ratings.team_leagues import scoring
from ratings.team_leagues.scoring import Result, Total


def table_of(league: TeamLeague, teams: Sequence[LeagueTeam]) -> list[Total]:
    """Return the totals of a league's teams, best first; withdrawn teams come last."""
    rows = league.fixtures.filter(ended_at__isnull=False)
    columns = ("home", "away", "home_points", "away_points", "margin")
    results = [Result(*row) for row in rows.order_by("pk").values_list(*columns)]
    gone = [team.pk for team in teams if team.withdrawn]
    return scoring.table([team.pk for team in teams], results, last=gone)
