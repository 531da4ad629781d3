"""Selectors of club leagues: a club's leagues, and the standings of one."""

from __future__ import annotations

from dataclasses import dataclass

from games.api import Player
from ratings.clubs import leagues
from ratings.clubs.league_scores import scores
from ratings.clubs.league_scoring import LeagueTotal, NightScore, standings
from ratings.models import Club, ClubLeague, ClubNight

PAST = 10
"""Number of finished leagues on a club's page."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's game points of one night, and whether the night counts for them."""

    points: int
    counts: bool


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """A player's line in the standings: a cell for each finished night, None if they missed it.

    ``visitor``: whether they are not a member of the club; ``over``: the nights.
    """

    player: Player
    total: LeagueTotal
    cells: tuple[Cell | None, ...]
    visitor: bool
    over: tuple[ClubNight, ...]

    @property
    def nights(self) -> list[tuple[ClubNight, Cell | None]]:
        """The nights that are over, each with its cell."""
        return list(zip(self.over, self.cells, strict=True))


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """A league in the list of its club: how many nights are over, and who leads or has won."""

    league: ClubLeague
    played: int
    first: tuple[Player, ...]

    @property
    def names(self) -> str:
        """The names of those in first place."""
        return ", ".join(player.name for player in self.first)


@dataclass(frozen=True, slots=True)
class LeagueSheet:
    """A league with its nights, those over and those to come, and its standings."""

    league: ClubLeague
    over: tuple[ClubNight, ...]
    coming: tuple[ClubNight, ...]
    lines: tuple[LeagueLine, ...]

    @property
    def winners(self) -> tuple[LeagueLine, ...]:
        """Everyone in first place, once the league is over."""
        return tuple(line for line in self.lines if line.total.place == 1 and self.league.is_over)


def league_of(*, club: Club, public_id: str) -> ClubLeague | None:
    """Return a league of a club; None if there is none."""
    return club.leagues.filter(public_id=public_id).first()


def open_leagues(*, club: Club) -> list[ClubLeague]:
    """Return the leagues to which a night may be added, newest first."""
    rows = club.leagues.filter(over_at=None).order_by("-pk")
    return [
        league
        for league in rows
        if leagues.played(league=league)
        + league.league_nights.exclude(state=ClubNight.State.OVER).count()
        < league.nights
    ]


def of_club(*, club: Club) -> list[LeagueRow]:
    """Return a club's leagues: those under way, then the newest finished ones."""
    rows = [
        *club.leagues.filter(over_at=None).order_by("-pk"),
        *club.leagues.filter(over_at__isnull=False).order_by("-over_at")[:PAST],
    ]
    found = scores(rows)
    first = {
        league.pk: [
            total.player
            for total in standings(found[league.pk], best=league.best)
            if total.place == 1
        ]
        for league in rows
    }
    players = Player.objects.in_bulk({key for keys in first.values() for key in keys})
    return [
        LeagueRow(
            league,
            len({score.night for own in found[league.pk].values() for score in own}),
            tuple(players[key] for key in first[league.pk]),
        )
        for league in rows
    ]


def sheet(*, league: ClubLeague) -> LeagueSheet:
    """Return a league with its standings, in a constant number of queries."""
    nights = list(league.league_nights.order_by("starts_at", "pk"))
    own = scores([league])[league.pk]
    with_results = {score.night for rows in own.values() for score in rows}
    over = tuple(night for night in nights if night.pk in with_results)
    players = Player.objects.in_bulk(own)
    members = set(league.club.memberships.values_list("player_id", flat=True))
    lines = [
        LeagueLine(
            player=players[total.player],
            total=total,
            cells=_cells(own[total.player], total, over),
            visitor=total.player not in members,
            over=over,
        )
        for total in standings(own, best=league.best)
    ]
    coming = tuple(night for night in nights if not night.is_over)
    return LeagueSheet(league, over, coming, tuple(lines))


def _cells(
    own: list[NightScore], total: LeagueTotal, over: tuple[ClubNight, ...]
) -> tuple[Cell | None, ...]:
    points = {score.night: score.points for score in own}
    return tuple(
        Cell(points[night.pk], night.pk in total.counted) if night.pk in points else None
        for night in over
    )
