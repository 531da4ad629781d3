"""The models of reports by players and actions of moderators."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.chat import ChatLine
from games.models.matches import Match

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
        ChatLine, blank=True, help_text=_("Chat from the table, kept while the report is open.")
    )
    at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)

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

        BAN = "ban", _("ban")
        LIFT_BAN = "lift_ban", _("lift the ban")
        MUTE = "mute", _("mute")
        UNMUTE = "unmute", _("lift the mute")
        RENAME = "rename", _("remove the name")
        PARDON = "pardon", _("forgive games left")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="moderated"
    )
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="moderating"
    )
    action = models.CharField(max_length=8, choices=Action)
    days = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("How many days a mute lasts. Empty: until lifted.")
    )
    reason = models.CharField(
        max_length=REPORT_LENGTH,
        help_text=_("Muted players see this when they try to chat."),
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Names for the admin."""

        verbose_name = _("moderation")
        verbose_name_plural = _("moderation")

    def __str__(self) -> str:
        """Return the primary key and the action."""
        return f"#{self.pk} {self.action}"
