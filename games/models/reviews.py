"""The models of reviews of finished matches, and of mistakes to train."""

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match
from games.models.seats import Seat
from games.ops import true_time


class Review(models.Model):
    """The review of all decisions of a match by one version of the analysis; made once.

    A job makes it (`games.learn.review_jobs`). A review reveals the hands of all seats;
    `games.archive.access` decides who may read what.
    """

    class Status(models.TextChoices):
        """The progress of a review."""

        WORKING = "working", _("in progress")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="reviews", db_index=False
    )
    version = models.PositiveSmallIntegerField(help_text="The analysis version.")
    status = models.CharField(max_length=7, choices=Status, default=Status.WORKING)
    done = models.PositiveIntegerField(default=0, help_text="Decisions reviewed so far.")
    total = models.PositiveIntegerField(default=0, help_text="Decisions in the match.")
    items: models.JSONField[list[Any], list[Any]] = models.JSONField(
        default=list, blank=True, help_text="The decisions reviewed so far, in order."
    )
    accounts: models.JSONField[list[Any], list[Any]] = models.JSONField(
        default=list, blank=True, help_text="How luck and skill decided each game."
    )
    made_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: each version of the analysis reviews a match once."""

        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "version"], name="review_once"),
        ]

    def __str__(self) -> str:
        """Return the match and the version."""
        return f"{self.match_id} v{self.version}"


class Mistake(models.Model):
    """A person's costly decision, offered for training.

    It refers to the Seat, so that it follows a guest's seat to their account. The question is the
    seat's view at that time, folded from the log.
    """

    seat = models.ForeignKey(
        Seat, on_delete=models.CASCADE, related_name="mistakes", db_index=False
    )
    sequence = models.PositiveIntegerField(help_text="The log entry.")
    action = models.CharField(max_length=7, help_text="discard or play.")
    verdict = models.CharField(max_length=10)
    loss = models.FloatField(help_text="Loss of winning chance, 0 to 1.")
    reason = models.CharField(
        max_length=20, default="", blank=True, help_text="Kind of reason, for habits."
    )
    state = models.PositiveSmallIntegerField(
        default=1, help_text="FSRS: 1 learning, 2 review, 3 relearning."
    )
    step = models.PositiveSmallIntegerField(
        default=0, null=True, blank=True, help_text="FSRS: the step while learning."
    )
    stability = models.FloatField(
        null=True, blank=True, help_text="FSRS: days until nine in ten answers are still right."
    )
    difficulty = models.FloatField(null=True, blank=True, help_text="FSRS: 1 to 10.")
    answered_at = models.DateTimeField(null=True, blank=True, help_text="The last answer.")
    due = models.DateTimeField(default=true_time.now, help_text="When to ask again.")
    asked = models.PositiveIntegerField(default=0)
    right = models.PositiveIntegerField(default=0)

    class Meta:
        """Constraint: a decision is one question; an index of due questions."""

        verbose_name = _("mistake")
        verbose_name_plural = _("mistakes")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat", "sequence"], name="mistake_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["seat", "due"], name="mistake_due")]

    def __str__(self) -> str:
        """Return the seat's primary key and the sequence in the log."""
        return f"{self.seat_id}#{self.sequence}"
