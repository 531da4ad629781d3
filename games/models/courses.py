"""The models of the tutor's courses: a learner's progress, and their exams."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match
from games.ops import true_time

COUNTING = "counting"
"""The course whose steps are levels, with many hands each."""


class CourseStep(models.Model):
    """A player's progress with one step of a course: an exercise, or a level of counting."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="course_steps",
        db_index=False,
    )
    course = models.CharField(max_length=8, help_text="counting, throwing or pegging.")
    step = models.PositiveSmallIntegerField(help_text="From 1.")
    tries = models.PositiveIntegerField(
        default=0, help_text="Answers up to the first right one; at counting, hands counted."
    )
    right = models.PositiveIntegerField(
        default=0, help_text="1 once it was answered right; at counting, hands without help."
    )

    class Meta:
        """Constraint: one row for each player and step."""

        verbose_name = _("step of a course")
        verbose_name_plural = _("steps of courses")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "course", "step"], name="course_step_once"),
        ]

    def __str__(self) -> str:
        """Return the player, the course and the step."""
        return f"{self.player_id}: {self.course} {self.step}"


class CourseExam(models.Model):
    """A player's exam of a course: a game against a computer, which the review marks."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="course_exams"
    )
    course = models.CharField(max_length=8, help_text="throwing or pegging.")
    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="course_exam")
    begun_at = models.DateTimeField(default=true_time.now)
    marked_at = models.DateTimeField(null=True, blank=True)
    decisions = models.PositiveIntegerField(default=0, help_text="Decisions of the course.")
    loss = models.FloatField(
        default=0, help_text="What they lost: of the chance to win, 0 to 1, or in points."
    )
    passed = models.BooleanField(default=False)

    class Meta:
        """Names."""

        verbose_name = _("exam of a course")
        verbose_name_plural = _("exams of courses")

    def __str__(self) -> str:
        """Return the player and the course."""
        return f"{self.player_id}: {self.course}"
