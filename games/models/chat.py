"""The models of the chat: lines, and mutes between players."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.matches import Match
from games.ops import true_time

CHAT_LENGTH = 200
"""Maximum number of characters in a line."""


class ChatLine(models.Model):
    """One line of the chat of a match: a phrase from the list, or a free text.

    It is deleted with its author, or after some days by
    `games.people.chat_service.delete_old_lines`. The client's id of the line identifies a resend.
    """

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="chat_lines", db_index=False
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chat_lines"
    )
    phrase = models.CharField(
        max_length=16, blank=True, default="", help_text="The phrase; empty for free text."
    )
    text = models.CharField(max_length=CHAT_LENGTH, blank=True, default="")
    client_id = models.CharField(max_length=40)
    at = models.DateTimeField(default=true_time.now, db_index=True)

    class Meta:
        """Constraints: a line is sent once, and is either a phrase or a text."""

        verbose_name = _("chat line")
        verbose_name_plural = _("chat lines")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["match", "author", "client_id"], name="chat_line_sent_once"
            ),
            models.CheckConstraint(
                condition=models.Q(phrase="") ^ models.Q(text=""), name="chat_line_says_one_thing"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["match", "id"], name="chat_of_match")]

    def __str__(self) -> str:
        """Return the author and the text or phrase."""
        return f"{self.author}: {self.text or self.phrase}"


class Mute(models.Model):
    """A player's choice to hide another player's chat; the other player is not notified."""

    muter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mutes_made"
    )
    muted = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mutes_received"
    )
    made_at = models.DateTimeField(default=true_time.now)

    class Meta:
        """Constraints: a pair is unique, and players cannot mute themselves."""

        verbose_name = pgettext_lazy("noun", "mute")
        verbose_name_plural = _("mutes")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["muter", "muted"], name="mute_once"),
            models.CheckConstraint(
                condition=~models.Q(muter=models.F("muted")), name="mute_of_another"
            ),
        ]

    def __str__(self) -> str:
        """Return both players' primary keys."""
        return f"{self.muter_id}-{self.muted_id}"
