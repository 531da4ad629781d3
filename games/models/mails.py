"""The model of mails that wait to be sent."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.ops import true_time


class QueuedMail(models.Model):
    """A mail about an account, deleted once it is sent; `games.people.mail_queue` reads it.

    Its text holds links that let their reader in, so it is encrypted.
    """

    recipient = models.EmailField()
    sealed = models.TextField(help_text="The email, encrypted with the site's secret key.")
    made_at = models.DateTimeField(default=true_time.now)

    class Meta:
        """Names for the admin."""

        verbose_name = _("queued email")
        verbose_name_plural = _("queued emails")

    def __str__(self) -> str:
        """Return the primary key; the text is a secret."""
        return f"#{self.pk}"
