"""The packs of a match whose deals are written beforehand."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Decks(models.Model):
    """One pack for each hand of a game, in the order in which its cards leave the pack.

    A pack is 52 cards as "5H TD ...". The cards are dealt one at a time from pone on, with three
    seats one more goes to the crib, and the next card is the starter: the same for whoever plays
    it. Never changed, and shown to nobody while somebody may still play it.
    """

    packs: models.JSONField[list[str], list[str]] = models.JSONField(
        help_text=_("For each hand the whole pack: 52 cards, one space between.")
    )
    first_dealer = models.PositiveSmallIntegerField(default=0, help_text=_("A seat."))

    class Meta:
        """A dealer is one of three seats at most."""

        verbose_name = _("decks")
        verbose_name_plural = _("decks")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(first_dealer__lte=2), name="decks_first_dealer"
            ),
        ]

    def __str__(self) -> str:
        """Return the number; never a card."""
        return f"#{self.pk}"
