"""Selectors of club leagues: a club's leagues, and the standings of one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.api import Player
from ratings.clubs import leagues
from ratings.clubs.league_scoring import LeagueTotal, NightScore, standings
from ratings.models import Club, ClubLeague, ClubNight, NightResult

PAST = 10
"""Number of finished leagues on a club's page."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A player's game points of one night, and whether the night counts for them."""

    points: int
    counts: bool


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """A player's line in the standings; a cell for each night that is over, None if not there.

    ``visitor`` is whether they are no member of the club.
    """

    player: Player
    total: LeagueTotal
    cells: tuple[Cell | None, ...]
    visitor: bool


@dataclass(frozen=True, slots=True)
class LeagueRow:
    """A league in the list of its club: how many nights are over, and who leads or has won."""

    league: ClubLeague
    played: int
    first: tuple[Player, ...]


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
    scores: dict[int, dict[int, list[NightScore]]] = {
        league.pk: defaultdict(list) for league in rows
    }
    # Only what is needed: leagues of some years have thousands of results.
    for league, player, night, points, won, spread in (
        NightResult.objects.filter(entrant__night__league__in=rows)
        .order_by("entrant__night__starts_at", "pk")
        .values_list(
            "entrant__night__league_id", "entrant__player_id",
            "entrant__night_id", "points", "won", "spread",
        )
    ):  # fmt: skip
        scores[league][player].append(NightScore(night, points, won, spread))
    first = {
        league.pk: [
            total.player
            for total in standings(scores[league.pk], best=league.best)
            if total.place == 1
        ]
        for league in rows
    }
    players = Player.objects.in_bulk({key for keys in first.values() for key in keys})
    return [
        LeagueRow(
            league,
            len({score.night for own in scores[league.pk].values() for score in own}),
            tuple(players[key] for key in first[league.pk]),
        )
        for league in rows
    ]


def sheet(*, league: ClubLeague) -> LeagueSheet:
    """Return a league with its standings, in a constant number of queries."""
    nights = list(league.league_nights.order_by("starts_at", "pk"))
    results = _results([league])
    with_results = {row.entrant.night_id for row in results}
    over = tuple(night for night in nights if night.pk in with_results)
    players = {row.entrant.player_id: row.entrant.player for row in results}
    members = set(league.club.memberships.values_list("player_id", flat=True))
    scores = _scores(results)
    lines = [
        LeagueLine(
            player=players[total.player],
            total=total,
            cells=_cells(scores[total.player], total, over),
            visitor=total.player not in members,
        )
        for total in standings(scores, best=league.best)
    ]
    coming = tuple(night for night in nights if not night.is_over)
    return LeagueSheet(league, over, coming, tuple(lines))


def _results(leagues_: Sequence[ClubLeague]) -> list[NightResult]:
    rows = NightResult.objects.filter(entrant__night__league__in=leagues_)
    rows = rows.select_related("entrant__player", "entrant__night")
    return list(rows.order_by("entrant__night__starts_at", "pk"))


def _scores(results: Sequence[NightResult]) -> Mapping[int, list[NightScore]]:
    scores: dict[int, list[NightScore]] = {}
    for row in results:
        score = NightScore(row.entrant.night_id, row.points, row.won, row.spread)
        scores.setdefault(row.entrant.player_id, []).append(score)
    return scores


def _cells(
    scores: list[NightScore], total: LeagueTotal, over: tuple[ClubNight, ...]
) -> tuple[Cell | None, ...]:
    points = {score.night: score.points for score in scores}
    return tuple(
        Cell(points[night.pk], night.pk in total.counted) if night.pk in points else None
        for night in over
    )
