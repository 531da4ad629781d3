"""Who waits for a ranked game, which accounts are one person's, and locks."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Ticket(models.Model):
    """Somebody who waits for a ranked game; he has a match as soon as one was found."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ticket"
    )
    seats = models.PositiveSmallIntegerField()
    rating = models.FloatField()
    since = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(
        default=timezone.now, help_text=_("When the page last asked: who closed it is forgotten.")
    )
    match = models.ForeignKey("games.Match", on_delete=models.CASCADE, null=True, blank=True)

    class Meta:
        """Who waits longest comes first."""

        verbose_name = _("ticket")
        verbose_name_plural = _("tickets")
        indexes: ClassVar = [
            models.Index(
                fields=["seats", "since"],
                condition=models.Q(match__isnull=True),
                name="ticket_waiting",
            )
        ]

    def __str__(self) -> str:
        """Return who waits."""
        return str(self.player_id)


class Leaving(models.Model):
    """A ranked game that a person left: given up, or the time ran out, and the computer played on.

    Written in the transaction that gives the seat away. It counts unless the service itself was
    out while the decision was awaited, or a moderator has forgiven it.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="leavings"
    )
    match = models.ForeignKey("games.Match", on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    timed_out = models.BooleanField(default=False)
    excused = models.BooleanField(
        default=False, help_text=_("The service was out while the decision was awaited.")
    )
    forgiven_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """A match is left once; the queue asks for a player's last ones."""

        verbose_name = _("ranked game left")
        verbose_name_plural = _("ranked games left")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "player"], name="leaving_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["player", "at"], name="leaving_of_player")]

    def __str__(self) -> str:
        """Return the match and whose it was."""
        return f"{self.match_id}:{self.player_id}"


class LinkedAccount(models.Model):
    """Accounts of one group are taken for one person's: they never meet a deal twice."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="linked"
    )
    group = models.CharField(max_length=16, db_index=True)

    class Meta:
        """Names only."""

        verbose_name = _("linked account")
        verbose_name_plural = _("linked accounts")

    def __str__(self) -> str:
        """Return the group."""
        return self.group


class Device(models.Model):
    """A browser in which an account played ranked; the token is in a cookie of that browser."""

    token = models.CharField(max_length=16)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices"
    )
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """A browser knows an account once."""

        verbose_name = _("device")
        verbose_name_plural = _("devices")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["token", "player"], name="device_once"),
        ]

    def __str__(self) -> str:
        """Return whose it is."""
        return str(self.player_id)


class Lock(models.Model):
    """A row to be held while something is done by one process at a time.

    `number` counts what was done, `epoch` changes when it is all done anew; of the lock of whoever
    moves ratings `refit_at` says when that was last, `refit_seconds` how long it took.
    """

    name = models.CharField(max_length=20, unique=True)
    number = models.PositiveIntegerField(default=0)
    epoch = models.CharField(max_length=16, default="")
    refit_at = models.DateTimeField(null=True, blank=True)
    refit_seconds = models.FloatField(null=True, blank=True)

    class Meta:
        """Names only."""

        verbose_name = _("lock")
        verbose_name_plural = _("locks")

    def __str__(self) -> str:
        """Return what it guards."""
        return self.name
