"""The model of plays that players plan ahead in correspondence matches."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.seats import Seat


class PlannedPlay(models.Model):
    """A seat's answers to the opponent's next card. It names hidden cards of its player.

    Only that player may see it, until one of its cards is played. It is deleted then, or when it
    no longer fits.
    """

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="planned_play")
    version = models.PositiveIntegerField(help_text="The length of the log for which it was made.")
    answers = models.JSONField(
        help_text="Rank of the opponent's card -> own card; an empty rank stands for the others."
    )

    class Meta:
        """Names for the admin."""

        verbose_name = _("planned play")
        verbose_name_plural = _("planned plays")

    def __str__(self) -> str:
        """Return the primary key; the cards are a secret."""
        return f"#{self.pk}"
