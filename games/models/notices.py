"""What a player asked to be told while he is away: by mail, by push, and what waits to be sent."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match


class MailChoice(models.Model):
    """A player who asked for a mail when it is his turn in a correspondence match."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_choice"
    )
    language = models.CharField(max_length=10, help_text=_("In which he asked for it."))
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Names for the admin."""

        verbose_name = _("mail choice")
        verbose_name_plural = _("mail choices")

    def __str__(self) -> str:
        """Return whose it is."""
        return str(self.player_id)


class PushSubscription(models.Model):
    """A browser in which a player asked for notifications; a browser has one at a time."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(
        max_length=600, unique=True, help_text=_("The push service's address of this browser.")
    )
    public_key = models.CharField(max_length=120, help_text=_("p256dh, base64url."))
    secret = models.CharField(max_length=40, help_text=_("auth, base64url."))
    language = models.CharField(max_length=10, help_text=_("Of the page on which it was asked."))
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Names for the admin."""

        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    def __str__(self) -> str:
        """Return the number: the address is a secret of the browser's."""
        return f"#{self.pk}"


class Notice(models.Model):
    """One message to one player, to be sent once; the row stays, so that it is not made again.

    Whoever sends it claims it first: a row is claimed once, whatever number of processes look.
    """

    class Way(models.TextChoices):
        """How it is sent."""

        MAIL = "mail", _("mail")
        PUSH = "push", _("push")

    class Kind(models.TextChoices):
        """What it says."""

        TURN = "turn", _("your turn")
        INVITED = "invited", _("asked to a table")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notices")
    way = models.CharField(max_length=4, choices=Way)
    kind = models.CharField(max_length=7, choices=Kind)
    asked = models.PositiveIntegerField(
        default=0, help_text=_("How long the log was when the decision was asked for.")
    )
    due_at = models.DateTimeField(default=timezone.now, help_text=_("Not before this."))
    tries = models.PositiveSmallIntegerField(default=0)
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """One mail and one push for a turn; whoever sends asks for what is due."""

        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["match", "player", "way", "kind", "asked"], name="notice_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(claimed_at__isnull=True),
                name="notice_to_send",
            ),
        ]

    def __str__(self) -> str:
        """Return the number and the way."""
        return f"#{self.pk} {self.way}"
