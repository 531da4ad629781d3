"""The model of tokens that give scripts read access to a person's data."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.ops import true_time


class DataToken(models.Model):
    """A read-only token with its player's permissions.

    Unlike a `ProgramToken` it does not allow playing. Only the digest is stored; the token is 256
    random bits, so a plain SHA-256 is sufficient.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="data_tokens"
    )
    name = models.CharField(max_length=40, help_text="What the token is for.")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token.")
    created_at = models.DateTimeField(default=true_time.now)
    used_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was last used, to the hour."
    )

    class Meta:
        """Names for the admin."""

        verbose_name = _("data token")
        verbose_name_plural = _("data tokens")

    def __str__(self) -> str:
        """Return the player's primary key; the token itself is not stored."""
        return str(self.player_id)
