"""How a program of a person's shows that it is that program."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.players import Player


class ProgramToken(models.Model):
    """The one token that lets a program in; without a row nothing does.

    Only its digest is kept, so that whoever reads the database cannot play with it. The token is
    256 random bits: a plain SHA-256 is enough, since nobody can guess through them.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="token")
    digest = models.CharField(max_length=64, unique=True, help_text=_("SHA-256 of the token."))
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True, help_text=_("Last connection."))

    class Meta:
        """Names for the admin."""

        verbose_name = _("program token")
        verbose_name_plural = _("program tokens")

    def __str__(self) -> str:
        """Return whose token it is; the token itself is known to nobody here."""
        return str(self.player_id)
