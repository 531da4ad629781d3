"""The model of the fixed packs of a match, and which deals may be repeated."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Decks(models.Model):
    """The fixed packs of a game, one for each hand, in dealing order.

    A pack is 52 cards as "5H TD ...". The cards are dealt one at a time, starting with pone. With
    three seats, one more goes to the crib. The next card is the starter. Packs never change, and
    are not shown while the game can still be played.
    """

    packs: models.JSONField[list[str], list[str]] = models.JSONField(
        help_text="The whole pack for each hand: 52 cards, separated by spaces."
    )
    first_dealer = models.PositiveSmallIntegerField(default=0, help_text="A seat.")

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


SWAP_FIELDS = ("ruleset", "decks_id", "duplicate_of_id", "imported", "branch_of_id", "ranked")


def may_swap(match: Mapping[str, Any]) -> bool:
    """Return whether a match's deals may be played again with the seats swapped.

    This requires two players and a single game with random deals. Standard games are excluded,
    since others may still play their deals.

    Args:
        match: its values for `SWAP_FIELDS`.
    """
    written = match["decks_id"] is not None and match["duplicate_of_id"] is None
    once = match["ruleset"]["players"] == 2 and match["ruleset"]["games"] == 1
    position = "scores" in match["ruleset"]
    elsewhere = match["imported"] or match["branch_of_id"] is not None or position
    return once and not (match["ranked"] or written or elsewhere)
