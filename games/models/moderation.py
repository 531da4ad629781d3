"""The models of reports by players and actions of moderators."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.chat import ChatLine
from games.models.matches import Match
from games.ops import true_time

REPORT_LENGTH = 500
"""Highest number of characters of a report, or of a moderator's reason."""


class Report(models.Model):
    """A report about a player by another; open until a moderator closes it."""

    class Reason(models.TextChoices):
        """The reason for a report."""

        NAME = "name", _("Offensive name")
        ABUSE = "abuse", _("Abuse")
        CHEATING = "cheating", _("Cheating")
        OTHER = "other", _("Something else")

    class Outcome(models.TextChoices):
        """The outcome of a report, as its reporter is told."""

        ACTED = "acted", _("We acted")
        NO_BREACH = "no_breach", _("We found no breach")

    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports"
    )
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="reports_made"
    )
    match = models.ForeignKey(Match, on_delete=models.SET_NULL, null=True, blank=True)
    reason = models.CharField(max_length=8, choices=Reason)
    text = models.CharField(max_length=REPORT_LENGTH, blank=True, default="")
    lines = models.ManyToManyField(
        ChatLine, blank=True, help_text="Chat from the table, kept while the report is open."
    )
    at = models.DateTimeField(default=true_time.now)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    outcome = models.CharField(
        max_length=9,
        choices=Outcome,
        blank=True,
        default="",
        help_text="What reporters read.",
    )

    class Meta:
        """Constraint: a player has at most one open report about another."""

        verbose_name = _("report")
        verbose_name_plural = _("reports")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["about", "reporter"],
                condition=models.Q(closed_at__isnull=True),
                name="report_open_once",
            ),
        ]

    def __str__(self) -> str:
        """Return the primary key."""
        return f"#{self.pk}"


class ModerationEntry(models.Model):
    """One action of a moderator concerning a player. Never changed, never removed."""

    class Action(models.TextChoices):
        """The kind of action."""

        WARN = "warn", _("warn")
        BAN = "ban", _("ban")
        LIFT_BAN = "lift_ban", _("lift the ban")
        MUTE = "mute", _("mute")
        UNMUTE = "unmute", _("lift the mute")
        RENAME = "rename", _("remove the name")
        PARDON = "pardon", _("forgive games left")
        RANKED_BAN = "ranked_ban", _("bar from ranked games")
        LIFT_RANKED = "lift_ranked", _("allow ranked games")
        REMOVE = "remove", _("remove results")
        RESTORE = "restore", _("restore results")
        UNLINK = "unlink", _("unlink accounts")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="moderated"
    )
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="moderating"
    )
    second = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("The moderator who confirmed a ban for good."),
    )
    report = models.ForeignKey(
        Report, on_delete=models.SET_NULL, null=True, blank=True, related_name="entries"
    )
    action = models.CharField(max_length=12, choices=Action)
    days = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text=_("Days of a mute or ban. Empty: until lifted."),
    )
    reason = models.CharField(
        max_length=REPORT_LENGTH,
        help_text=_("The player sees this."),
    )
    at = models.DateTimeField(default=true_time.now)

    class Meta:
        """Names for the admin."""

        verbose_name = _("moderation")
        verbose_name_plural = _("moderation")

    def __str__(self) -> str:
        """Return the primary key and the action."""
        return f"#{self.pk} {self.action}"


class BanProposal(models.Model):
    """A moderator's proposal to ban a player for good, which another moderator decides."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ban_proposals"
    )
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    report = models.ForeignKey(
        Report, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(max_length=REPORT_LENGTH)
    at = models.DateTimeField(default=true_time.now)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    confirmed = models.BooleanField(default=False)

    class Meta:
        """Constraint: a player has at most one open proposal."""

        verbose_name = _("proposed ban")
        verbose_name_plural = _("proposed bans")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player"],
                condition=models.Q(decided_at__isnull=True),
                name="ban_proposal_open_once",
            ),
        ]

    def __str__(self) -> str:
        """Return the primary key."""
        return f"#{self.pk}"


class Appeal(models.Model):
    """A player's one appeal against an action of a moderator, with the one reply to it."""

    entry = models.OneToOneField(ModerationEntry, on_delete=models.CASCADE, related_name="appeal")
    text = models.CharField(max_length=REPORT_LENGTH)
    at = models.DateTimeField(default=true_time.now)
    reply = models.CharField(max_length=REPORT_LENGTH, blank=True, default="")
    replied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    replied_at = models.DateTimeField(null=True, blank=True)
    granted = models.BooleanField(default=False)

    class Meta:
        """Names for the admin."""

        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")

    def __str__(self) -> str:
        """Return the primary key."""
        return f"#{self.pk}"


class ModeratorNote(models.Model):
    """A moderator's note about a player, which only moderators see."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="moderator_notes"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    text = models.CharField(max_length=REPORT_LENGTH)
    at = models.DateTimeField(default=true_time.now)

    class Meta:
        """Names for the admin."""

        verbose_name = _("note")
        verbose_name_plural = _("notes")

    def __str__(self) -> str:
        """Return the primary key."""
        return f"#{self.pk}"


class SeenMatch(models.Model):
    """A match whose texts a moderator chose to read; they are never dealt its cards."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seen_matches"
    )
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=true_time.now)

    class Meta:
        """Constraint: one row per moderator and match."""

        verbose_name = _("match seen by a moderator")
        verbose_name_plural = _("matches seen by moderators")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "match"], name="seen_match_once"),
        ]

    def __str__(self) -> str:
        """Return the two keys."""
        return f"{self.player_id}:{self.match_id}"
