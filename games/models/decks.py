"""The model of the fixed packs of a match."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Decks(models.Model):
    """The fixed packs of a game, one for each hand, in dealing order.

    A pack is 52 cards as "5H TD ...". The cards are dealt one at a time, starting with pone. With
    three seats, one more goes to the crib. The next card is the starter. Packs never change, and
    are not shown while the game can still be played.
    """

    packs: models.JSONField[list[str], list[str]] = models.JSONField(
        help_text=_("For each hand the whole pack: 52 cards, one space between.")
    )
    first_dealer = models.PositiveSmallIntegerField(default=0, help_text=_("A seat."))

    class Meta:
        """Constraint: the dealer is one of at most three seats."""

        verbose_name = _("decks")
        verbose_name_plural = _("decks")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(first_dealer__lte=2), name="decks_first_dealer"
            ),
        ]

    def __str__(self) -> str:
        """Return the primary key; never a card."""
        return f"#{self.pk}"
