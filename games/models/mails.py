"""The model of mails that wait to be sent."""

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class QueuedMail(models.Model):
    """A mail about an account, deleted once it is sent; `games.people.mail_queue` reads it.

    Its text holds links that let their reader in, so it is encrypted.
    """

    recipient = models.EmailField()
    sealed = models.TextField(help_text=_("The mail, encrypted with the site's secret key."))
    made_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now, help_text=_("Not before this."))
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        """Index of the mails that are due."""

        verbose_name = _("mail to send")
        verbose_name_plural = _("mails to send")
        indexes: ClassVar = [models.Index(fields=["due_at"], name="mail_to_send")]

    def __str__(self) -> str:
        """Return the primary key; the text is a secret."""
        return f"#{self.pk}"
