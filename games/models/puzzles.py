"""The models of the daily discard puzzle and its answers."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.ops import true_time


class Puzzle(models.Model):
    """The puzzle of a day, the same for all players: which two of six cards to discard.

    It is drawn from the operating system's random source on its day, so that tomorrow's puzzle
    cannot be predicted.
    """

    day = models.DateField(unique=True, help_text="UTC.")
    cards = models.CharField(max_length=17, help_text="Six cards, separated by spaces.")
    dealer = models.BooleanField(help_text="Whether the crib is the player's own.")
    own = models.PositiveSmallIntegerField(help_text="Own score.")
    other = models.PositiveSmallIntegerField(help_text="The opponent's score.")

    class Meta:
        """Ordering (newest first) and constraints."""

        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        ordering: ClassVar = ["-day"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(own__lte=120, other__lte=120), name="puzzle_scores"
            ),
        ]

    def __str__(self) -> str:
        """Return the day."""
        return str(self.day)


class PuzzleAnswer(models.Model):
    """A player's answer to a puzzle; only the first one counts."""

    puzzle = models.ForeignKey(
        Puzzle, on_delete=models.CASCADE, related_name="answers", db_index=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_answers"
    )
    thrown = models.CharField(max_length=5, help_text="Two cards, lower first.")
    verdict = models.CharField(max_length=10)
    in_time = models.BooleanField(help_text="Answered on the day of the puzzle.")
    at = models.DateTimeField(default=true_time.now)

    class Meta:
        """Constraint: a player answers a puzzle once."""

        verbose_name = _("puzzle answer")
        verbose_name_plural = _("puzzle answers")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["puzzle", "player"], name="puzzle_answered_once"),
        ]

    def __str__(self) -> str:
        """Return the puzzle and the player."""
        return f"{self.puzzle_id}:{self.player_id}"
