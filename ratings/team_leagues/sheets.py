"""A team league as its page shows it, and the lists in which leagues and their titles appear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, Sum

from games.api import Player
from ratings.events import own_seats
from ratings.events.team_matches import SIDE
from ratings.models import (
    Event,
    EventEntrant,
    Fixture,
    FixtureCorrection,
    LeagueTeam,
    TeamLeague,
    TeamPlayer,
)
from ratings.team_leagues.progress import MIN_TEAMS
from ratings.team_leagues.scoring import Total
from ratings.team_leagues.tables import table_of

SHOWN = 30
"""Maximum number of leagues of one list."""

State = TeamLeague.State


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A line of the table: a team, its players and its total."""

    team: LeagueTeam
    players: tuple[TeamPlayer, ...]
    total: Total
    own: bool


@dataclass(frozen=True, slots=True)
class RoundLines:
    """A round with its fixtures; ``over`` if all are decided, ``open`` if they can be played."""

    number: int
    fixtures: tuple[Fixture, ...]
    over: bool
    open: bool


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """The match that the reader's team has to play: who is ready, and whether the reader is."""

    fixture: Fixture
    ready: tuple[EventEntrant, ...]
    mine: bool
    may_enter: bool


@dataclass(frozen=True, slots=True)
class LeagueSheet:
    """A league as its reader may see it.

    Attributes:
        lines: the table, best first; before the start the teams in the order of sign-up.
        rounds: all rounds, in order.
        own: the reader's membership of a team.
        match: the match that the reader's team has to play now.
        table: public id of the reader's running match of cards, or "".
        corrections: all corrections, newest first.
    """

    lines: tuple[TeamLine, ...]
    rounds: tuple[RoundLines, ...]
    own: TeamPlayer | None
    match: OwnMatch | None
    table: str
    corrections: tuple[FixtureCorrection, ...]

    @property
    def few(self) -> bool:
        """Whether fewer teams have two players than a league needs."""
        return sum(len(line.players) >= SIDE for line in self.lines) < MIN_TEAMS

    @property
    def winners(self) -> tuple[TeamLine, ...]:
        """The lines of the teams whose players have a title."""
        return tuple(line for line in self.lines if any(row.titled for row in line.players))


def league_of(public_id: str) -> TeamLeague | None:
    """Return a league; everyone who knows its address may see it."""
    return TeamLeague.objects.select_related("made_by").filter(public_id=public_id).first()


def fixture_of(event: Event) -> Fixture | None:
    """Return the fixture of a team match, with league, teams and match; None for other events."""
    rows = Fixture.objects.select_related("league", "home", "away", "event")
    return rows.filter(event=event).first()


def sheet(*, league: TeamLeague, viewer: Player | None) -> LeagueSheet:
    """Return a league for one reader, in a constant number of queries."""
    players = list(league.players.select_related("player").order_by("pk"))
    own = next((row for row in players if _is_own(row, viewer)), None)
    fixtures = list(league.fixtures.select_related("home", "away", "event").order_by("round", "pk"))
    match = None if own is None or viewer is None else _own_match(own, fixtures, viewer)
    event = match.fixture.event if match is not None else None
    return LeagueSheet(
        lines=_lines(league, players, own),
        rounds=_rounds(league, fixtures),
        own=own,
        match=match,
        table=own_seats.own_table(event, viewer) if event is not None else "",
        corrections=tuple(
            FixtureCorrection.objects.filter(fixture__league=league)
            .select_related("by", "fixture__home", "fixture__away")
            .order_by("-at", "-pk")
        ),
    )


def _is_own(row: TeamPlayer, viewer: Player | None) -> bool:
    return viewer is not None and row.player_id == viewer.pk and not row.computer


def _lines(
    league: TeamLeague, players: Sequence[TeamPlayer], own: TeamPlayer | None
) -> tuple[TeamLine, ...]:
    teams = list(league.teams.order_by("number"))
    by_key = {team.pk: team for team in teams}
    return tuple(
        TeamLine(
            team=by_key[total.team],
            players=tuple(row for row in players if row.team_id == total.team),
            total=total,
            own=own is not None and own.team_id == total.team,
        )
        for total in table_of(league, teams)
    )


def _rounds(league: TeamLeague, fixtures: Sequence[Fixture]) -> tuple[RoundLines, ...]:
    numbers = sorted({row.round for row in fixtures})
    found = []
    for number in numbers:
        rows = tuple(row for row in fixtures if row.round == number)
        over = all(row.ended_at is not None for row in rows)
        found.append(RoundLines(number, rows, over, number <= league.current and not over))
    return tuple(found)


def _own_match(own: TeamPlayer, fixtures: Sequence[Fixture], viewer: Player) -> OwnMatch | None:
    """Return the open match of the reader's team, if there is one."""
    for row in fixtures:
        mine = own.team_id in {row.home_id, row.away_id}
        if mine and row.event is not None and row.ended_at is None:
            active = row.event.entrants.filter(player__is_active=True)
            entrants = list(active.select_related("player").order_by("number"))
            entered = any(each.player_id == viewer.pk and not each.computer for each in entrants)
            side = 0 if own.team_id == row.home_id else 1
            free = sum(each.team == side for each in entrants) < 2
            return OwnMatch(row, tuple(entrants), entered, row.event.is_planned and free)
    return None


def version_tag(*, league: TeamLeague, viewer: Player | None) -> str:
    """Return text that changes whenever this reader's sheet would; pages poll it."""
    playing = league.fixtures.filter(ended_at__isnull=True, event__isnull=False)
    events = playing.aggregate(number=Sum("event__version"))["number"] or 0
    return f"{league.version}-{events}-{league.state}-{viewer.pk if viewer else 0}"


def coming(*, player: Player | None) -> list[TeamLeague]:
    """Return the leagues that are planned or under way, with their number of teams."""
    return _visible(player, [State.PLANNED, State.RUNNING])


def over(*, player: Player | None) -> list[TeamLeague]:
    """Return the newest leagues that are over, with their number of teams."""
    return _visible(player, [State.OVER])


def _visible(player: Player | None, states: list[str]) -> list[TeamLeague]:
    """Return the listed leagues of these states, and those to which a player belongs."""
    seen = Q(listed=True)
    if player is not None:
        own = TeamPlayer.objects.filter(player=player, computer=False)
        seen |= Q(made_by=player) | Q(pk__in=own.values("league"))
    rows = TeamLeague.objects.filter(seen, state__in=states).annotate(number=Count("teams"))
    return list(rows.order_by("-starts_at", "-pk")[:SHOWN])


def titles_of(player: Player) -> list[TeamPlayer]:
    """Return a player's titles in leagues, newest first, with their teams."""
    rows = TeamPlayer.objects.filter(player=player, titled=True).select_related("team", "league")
    return list(rows.order_by("-league__over_at")[:SHOWN])


def export_of(player: int) -> Iterator[dict[str, Any]]:
    """Return a player's teams for the data export."""
    rows = TeamPlayer.objects.filter(player=player, computer=False).order_by("pk")
    for row in rows.select_related("team", "league"):
        yield {
            "league": row.league.title,
            "id": row.league.public_id,
            "team": row.team.name,
            "joined_at": row.joined_at,
            "place": row.team.place,
            "title": row.titled,
        }
