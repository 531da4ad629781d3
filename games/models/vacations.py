"""The model of players' days off, which stop the deadlines of their correspondence matches."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Vacation(models.Model):
    """A period in which no time runs for a player in correspondence matches.

    `until` is its planned end, and the real one once the player is back. Old rows are kept: they
    count towards the allowance, and belong to the deadlines of running matches.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="vacations",
        db_index=False,
    )
    began = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        """Constraint: it does not end before it begins; an index for deadlines."""

        verbose_name = _("days off")
        verbose_name_plural = _("days off")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(until__gte=models.F("began")), name="vacation_ends_after_begin"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["player", "-until"], name="vacation_of_player")]

    def __str__(self) -> str:
        """Return the player's primary key."""
        return str(self.player_id)
