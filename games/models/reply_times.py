"""The model of how quickly players reply in correspondence matches."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ReplyTimes(models.Model):
    """A player's reply times in finished correspondence matches, counted by length."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reply_times"
    )
    counts = models.JSONField(
        default=list, help_text="Number of replies in each class of length, the shortest first."
    )

    class Meta:
        """Names for the admin."""

        verbose_name = _("reply times")
        verbose_name_plural = _("reply times")

    def __str__(self) -> str:
        """Return the player's primary key."""
        return str(self.player_id)
