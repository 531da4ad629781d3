"""A learner's progress with the counting tutor, stored on their account; guests have one too."""

from __future__ import annotations

from dataclasses import dataclass

from games.learn import tutor
from games.models import CourseStep, Player
from games.models.courses import COUNTING
from games.people.player_lock import locked_player

ENOUGH = 5
"""Hands counted without help after which a level is mastered."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress at a level: hands counted, and hands counted without help."""

    level: tutor.Level
    done: int
    alone: int

    @property
    def next_hand(self) -> int:
        """The number of the next hand."""
        return self.done + 1

    @property
    def known(self) -> bool:
        """Whether the level is mastered."""
        return self.alone >= ENOUGH


def progress(player: Player | None) -> list[Progress]:
    """Return the progress at every level, in order; a visitor has none."""
    rows = [] if player is None else CourseStep.objects.filter(player=player, course=COUNTING)
    kept = {row.step: (row.tries, row.right) for row in rows}
    return [Progress(level, *kept.get(level.number, (0, 0))) for level in tutor.LEVELS]


def note(player: Player, asked: tutor.Exercise, *, alone: bool) -> None:
    """Record that a hand was fully counted, unless it was recorded before."""
    with locked_player(player):
        row, _made = CourseStep.objects.get_or_create(
            player=player, course=COUNTING, step=asked.level.number
        )
        if asked.number == row.tries + 1:
            row.tries += 1
            row.right += alone
            row.save(update_fields=["tries", "right"])
