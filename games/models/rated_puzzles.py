"""The models of rated puzzles: puzzles, attempts, players' puzzle ratings, and storms."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.ops import true_time


class RatedPuzzle(models.Model):
    """A position with one clear best answer, and how hard it has proved, as a Glicko-2 rating.

    The right answer is not stored here: the analysis judges each attempt.
    """

    kind = models.CharField(max_length=10)
    theme = models.CharField(max_length=20)
    position = models.CharField(
        max_length=80, unique=True, help_text="See games.learn.puzzle_positions."
    )
    rating = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()

    class Meta:
        """Indexes for choosing a puzzle near a rating."""

        verbose_name = _("rated puzzle")
        verbose_name_plural = _("rated puzzles")
        indexes: ClassVar = [
            models.Index(fields=["kind", "rating"], name="rated_puzzle_kind"),
            models.Index(fields=["theme", "rating"], name="rated_puzzle_theme"),
        ]

    def __str__(self) -> str:
        """Return the position."""
        return self.position


SETTLES_AFTER = 10
"""Attempts until pages show a player's rating.

Glicko-2 moves it by up to 190 points at first. The tenth brings its deviation below 110, and moves
it by some 30.
"""


class PuzzleRating(models.Model):
    """A player's Glicko-2 rating at puzzles, and their run of solved ones."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_rating"
    )
    rating = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    attempts = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    streak = models.PositiveIntegerField(default=0, help_text="Solved in a row.")
    best_streak = models.PositiveIntegerField(default=0)

    class Meta:
        """Names."""

        verbose_name = _("puzzle rating")
        verbose_name_plural = _("puzzle ratings")

    def __str__(self) -> str:
        """Return the player and the rating."""
        return f"{self.player_id}: {self.rating:.0f}"

    @property
    def is_settled(self) -> bool:
        """Whether the rating has seen enough attempts to be shown."""
        return self.attempts >= SETTLES_AFTER


class Storm(models.Model):
    """A run of as many puzzles as a player solves in three minutes; it moves no rating."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="storms"
    )
    started_at = models.DateTimeField(default=true_time.now)
    solved = models.PositiveSmallIntegerField(default=0)
    missed = models.PositiveSmallIntegerField(default=0)

    class Meta:
        """Names."""

        verbose_name = _("storm")
        verbose_name_plural = _("storms")

    def __str__(self) -> str:
        """Return the player and the score."""
        return f"{self.player_id}: {self.solved}"


class PuzzleAttempt(models.Model):
    """A player's only attempt at a puzzle, stored when the puzzle is shown."""

    puzzle = models.ForeignKey(RatedPuzzle, on_delete=models.CASCADE, related_name="attempts")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="puzzle_attempts",
        db_index=False,
    )
    storm = models.ForeignKey(
        Storm, on_delete=models.CASCADE, null=True, blank=True, related_name="attempts"
    )
    shown_at = models.DateTimeField(default=true_time.now)
    answered_at = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(
        max_length=5, default="", blank=True, help_text="Cards or points; empty if too late."
    )
    best = models.CharField(
        max_length=4, default="", blank=True, help_text="The right cards, when it was answered."
    )
    solved = models.BooleanField(null=True)
    rating = models.FloatField(null=True, help_text="The player's rating afterwards.")
    change = models.FloatField(null=True)

    class Meta:
        """Constraint: one attempt for each player and puzzle; an index of a player's history."""

        verbose_name = _("puzzle attempt")
        verbose_name_plural = _("puzzle attempts")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "puzzle"], name="puzzle_tried_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["player", "-answered_at"], name="puzzle_history"),
        ]

    def __str__(self) -> str:
        """Return the player and the puzzle."""
        return f"{self.player_id}: {self.puzzle_id}"
