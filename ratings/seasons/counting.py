"""Computation of a season's standings from the stored results, in batches of standard games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime

from django.db.models import QuerySet

from games.api import Player
from ratings.model.constants import CONSTANTS
from ratings.models import Attempt, Play, Rating, Season, SeasonEntry, StandardGame
from ratings.seasons.scoring import Held, Total, add_game, medals, places
from ratings.standard.field import comparable

GAMES_AT_ONCE = 400
"""Number of standard games whose attempts are in memory at the same time."""
MIN_GAMES = {Season.Kind.MONTH.value: 10, Season.Kind.YEAR.value: 50}
"""Number of games from which a player has a place."""

Key = tuple[int, int]
"""Database keys: a standard game or play, and a player."""


def entries_of(*, season: Season, final: bool) -> list[SeasonEntry]:
    """Return everyone's standing in a season as unsaved rows; with titles if it is final.

    Only people with an account have one, and only those with a public page: everybody may read it.
    """
    found: list[SeasonEntry] = []
    for seats in CONSTANTS:
        totals = _totals(season, seats)
        listed = Player.objects.filter(
            pk__in=totals, kind=Player.Kind.PERSON, private=False, is_active=True
        )
        rows = [
            SeasonEntry(
                season=season, player_id=pk, seats=seats, games=totals[pk].games,
                average=totals[pk].average, score=totals[pk].score,
            )
            for pk in sorted(listed.values_list("pk", flat=True))
        ]  # fmt: skip
        _place(rows, MIN_GAMES[season.kind], final=final)
        found += rows
    return found


def number_of_plays(*, season: Season) -> int:
    """Return the number of plays that count for a season."""
    return sum(_plays(season, seats).count() for seats in CONSTANTS)


def midnight(day: date) -> datetime:
    """Return the first moment of a day in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _place(rows: Sequence[SeasonEntry], least: int, *, final: bool) -> None:
    placed = [row for row in rows if row.games >= least]
    titles = medals(len(placed)) if final else 0
    for row, place in zip(placed, places(row.score for row in placed), strict=True):
        row.place, row.titled = place, place <= titles


def _totals(season: Season, seats: int) -> dict[int, Total]:
    totals: dict[int, Total] = defaultdict(Total)
    plays = _plays(season, seats)
    skills = dict(Rating.objects.filter(seats=seats).values_list("player_id", "skill"))
    games = sorted(set(plays.values_list("standard_game_id", flat=True)))
    for start in range(0, len(games), GAMES_AT_ONCE):
        batch = games[start : start + GAMES_AT_ONCE]
        scored = set(
            Attempt.objects.filter(
                play__in=plays.filter(standard_game__in=batch), first=True, computer=False
            ).values_list("play_id", "player_id")
        )
        pars = dict(StandardGame.objects.filter(pk__in=batch).values_list("pk", "par"))
        for game, attempts in _by_game(batch, seats, scored):
            add_game(totals, attempts, constants=CONSTANTS[seats], par=pars[game], skills=skills)
    return totals


def _plays(season: Season, seats: int) -> QuerySet[Play]:
    """Return the ranked plays that count and ended in the season."""
    return Play.objects.filter(
        kind=Play.Kind.RANKED,
        exclusion=Play.Exclusion.NONE,
        finished_at__gte=midnight(season.starts_on),
        finished_at__lt=midnight(season.ends_before),
        standard_game__seats=seats,
    )


def _by_game(
    games: Sequence[int], seats: int, scored: set[Key]
) -> Iterator[tuple[int, list[Held]]]:
    """Return each game's comparable attempts; of tables that are complete."""
    rows = comparable().filter(standard_game__in=games).order_by("standard_game", "play", "seat")
    tables: dict[int, dict[int, list[Held]]] = defaultdict(lambda: defaultdict(list))
    for game, play, seat, player, counted, margin in rows.values_list(
        "standard_game_id", "play_id", "seat", "player_id", "counted", "margin"
    ):
        worth = counted if counted is not None else float(margin or 0.0)
        tables[game][play].append(Held(play, seat, player, worth, (play, player) in scored))
    for game, found in tables.items():
        yield game, [one for held in found.values() if len(held) == seats for one in held]
