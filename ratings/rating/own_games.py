"""A player's finished ranked games, with their places in the field and the ratings they changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from games.api import Player
from ratings.models import Attempt, Play, RatingChange
from ratings.rating.feed import own_changes
from ratings.standard.field import Verdict, verdicts


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A finished ranked game of a player.

    Attributes:
        attempt: the player's attempt, with its play and match fetched.
        others: the other attempts at the table by seat, with their players.
        verdict: the comparison with the field.
        change: the change of the player's rating by it; None if it did not count or is not rated.
    """

    attempt: Attempt
    others: tuple[Attempt, ...]
    verdict: Verdict
    change: RatingChange | None


def ranked_attempts(
    *, player: Player, seats: int | None = None, won: bool | None = None
) -> QuerySet[Attempt]:
    """Return a player's finished ranked attempts, newest first; None does not filter."""
    rows = Attempt.objects.filter(
        player=player,
        computer=False,
        play__kind=Play.Kind.RANKED,
        play__match__isnull=False,
        play__finished_at__isnull=False,
    )
    if seats is not None:
        rows = rows.filter(standard_game__seats=seats)
    if won is not None:
        rows = rows.filter(won=won)
    return rows.order_by("-pk")


def with_table(rows: QuerySet[Attempt]) -> QuerySet[Attempt]:
    """Return the attempts with all that `own_games` reads of them, in two queries."""
    table = Attempt.objects.select_related("player").order_by("seat")
    return rows.select_related("play__match", "play__standard_game").prefetch_related(
        Prefetch("play__attempts", table)
    )


def own_games(*, player: Player, attempts: Sequence[Attempt]) -> list[OwnGame]:
    """Compare attempts of a player, from `with_table`, in two further queries."""
    compared = verdicts(attempts)
    changes = own_changes(player=player, plays=[attempt.play for attempt in attempts])
    return [
        OwnGame(
            attempt=attempt,
            others=tuple(one for one in attempt.play.attempts.all() if one.pk != attempt.pk),
            verdict=compared[attempt.pk],
            change=changes.get(attempt.play_id),
        )
        for attempt in attempts
    ]
