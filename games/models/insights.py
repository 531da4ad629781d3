"""The models of insights: what decisions cost, summed up by situation, and the field's sums."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.seats import Seat


class _Situation(models.Model):
    """The columns of a situation: see `games.analysis.review_situations.Situation`."""

    band = models.PositiveSmallIntegerField(help_text="The player's rating then, as a band.")
    opponent = models.PositiveSmallIntegerField(help_text="The opponents' rating, as a band.")
    kind = models.CharField(max_length=6)
    phase = models.CharField(max_length=6)
    dealer = models.BooleanField()
    standing = models.CharField(max_length=6)
    decisions = models.PositiveIntegerField(help_text="Forced ones don't count.")
    loss = models.FloatField(help_text="Sum of their losses of winning chance, 0 to 1 each.")

    class Meta:
        """Without a table of its own."""

        abstract = True


class DecisionSum(_Situation):
    """The cost of a person's decisions in one match and one situation, by the review.

    It refers to the Seat, so that it follows a guest's seat to their account.
    """

    seat = models.ForeignKey(
        Seat, on_delete=models.CASCADE, related_name="decision_sums", db_index=False
    )

    class Meta:
        """Constraint: one row for each seat and situation."""

        verbose_name = _("sum of decisions")
        verbose_name_plural = _("sums of decisions")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["seat", "kind", "phase", "dealer", "standing"], name="decision_sum_once"
            ),
        ]

    def __str__(self) -> str:
        """Return the seat's primary key, the kind and the number of decisions."""
        return f"{self.seat_id} {self.kind}: {self.decisions}"


class FieldSum(_Situation):
    """The same of all players in one rating band; a nightly job writes it."""

    places = models.PositiveSmallIntegerField(help_text="Number of seats in the matches.")
    players = models.PositiveIntegerField(help_text="How many players made them.")

    class Meta:
        """Index for the field of one band."""

        verbose_name = _("sum of the field")
        verbose_name_plural = _("sums of the field")
        indexes: ClassVar = [models.Index(fields=["places", "band"], name="field_sum_band")]

    def __str__(self) -> str:
        """Return the band, the kind and the number of decisions."""
        return f"{self.band} {self.kind}: {self.decisions}"
