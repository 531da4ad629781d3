"""The models of public matches: those that everyone may see, what was chosen in them, and files."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match
from games.ops import true_time


class PublicMatch(models.Model):
    """A finished match whose cards everyone may see, as last checked.

    `games.archive.explorer.filing` adds and removes these rows. Removing one removes the choices.
    """

    match = models.OneToOneField(
        Match, on_delete=models.CASCADE, primary_key=True, related_name="public"
    )
    since = models.DateTimeField(default=true_time.now, help_text="When it became public.")

    class Meta:
        """Index for the files of open data, one for each month."""

        verbose_name = _("public match")
        verbose_name_plural = _("public matches")
        indexes: ClassVar = [models.Index(fields=["since"], name="public_since")]

    def __str__(self) -> str:
        """Return the match's primary key."""
        return str(self.match_id)


class Choice(models.Model):
    """One decision of a public match for two: a throw, a lead, or the answer to a lead.

    The explorer groups these rows when it is asked, rather than keeping counts: a match that is
    no longer public takes its rows with it, and nothing has to be subtracted.
    """

    class Group(models.IntegerChoices):
        """The kind of player: people by their rating when the match was filed, or a computer."""

        UNRATED = 0, _("not rated yet")
        BELOW = 1, _("rated under 1475")
        MIDDLE = 2, _("rated 1475 to 1524")
        ABOVE = 3, _("rated 1525 or more")
        COMPUTER = 9, _("computers")

    class Stage(models.IntegerChoices):
        """The stage of the game, by the points that the leader still needs."""

        EARLY = 0, _("more than 60 to go")
        MIDDLE = 1, _("31 to 60 to go")
        LATE = 2, _("30 or less to go")

    match = models.ForeignKey(PublicMatch, on_delete=models.CASCADE, related_name="choices")
    game = models.PositiveSmallIntegerField(help_text="1, 2, … within the match.")
    hand = models.PositiveSmallIntegerField(help_text="1, 2, … within the game.")
    seat = models.PositiveSmallIntegerField()
    spot = models.PositiveIntegerField(
        help_text="The situation as a number; see games.archive.explorer.spots."
    )
    choice = models.PositiveSmallIntegerField(help_text="What was chosen, as a number.")
    group = models.PositiveSmallIntegerField(choices=Group)
    stage = models.PositiveSmallIntegerField(choices=Stage)
    points = models.SmallIntegerField(
        null=True,
        blank=True,
        help_text="What it scored, in points. Null if the game ended before.",
    )

    class Meta:
        """One index, which alone answers the explorer."""

        verbose_name = _("choice")
        verbose_name_plural = _("choices")
        indexes: ClassVar = [
            models.Index(
                fields=["spot", "group", "stage", "choice", "points"], name="choice_at_spot"
            )
        ]

    def __str__(self) -> str:
        """Return the primary keys of the match and the row."""
        return f"{self.match_id}:{self.pk}"


class DisputedHand(models.Model):
    """The throw about which people disagreed most in one week."""

    week = models.DateField(unique=True, help_text="Its Monday.")
    spot = models.PositiveIntegerField(help_text="As in Choice.")
    people = models.PositiveIntegerField(help_text="How many people threw in that week.")
    split = models.FloatField(help_text="The chance that two of them threw differently, 0 to 1.")

    class Meta:
        """Names for the admin."""

        verbose_name = _("disputed hand")
        verbose_name_plural = _("disputed hands")

    def __str__(self) -> str:
        """Return the week."""
        return self.week.isoformat()


class OpenDataFile(models.Model):
    """One month's file of open data: the matches that became public in it."""

    month = models.DateField(unique=True, help_text="Its first day.")
    games = models.PositiveIntegerField()
    size = models.PositiveBigIntegerField(help_text="Bytes, compressed.")
    sha256 = models.CharField(max_length=64, help_text="Of the compressed file.")
    stored = models.CharField(max_length=100, help_text="The name in the storage.")
    written_at = models.DateTimeField(default=true_time.now)

    class Meta:
        """Names for the admin."""

        verbose_name = _("file of open data")
        verbose_name_plural = _("files of open data")

    def __str__(self) -> str:
        """Return the month."""
        return f"{self.month:%Y-%m}"
