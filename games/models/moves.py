"""The model of the log of moves."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match
from games.ops import true_time

PLANNED = "planned:"
"""Start of the server's ids of planned and forced plays; no client's id has a colon."""

PROGRAM = "program:"
"""Start of the server's ids of the moves of people's programs, which send none."""

IDLE = "claimed:idle"
"""The id of the resignation with which a win is claimed from a player who was there but idle.
The server makes it; a win claimed from an absent or late player has no id."""


class Move(models.Model):
    """One entry of a match's log: a decision or a chance move. Never changed, never removed.

    The unique key (match, sequence) makes an append a compare-and-swap.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves", db_index=False)
    sequence = models.PositiveIntegerField(help_text="0, 1, 2, … without gaps.")
    seat = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The player's seat. Null for chance."
    )
    text = models.CharField(max_length=120, help_text="The move in the engine's notation.")
    client_id = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="The sender's own id for the move. It identifies a resend.",
    )
    at = models.DateTimeField(default=true_time.now)

    class Meta:
        """The unique key of the log; there is no other index, to keep appends cheap."""

        verbose_name = _("move")
        verbose_name_plural = _("moves")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "sequence"], name="move_sequence_unique"),
        ]

    def __str__(self) -> str:
        """Return the match, the sequence and the text."""
        return f"{self.match_id}#{self.sequence} {self.text}"
