"""The model of the tokens that people's programs log in with."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.players import Player
from games.ops import true_time


class ProgramToken(models.Model):
    """The login token of a program; a program without a row cannot log in.

    Only its digest is stored, so that a leaked database gives no access. The token is 256 random
    bits, so a plain SHA-256 is sufficient.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="token")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token.")
    created_at = models.DateTimeField(default=true_time.now)
    used_at = models.DateTimeField(null=True, blank=True, help_text="Last connection.")

    class Meta:
        """Names for the admin."""

        verbose_name = _("program token")
        verbose_name_plural = _("program tokens")

    def __str__(self) -> str:
        """Return the program's primary key; the token itself is not stored."""
        return str(self.player_id)
