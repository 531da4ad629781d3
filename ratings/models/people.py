"""Models of matchmaking: tickets, leavings, linked accounts, devices, networks; and locks."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.api import true_now


class Ticket(models.Model):
    """A player waiting in the queue for ranked games; `match` is set once one is found."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ticket"
    )
    seats = models.PositiveSmallIntegerField()
    rating = models.FloatField()
    since = models.DateTimeField(default=true_now)
    seen_at = models.DateTimeField(
        default=true_now,
        help_text="When the page last asked. Tickets of closed pages expire.",
    )
    match = models.ForeignKey("games.Match", on_delete=models.CASCADE, null=True, blank=True)

    class Meta:
        """Index of waiting tickets, longest wait first."""

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
        """Return the player's key."""
        return str(self.player_id)


class Leaving(models.Model):
    """A ranked game that a person left by resigning or by running out of time.

    It is written in the transaction that gives the seat to the computer. It counts unless the
    service was down while the decision was due, or a moderator has forgiven it.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="leavings"
    )
    match = models.ForeignKey("games.Match", on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=true_now)
    timed_out = models.BooleanField(default=False)
    excused = models.BooleanField(default=False, help_text=_("The service was down at the time."))
    forgiven_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: a player leaves a match once; and the index of a player's leavings."""

        verbose_name = _("ranked game left")
        verbose_name_plural = _("ranked games left")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "player"], name="leaving_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["player", "at"], name="leaving_of_player")]

    def __str__(self) -> str:
        """Return the two keys."""
        return f"{self.match_id}:{self.player_id}"


class LinkedAccount(models.Model):
    """A player's membership of a group of linked accounts, assumed to belong to one person."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="linked"
    )
    group = models.CharField(max_length=16, db_index=True)

    class Meta:
        """Display names."""

        verbose_name = _("linked account")
        verbose_name_plural = _("linked accounts")

    def __str__(self) -> str:
        """Return the group."""
        return self.group


class SeparateAccounts(models.Model):
    """Two accounts that a moderator has found to be different people's; they are never linked.

    The lower primary key is `one`.
    """

    one = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=true_now)

    class Meta:
        """Constraints: a pair is stored once, in order."""

        verbose_name = _("separate accounts")
        verbose_name_plural = _("separate accounts")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["one", "other"], name="separate_once"),
            models.CheckConstraint(
                condition=models.Q(one__lt=models.F("other")), name="separate_in_order"
            ),
        ]

    def __str__(self) -> str:
        """Return the two keys."""
        return f"{self.one_id}:{self.other_id}"


class Device(models.Model):
    """A browser in which an account played ranked games, identified by a token in a cookie."""

    token = models.CharField(max_length=16)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices"
    )
    seen_at = models.DateTimeField(default=true_now)

    class Meta:
        """Constraint: one row per browser and account."""

        verbose_name = _("device")
        verbose_name_plural = _("devices")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["token", "player"], name="device_once"),
        ]

    def __str__(self) -> str:
        """Return the player's key."""
        return str(self.player_id)


class NetworkUse(models.Model):
    """A network from which a player entered ranked games, as a keyed hash.

    `digest` says only whether two rows have the same network. Rows are kept for thirty days
    (`ratings.matchmaking.networks`).
    """

    digest = models.CharField(max_length=32)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="networks"
    )
    seen_at = models.DateTimeField(default=true_now)

    class Meta:
        """Constraint: one row per network and player; and the index of old rows."""

        verbose_name = _("network")
        verbose_name_plural = _("networks")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["digest", "player"], name="network_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["seen_at"], name="network_seen")]

    def __str__(self) -> str:
        """Return the player's key."""
        return str(self.player_id)


class Lock(models.Model):
    """A row that one process at a time locks for a transaction.

    `number` counts rated plays; `epoch` changes with each refit. `refit_at` and `refit_seconds` are
    the time and the duration of the last refit. Only the locks of ratings use these fields.
    """

    name = models.CharField(max_length=20, unique=True)
    number = models.PositiveIntegerField(default=0)
    epoch = models.CharField(max_length=16, default="")
    refit_at = models.DateTimeField(null=True, blank=True)
    refit_seconds = models.FloatField(null=True, blank=True)

    class Meta:
        """Display names."""

        verbose_name = _("lock")
        verbose_name_plural = _("locks")

    def __str__(self) -> str:
        """Return the name."""
        return self.name
