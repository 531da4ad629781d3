"""Models of seasons of ranked play: the months and years, and everyone's standing in them."""

from datetime import date
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Season(models.Model):
    """A month or a year of ranked play, in UTC. Its standings become final some days later."""

    class Kind(models.TextChoices):
        """The length of the season."""

        MONTH = "month", _("month")
        YEAR = "year", _("year")

    class State(models.TextChoices):
        """Whether its standings still move."""

        OPEN = "open", pgettext_lazy("season", "open")
        FINAL = "final", pgettext_lazy("season", "final")

    kind = models.CharField(max_length=5, choices=Kind)
    starts_on = models.DateField(help_text=_("The first day (UTC)."))
    state = models.CharField(max_length=5, choices=State, default=State.OPEN)
    counted_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When the standings were last computed.")
    )

    class Meta:
        """Constraints: a month or year is one season."""

        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "starts_on"], name="season_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["month", "year"]), name="season_kind_known"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "final"]), name="season_state_known"
            ),
        ]

    def __str__(self) -> str:
        """Return the name in addresses: ``2026-11`` or ``2026``."""
        return f"{self.starts_on:%Y-%m}" if self.kind == self.Kind.MONTH else f"{self.starts_on:%Y}"

    @property
    def is_final(self) -> bool:
        """Whether its standings no longer move."""
        return self.state == self.State.FINAL

    @property
    def is_month(self) -> bool:
        """Whether it is a month, and not a year."""
        return self.kind == self.Kind.MONTH

    @property
    def ends_before(self) -> date:
        """Return the first day that no longer belongs to it."""
        start = self.starts_on
        if self.kind == self.Kind.YEAR or start.month == 12:
            return date(start.year + 1, 1, 1)
        return date(start.year, start.month + 1, 1)


class SeasonEntry(models.Model):
    """A player's standing in a season at one number of seats.

    `place` is None while they have played too few games; `titled` is set when the season ends.
    """

    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, related_name="entries", db_index=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="season_entries"
    )
    seats = models.PositiveSmallIntegerField()
    games = models.PositiveIntegerField(help_text=_("Rated ranked games that ended in the season."))
    average = models.FloatField(
        help_text=_("Points per game beyond an average player with the same cards.")
    )
    score = models.FloatField(help_text=_("The average with 15 average games added."))
    place = models.PositiveIntegerField(null=True, blank=True)
    titled = models.BooleanField(default=False)
    withdrawn = models.BooleanField(
        default=False, help_text=_("A moderator removed the player's results after the end.")
    )

    class Meta:
        """Constraint: one entry per player and number of seats; and the index of standings."""

        verbose_name = _("season standing")
        verbose_name_plural = _("season standings")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "player", "seats"], name="season_entry_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["season", "seats", "place"], name="season_standings"),
        ]

    def __str__(self) -> str:
        """Return the three keys."""
        return f"{self.season_id}:{self.player_id}:{self.seats}"
