"""Storms: as many puzzles as a player solves in three minutes, by the server's clock.

The puzzles get harder with each one solved. They move no rating, but count as seen.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Max

from games.learn import rated_puzzles
from games.models import Player, PuzzleAttempt, Storm
from games.ops import true_time
from games.people.player_lock import locked_player

LIMIT = timedelta(minutes=3)

FIRST, HARDER = 1250.0, 20.0
"""The rating of the first puzzle, and what each solved one adds."""


def start(*, player: Player) -> Storm:
    """Start a storm, or return the one that is running."""
    with locked_player(player):  # no two pages of a player start a storm at once
        return running(player=player) or Storm.objects.create(
            player=player, started_at=true_time.now()
        )


def running(*, player: Player) -> Storm | None:
    """Return the player's storm that has time left; None without one."""
    rows = Storm.objects.filter(player=player, started_at__gt=true_time.now() - LIMIT)
    return rows.order_by("-pk").first()


def ends_at(storm: Storm) -> datetime:
    """Return when a storm ends."""
    return storm.started_at + LIMIT


def current(*, storm: Storm) -> PuzzleAttempt | None:
    """Return the attempt that waits for an answer, showing a new puzzle if none does."""
    near = FIRST + HARDER * storm.solved
    with locked_player(storm.player):  # nor are they shown a puzzle at once
        found = storm.attempts.filter(answered_at=None).select_related("puzzle").first()
        return found or rated_puzzles.show(player=storm.player, near=near, storm=storm)


def answer(*, attempt: PuzzleAttempt, words: list[str]) -> None:
    """Judge an answer; after the end, and for the second time, nothing happens.

    Raises:
        Refused, NotPoints: as `rated_puzzles.answer` does.
    """
    storm = attempt.storm
    if storm is None or attempt.answered_at is not None:
        return
    if true_time.now() > ends_at(storm) + rated_puzzles.GRACE:
        return
    judgement = rated_puzzles.judge(attempt=attempt, words=words)
    with transaction.atomic():
        Storm.objects.select_for_update().get(pk=storm.pk)
        if PuzzleAttempt.objects.filter(pk=attempt.pk, answered_at__isnull=False).exists():
            return
        row = rated_puzzles.store_answer(attempt=attempt, judgement=judgement)
        column = "solved" if row.solved else "missed"
        Storm.objects.filter(pk=storm.pk).update(**{column: F(column) + 1})


def last(*, player: Player) -> Storm | None:
    """Return the player's last storm that has ended; None before the first."""
    rows = Storm.objects.filter(player=player, started_at__lte=true_time.now() - LIMIT)
    return rows.order_by("-pk").first()


def best(*, player: Player | None) -> int:
    """Return the most puzzles that a player solved in a storm."""
    found = Storm.objects.filter(player=player).aggregate(most=Max("solved"))
    return int(found["most"] or 0)


def missed(*, storm: Storm) -> list[PuzzleAttempt]:
    """Return the wrong answers of a storm, in order."""
    return list(storm.attempts.filter(solved=False).select_related("puzzle").order_by("pk"))


def marks(*, storm: Storm) -> list[bool]:
    """Return for each answer of a storm, in order, whether it was right."""
    rows = storm.attempts.filter(answered_at__isnull=False).order_by("pk")
    return [bool(solved) for solved in rows.values_list("solved", flat=True)]
