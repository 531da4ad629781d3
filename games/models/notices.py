"""The models of notifications: mail and push settings of players, and messages to send."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match
from games.ops import true_time


class MailChoice(models.Model):
    """A player's request for mail when it is their turn in a correspondence match."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_choice"
    )
    language = models.CharField(max_length=10, help_text="The language to write in.")
    made_at = models.DateTimeField(default=true_time.now)

    class Meta:
        """Names for the admin."""

        verbose_name = _("email setting")
        verbose_name_plural = _("email settings")

    def __str__(self) -> str:
        """Return the player's primary key."""
        return str(self.player_id)


class PushSubscription(models.Model):
    """A browser in which a player enabled push notifications; a browser has one player."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(
        max_length=600, unique=True, help_text="The browser's address at the push service."
    )
    public_key = models.CharField(max_length=120, help_text="p256dh, base64url.")
    secret = models.CharField(max_length=40, help_text="auth, base64url.")
    language = models.CharField(max_length=10, help_text="The language of the page that asked.")
    made_at = models.DateTimeField(default=true_time.now)

    class Meta:
        """Names for the admin."""

        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    def __str__(self) -> str:
        """Return the primary key; the endpoint is a secret."""
        return f"#{self.pk}"


class Notice(models.Model):
    """One message to one player; the row is kept to prevent a second one.

    It is marked as sent only afterwards, so it is sent again if the worker dies in between.
    """

    class Way(models.TextChoices):
        """The channel of a message."""

        MAIL = "mail", _("email")
        PUSH = "push", _("push")

    class Kind(models.TextChoices):
        """The kind of a message."""

        TURN = "turn", _("your turn")
        INVITED = "invited", _("invited to a table")
        TAKEN = "taken", _("game accepted")
        DUE = "due", _("time running out")
        ENDED = "ended", _("match over")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notices")
    way = models.CharField(max_length=4, choices=Way)
    kind = models.CharField(max_length=7, choices=Kind)
    asked = models.PositiveIntegerField(
        default=0, help_text="The length of the log when the turn began."
    )
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: one mail and one push for a turn."""

        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["match", "player", "way", "kind", "asked"], name="notice_once"
            ),
        ]

    def __str__(self) -> str:
        """Return the primary key and the channel."""
        return f"#{self.pk} {self.way}"


class Reminder(models.Model):
    """A message to a player that something they entered begins soon, or has begun.

    Like a `Notice`, it is marked after it was sent.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reminders"
    )
    way = models.CharField(max_length=4, choices=Notice.Way)
    key = models.CharField(max_length=40, help_text="What it is about; one for each player.")
    title = models.CharField(max_length=80)
    address = models.CharField(max_length=200, help_text="The path of its page.")
    until = models.DateTimeField(
        help_text="The start or, once it has begun, the time by which players must have come."
    )
    begun = models.BooleanField(default=False)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: one mail and one push for each event."""

        verbose_name = _("reminder")
        verbose_name_plural = _("reminders")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "way", "key"], name="reminder_once"),
        ]

    def __str__(self) -> str:
        """Return the primary key and the channel."""
        return f"#{self.pk} {self.way}"
