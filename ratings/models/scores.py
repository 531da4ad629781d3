"""Models of ratings, rating changes and win-loss records."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.api import true_now


class Rating(models.Model):
    """A player's rating at one number of seats, in Elo."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings"
    )
    seats = models.PositiveSmallIntegerField()
    skill = models.FloatField(help_text="Points above the average player.")
    rating = models.FloatField()
    rd = models.FloatField(help_text=_("Uncertainty: one standard deviation."))
    floor = models.FloatField(help_text="Rating minus RD. Leaderboards use this order.")
    provisional = models.BooleanField()
    results = models.PositiveIntegerField(help_text=_("Number of results."))
    computer = models.BooleanField(default=False)
    constants = models.CharField(max_length=20, help_text="Version of the model's constants.")
    updated_at = models.DateTimeField(default=true_now)
    played_at = models.DateTimeField(
        null=True, blank=True, help_text="When the player's own game was last rated."
    )

    class Meta:
        """Constraint: one rating per player and number of seats; and the index of leaderboards."""

        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "seats"], name="rating_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["seats", "-floor"], name="rating_list"),
        ]

    def __str__(self) -> str:
        """Return the player and the rating."""
        return f"{self.player_id}: {self.rating:.0f}"


class RatingChange(models.Model):
    """One change in the feed of a player's rating, with its reasons.

    The `parts` sum to ``now - was``. Each has cause and elo and, if it is about one game, the
    game's number (game) and the value before and after, or expected and real (was, now). Small
    parts are summed up as cause "rest".
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="rating_changes",
        db_index=False,
    )
    seats = models.PositiveSmallIntegerField()
    at = models.DateTimeField(default=true_now)
    was = models.FloatField()
    now = models.FloatField()
    rd = models.FloatField()
    own = models.BooleanField(help_text="Caused by the player's own game.")
    parts: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField()

    class Meta:
        """Index of a player's feed, newest first."""

        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        indexes: ClassVar = [
            models.Index(fields=["player", "seats", "-id"], name="change_feed"),
        ]

    def __str__(self) -> str:
        """Return the player and both ratings."""
        return f"{self.player_id}: {self.was:.1f} -> {self.now:.1f}"


class Record(models.Model):
    """A player's wins and losses in ranked games; a refit never changes it."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ranked_records"
    )
    seats = models.PositiveSmallIntegerField()
    won = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    skunks = models.PositiveIntegerField(default=0, help_text="Won by skunk.")
    skunked = models.PositiveIntegerField(default=0, help_text="Lost by skunk.")

    class Meta:
        """Constraint: one record per player and number of seats."""

        verbose_name = _("record")
        verbose_name_plural = _("records")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "seats"], name="record_once"),
        ]

    def __str__(self) -> str:
        """Return wins and losses."""
        return f"{self.won}-{self.lost}"
