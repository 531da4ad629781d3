"""Results against one opponent that ratings and cards don't explain: a hint for moderators.

A player may lose on purpose to a friend, or to another identity of their own. Ratings account for
the strength of both players, the other plays of a game for its cards; the rest should be chance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from django.db.models import Avg, Count

from games.api import Player
from ratings.model.constants import TWO_SEATS_PAR
from ratings.models import Attempt, Play, Rating
from ratings.standard.exclusions import NOT_COMPARED

MAX_ATTEMPTS = 200
"""Number of a player's newest attempts to examine."""
LEAST_GAMES = 3
"""Number of games from which on a pair is listed."""
ALARM_Z = 3.3
"""Absolute z-score that one in 1,000 honest pairs exceeds (`make bench-fair`)."""
GUESTS = 0
"""Key for all guests together, since one person may have any number of them."""


@dataclass(frozen=True, slots=True)
class PairSignal:
    """A player's results against one opponent, or against all guests together.

    Attributes:
        other: the opponent; None for the guests.
        games: number of counted games.
        mean: points per game beyond what ratings and cards explain.
        z: their sum in standard deviations.
    """

    other: Player | None
    games: int
    mean: float
    z: float

    @property
    def alarming(self) -> bool:
        """Whether chance alone would rarely give this."""
        return abs(self.z) >= ALARM_Z


def pair_signals(*, player: Player) -> list[PairSignal]:
    """Return the signals of a player's opponents at two seats, most striking first.

    Takes four queries.
    """
    own = list(
        Attempt.objects.filter(
            player=player,
            computer=False,
            standard_game__seats=2,
            play__exclusion=Play.Exclusion.NONE,
            play__finished_at__isnull=False,
        ).order_by("-pk")[:MAX_ATTEMPTS]
    )
    rows = Attempt.objects.filter(play__in=[attempt.play_id for attempt in own], computer=False)
    facing = {
        row.play_id: row.player for row in rows.exclude(player=player).select_related("player")
    }
    skills = _skills([player.pk, *(other.pk for other in facing.values())])
    fields = _fields(own)
    excess: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for attempt in own:
        other = facing.get(attempt.play_id)
        field = fields.get((attempt.standard_game_id, attempt.seat))
        if other is None or field is None or attempt.counted is None:
            continue
        mean, number = field
        if number < 2:
            continue
        rest = (mean * number - attempt.counted) / (number - 1)
        mine, theirs = skills[player.pk], skills[other.pk]
        residual = attempt.counted - rest - (mine[0] - theirs[0])
        noise = TWO_SEATS_PAR.noise * (1 + 1 / (number - 1))
        key = GUESTS if other.is_guest else other.pk
        excess[key].append((residual, noise, mine[1] + theirs[1]))
    people = {other.pk: other for other in facing.values()}
    found = [
        PairSignal(
            people.get(key), len(games), sum(row[0] for row in games) / len(games), z_of(games)
        )
        for key, games in excess.items()
        if len(games) >= LEAST_GAMES
    ]
    return sorted(found, key=lambda signal: -abs(signal.z))


def z_of(games: Sequence[tuple[float, float, float]]) -> float:
    """Return the z-score of a pair's games.

    Each is a residual, the variance of its noise, and that of the difference of the two ratings,
    which all games of the pair have in common.
    """
    number = len(games)
    shared = sum(row[2] for row in games) / number
    variance = sum(row[1] for row in games) + number * number * shared
    return sum(row[0] for row in games) / sqrt(variance)


def _skills(players: Iterable[int]) -> Mapping[int, tuple[float, float]]:
    """Return skill (points) and its variance of each player."""
    unknown = (0.0, TWO_SEATS_PAR.tau2)
    scale = TWO_SEATS_PAR.elo_per_point
    known = {
        row.player_id: (row.skill, (row.rd / scale) ** 2)
        for row in Rating.objects.filter(player__in=set(players), seats=2)
    }
    return defaultdict(lambda: unknown, known)


def _fields(own: Sequence[Attempt]) -> dict[tuple[int, int], tuple[float, int]]:
    """Return the mean counted margin and the number of plays, by game and seat."""
    rows = (
        Attempt.objects.filter(
            standard_game__in=[attempt.standard_game_id for attempt in own],
            play__finished_at__isnull=False,
            counted__isnull=False,
        )
        .exclude(play__exclusion__in=NOT_COMPARED)
        .values_list("standard_game", "seat")
        .annotate(mean=Avg("counted"), number=Count("pk"))
    )
    return {(game, seat): (mean, number) for game, seat, mean, number in rows}
