"""Results of daily games: leaders, streaks and the archive."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import F

from games.api import Player
from ratings.models import Attempt, Play, StandardGame
from ratings.standard.field import Verdict, comparable, compare_margin, margin_of

ARCHIVE = 30
"""Days per page of the archive."""
LEADERS = 50


@dataclass(frozen=True, slots=True)
class Day:
    """A day in the archive; the verdict is None until the reader has played its game."""

    day: date
    number: int
    attempt: Attempt | None
    verdict: Verdict | None


def game_of_day(*, day: date) -> StandardGame | None:
    """Return the game of a day; None if no one has requested it."""
    return StandardGame.objects.filter(daily=day).first()


def attempt_of(*, game: StandardGame, player: Player | None) -> Attempt | None:
    """Return a player's finished attempt at a daily game, preferably the one that counts."""
    if player is None:
        return None
    return (
        Attempt.objects.filter(standard_game=game, player=player, play__finished_at__isnull=False)
        .select_related("standard_game__decks", "play__match", "player")
        .order_by("-first", "pk")
        .first()
    )


def leaders(*, game: StandardGame) -> list[tuple[int, Attempt]]:
    """Return the best first attempts with their places, from 1; equal margins share a place.

    House computers are listed, too, as they are in the field. Closed accounts are not, though their
    attempts stay in the field: each player's place is the same here and in their verdict.
    """
    rows = comparable().filter(standard_game=game, seat=game.daily_seat)
    best = list(rows.select_related("player").order_by("-counted", "pk")[:LEADERS])
    first: dict[float, int] = {}
    for at, attempt in enumerate(best, start=1):
        first.setdefault(margin_of(attempt), at)
    return [(first[margin_of(row)], row) for row in best if row.player.is_active]


def streak(*, player: Player | None, today: date) -> int:
    """Return the number of consecutive days, up to today, with a finished attempt on the day.

    Yesterday's game keeps a streak alive until today is over.
    """
    if player is None:
        return 0
    days = set(
        Attempt.objects.filter(
            player=player,
            first=True,
            play__kind=Play.Kind.DAILY,
            play__finished_at__isnull=False,
            standard_game__daily__isnull=False,
        ).values_list("standard_game__daily", flat=True)
    )
    day = today if today in days else today - timedelta(days=1)
    length = 0
    while day in days:
        length += 1
        day -= timedelta(days=1)
    return length


def archive(
    *, player: Player | None, before: date, without: StandardGame | None = None
) -> list[Day]:
    """Return the games of earlier days, newest first, without the one that a page shows."""
    earlier = StandardGame.objects.filter(daily__lt=before)
    if without is not None:
        earlier = earlier.exclude(pk=without.pk)
    games = list(earlier.order_by("-daily")[:ARCHIVE])
    own: dict[int, Attempt] = {}
    if player is not None:
        rows = Attempt.objects.filter(
            standard_game__in=games, player=player, play__finished_at__isnull=False
        )
        for row in rows.select_related("play").order_by("first", "-pk"):
            own[row.standard_game_id] = row
    margins = _margins(list(own))
    return [
        Day(
            day=game.daily,
            number=game.pk,
            attempt=own.get(game.pk),
            verdict=_verdict(own.get(game.pk), margins.get(game.pk, {})),
        )
        for game in games
        if game.daily is not None
    ]


def _margins(games: list[int]) -> dict[int, dict[int, float]]:
    """Return the margins of each game's field by attempt, in the seat that people have."""
    found: dict[int, dict[int, float]] = {}
    rows = (
        comparable()
        .filter(standard_game__in=games, seat=F("standard_game__daily_seat"))
        .values_list("standard_game_id", "pk", "counted")
    )
    for game, pk, counted in rows:
        found.setdefault(game, {})[pk] = counted or 0.0
    return found


def _verdict(attempt: Attempt | None, margins: dict[int, float]) -> Verdict | None:
    if attempt is None:
        return None
    others = [margin for pk, margin in margins.items() if pk != attempt.pk]
    return compare_margin(margin_of(attempt), others)
