"""Services of team leagues: organisers plan and run them, teams sign up; `progress` does the rest.

Each changes rows under the league's lock, and leaves the steps that follow to the job.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from games.api import Player, Refused, computer_of, levels, locked_player, made_already, true_now
from ratings.events import team_matches
from ratings.models import EventEntrant, LeagueTeam, TeamLeague, TeamPlayer
from ratings.standard import identities
from ratings.team_leagues import progress
from ratings.team_leagues.refusals import refused

MAX_OPEN = 3
"""Maximum number of leagues of one organiser that are not over."""
MAX_TEAMS = 16
MAX_PLAYERS = 4
"""Maximum number of players of a team: two, and two substitutes."""

State = TeamLeague.State


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """An organiser's choices; the fields are those of `TeamLeague`."""

    title: str
    starts_at: datetime
    note: str = ""
    listed: bool = True
    double: bool = False
    games: int = 2
    days: int = 7


def plan(*, by: Player, plan: Plan) -> TeamLeague:
    """Plan a league; return it if the form is sent again.

    Raises:
        Refused: ``team_account``, ``team_muted`` or ``team_leagues_many``.
    """
    _check_person(by)
    if by.is_muted:
        raise refused("team_muted")
    with locked_player(by):
        own = by.team_leagues_made.exclude(state__in=[State.OVER, State.OFF])
        fields = {name: getattr(plan, name) for name in Plan.__slots__}
        known = made_already(own, **fields)
        if known is not None:
            return known
        if own.count() >= MAX_OPEN:
            raise refused("team_leagues_many")
        league = TeamLeague.objects.create(**fields, made_by=by)
        progress.advance_later.enqueue(league.pk)
    return league


def enter_team(*, league: TeamLeague, by: Player, name: str, token: str = "") -> LeagueTeam:
    """Enter a team with its first player, who invites the others by the team's link.

    Raises:
        Refused: ``team_account``, ``team_muted``, ``team_league_over``, ``team_league_begun``,
            ``team_league_full``, ``team_link``, ``team_name_taken``, ``team_already`` or
            ``team_linked``.
    """
    _check_person(by)
    if by.is_muted:
        raise refused("team_muted")
    with locked_player(by), _changed(league) as found:
        _check_planned(found)
        own = found.teams.filter(players__player=by, name__iexact=name, withdrawn=False).first()
        if own is not None:
            return own  # the form was sent again
        if not found.listed and token != found.token and found.made_by_id != by.pk:
            raise refused("team_link")
        team = _add_team(found, name)
        _add(team, by)
    return team


def join(*, team: LeagueTeam, player: Player) -> None:
    """Join a team by its link, also as a substitute while the league runs.

    Raises:
        Refused: ``team_account``, ``team_league_over``, ``team_gone``, ``team_full``,
            ``team_already`` or ``team_linked``.
    """
    _check_person(player)
    with locked_player(player), _changed(team.league):
        row = LeagueTeam.objects.filter(pk=team.pk, withdrawn=False).first()
        if row is None:
            raise refused("team_gone")
        if row.players.filter(player=player).exists():
            return
        if row.computer or row.players.count() >= MAX_PLAYERS:
            raise refused("team_full")
        _add(row, player)


def _add(team: LeagueTeam, player: Player) -> None:
    """Add a player to a team of a locked league, if they are in no other one."""
    rows = TeamPlayer.objects.filter(league=team.league_id, computer=False)
    if rows.filter(player=player).exists() or _has_played(team, player):
        raise refused("team_already")
    if rows.filter(player__in=identities.with_linked([player])).exists():
        raise refused("team_linked")
    TeamPlayer.objects.create(league_id=team.league_id, team=team, player=player)


def _has_played(team: LeagueTeam, player: Player) -> bool:
    """Whether a player has played in the league for another team."""
    rows = EventEntrant.objects.filter(
        event__fixture__league=team.league_id, player=player, computer=False
    )
    homes = rows.filter(team=0).exclude(event__fixture__home=team)
    aways = rows.filter(team=1).exclude(event__fixture__away=team)
    return homes.exists() or aways.exists()


def leave(*, league: TeamLeague, player: Player) -> None:
    """Leave one's team, and its match; before the start, a team without players is deleted.

    Raises:
        Refused: ``team_league_over`` or ``team_not_in``.
    """
    with _changed(league) as found:
        row = found.players.filter(player=player, computer=False).select_related("team").first()
        if row is None:
            raise refused("team_not_in")
        _remove(found, row)


def leave_all(*, player: int) -> None:
    """Remove a player, by primary key, from the teams of all leagues that are not over.

    The notes of the leagues that they organised are emptied, since they may say who that was.
    """
    TeamLeague.objects.filter(made_by_id=player).exclude(note="").update(note="")
    rows = TeamPlayer.objects.filter(player_id=player, computer=False)
    still = rows.filter(league__state__in=[State.PLANNED, State.RUNNING])
    for row in still.select_related("league", "team").order_by("league_id"):
        with suppress(Refused), _changed(row.league) as found:  # it may just have ended
            _remove(found, row)


def _remove(league: TeamLeague, row: TeamPlayer) -> None:
    team = row.team
    for fixture in league.fixtures.filter(ended_at__isnull=True, event__isnull=False):
        if fixture.event is not None and team.pk in {fixture.home_id, fixture.away_id}:
            team_matches.take_back(event=fixture.event, player=row.player)
    row.delete()
    if not team.players.exists():
        _withdraw(league, team)


def withdraw(*, league: TeamLeague, by: Player, number: int) -> None:
    """Withdraw a team, by number; once the league runs, the others win what was to come.

    Raises:
        Refused: ``team_organiser``, ``team_league_over`` or ``team_not_in``.
    """
    check_organiser(league, by)
    with _changed(league) as found:
        team = found.teams.filter(number=number).first()
        if team is None:
            raise refused("team_not_in")
        _withdraw(found, team)


def _withdraw(league: TeamLeague, team: LeagueTeam) -> None:
    if league.is_planned:
        team.delete()
    else:
        team.withdrawn = True
        team.save(update_fields=["withdrawn"])


def fill(*, league: TeamLeague, by: Player) -> LeagueTeam:
    """Add a team of two house computers, of the next level in turn.

    Raises:
        Refused: ``team_organiser``, ``team_league_over``, ``team_league_begun`` or
            ``team_league_full``.
    """
    check_organiser(league, by)
    with _changed(league) as found:
        _check_planned(found)
        offered = [each.name for each in levels()[:-1]]
        computer = computer_of(offered[found.teams.filter(computer=True).count() % len(offered)])
        name, number = computer.name, 1
        while found.teams.filter(name__iexact=name).exists():
            number += 1
            name = f"{computer.name} {number}"
        team = _add_team(found, name, computer=True)
        for _ in range(team_matches.SIDE):
            TeamPlayer.objects.create(league=found, team=team, player=computer, computer=True)
    return team


def _add_team(league: TeamLeague, name: str, *, computer: bool = False) -> LeagueTeam:
    if league.teams.count() >= MAX_TEAMS:
        raise refused("team_league_full")
    if league.teams.filter(name__iexact=name).exists():
        raise refused("team_name_taken")
    last = league.teams.aggregate(last=Max("number"))["last"] or 0
    return LeagueTeam.objects.create(league=league, name=name, number=last + 1, computer=computer)


def begin(*, league: TeamLeague, by: Player) -> None:
    """Begin before the planned time.

    Raises:
        Refused: ``team_organiser``, ``team_league_over``, ``team_league_begun`` or ``team_few``.
    """
    check_organiser(league, by)
    with _changed(league) as found:
        _check_planned(found)
        if not progress.has_enough_teams(found):
            raise refused("team_few")
        progress.begin(found, true_now())


def end(*, league: TeamLeague, by: Player) -> None:
    """End a league: matches that have not begun are not played. Before its start it is called off.

    Raises:
        Refused: ``team_organiser`` or ``team_league_over``.
    """
    check_organiser(league, by)
    with _changed(league) as found:
        now = true_now()
        if found.is_planned:
            progress.call_off(found, now)
        else:
            progress.stop(found, now)


def check_organiser(league: TeamLeague, player: Player) -> None:
    """Refuse who does not run the league.

    Raises:
        Refused: ``team_organiser``.
    """
    if league.made_by_id != player.pk:
        raise refused("team_organiser")


def _check_person(player: Player) -> None:
    """Refuse guests: a season outlasts them."""
    if not player.is_person:
        raise refused("team_account")


def _check_planned(league: TeamLeague) -> None:
    if not league.is_planned:
        raise refused("team_league_begun")


@contextmanager
def _changed(league: TeamLeague) -> Iterator[TeamLeague]:
    """Lock a league that is not over, then note the change and have a job take the next steps."""
    with transaction.atomic():
        found = progress.locked(league)
        if found.is_over:
            raise refused("team_league_over")
        yield found
        progress.touch(found)
        progress.advance_later.enqueue(found.pk)
