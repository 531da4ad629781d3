"""Habits: which kind of mistake cost a player most in the last weeks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from games.analysis.reasons import KINDS, Habit, habit_of
from games.models import Mistake, Player

WITHIN = timedelta(days=30)
"""Matches that ended within this time count."""

LEAST = 3
"""Mistakes that make a habit."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a habit: a number of mistakes, and the chance to win that they lost together."""

    habit: Habit
    mistakes: int
    loss: float


def costliest(*, player: Player) -> Cost | None:
    """Return the habit that cost a player most in the last weeks; None without a habit.

    Mistakes and blunders count, as found by the reviews of the player's matches.
    """
    rows = (
        Mistake.objects.filter(
            seat__player=player,
            seat__computer=False,
            seat__match__finished_at__gte=timezone.now() - WITHIN,
        )
        .exclude(reason="")
        .values("reason")
        .annotate(number=Count("pk"), cost=Sum("loss"))
    )
    costs: dict[Habit, Cost] = {}
    for row in rows:
        habit = habit_of(row["reason"])
        if habit is not None:
            before = costs.get(habit, Cost(habit, 0, 0.0))
            costs[habit] = Cost(habit, before.mistakes + row["number"], before.loss + row["cost"])
    known = [cost for cost in costs.values() if cost.mistakes >= LEAST]
    return max(known, key=lambda cost: (cost.loss, cost.habit), default=None)


def of_habit(rows: QuerySet[Mistake], habit: Habit | None) -> QuerySet[Mistake]:
    """Return the mistakes of a habit; all for None."""
    return rows if habit is None else rows.filter(reason__in=KINDS[habit])


def parse(text: str) -> Habit | None:
    """Return the habit of this name; None if there is none."""
    return next((habit for habit in KINDS if habit == text), None)
