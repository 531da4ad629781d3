"""The models of players' statistics, precomputed so that pages need no aggregation."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Tally(models.Model):
    """The totals of a player's deals in one role, without imported matches.

    The sums, in points, are the points made, the value of the cards (the average of the best
    discard), and luck with its variance as defined in `games.analysis.deal_values`. Variances of
    luck add up, which gives the band expected from chance alone.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tallies", db_index=False
    )
    seats = models.PositiveSmallIntegerField()
    dealer = models.BooleanField()
    deals = models.PositiveIntegerField(default=0)
    starters = models.PositiveIntegerField(default=0, help_text="Deals in which a starter was cut.")
    hands = models.PositiveIntegerField(default=0, help_text="Points held in those deals.")
    worth_hands = models.FloatField(default=0)
    cribs = models.PositiveIntegerField(default=0, help_text="Points in own cribs.")
    worth_cribs = models.FloatField(default=0)
    plays = models.PositiveIntegerField(default=0, help_text="Deals played to the last card.")
    pegging = models.PositiveIntegerField(default=0, help_text="Points pegged in those deals.")
    worth_pegging = models.FloatField(default=0)
    deal_luck = models.FloatField(default=0)
    deal_variance = models.FloatField(default=0)
    starter_luck = models.FloatField(default=0)
    starter_variance = models.FloatField(default=0)
    crib_luck = models.FloatField(default=0)
    crib_variance = models.FloatField(default=0)

    class Meta:
        """Constraint: one row for each player, number of seats and role."""

        verbose_name = _("total")
        verbose_name_plural = _("totals")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "seats", "dealer"], name="tally_once"),
        ]

    def __str__(self) -> str:
        """Return the player and the number of deals."""
        return f"{self.player_id}: {self.deals}"


class Outcome(models.Model):
    """The number of a person's matches of one kind with one result.

    Totals and records of tens of thousands of matches are sums over a few of these rows. They are
    written with the last move, like the result columns of the seat.
    """

    class Result(models.IntegerChoices):
        """The result of a match for the player."""

        LOST = 0, _("lost")
        WON = 1, _("won")
        NEITHER = 2, _("neither")

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="outcomes", db_index=False
    )
    kind = models.PositiveSmallIntegerField(help_text="Same as Seat.kind.")
    places = models.PositiveSmallIntegerField(help_text="Number of seats in the match.")
    computers = models.PositiveSmallIntegerField(help_text="Number of computers among the others.")
    bot = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="The site's computer, if it was the only opponent. Otherwise empty.",
    )
    result = models.PositiveSmallIntegerField(choices=Result)
    given = models.BooleanField(help_text="A game was won by skunk.")
    taken = models.BooleanField(help_text="A game was lost by skunk.")
    matches = models.PositiveIntegerField(default=0)
    skunks = models.PositiveIntegerField(default=0, help_text="Games won by skunk.")
    skunked = models.PositiveIntegerField(default=0, help_text="Games lost by skunk.")
    margins = models.PositiveIntegerField(default=0, help_text="Matches with a margin.")
    margin = models.FloatField(default=0, help_text="Sum of their margins, in points.")

    class Meta:
        """Constraint: one row for each kind and result."""

        verbose_name = _("outcome")
        verbose_name_plural = _("outcomes")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=[
                    *("player", "kind", "places", "computers"),
                    *("bot", "result", "given", "taken"),
                ],
                name="outcome_once",
            ),
        ]

    def __str__(self) -> str:
        """Return the player and the number of matches."""
        return f"{self.player_id}: {self.matches}"


class Streak(models.Model):
    """A player's current streak and longest winning streak, without imported matches."""

    player = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="streak"
    )
    current = models.IntegerField(
        default=0, help_text="Matches won in a row so far. Negative: lost."
    )
    longest = models.PositiveIntegerField(default=0, help_text="Most matches won in a row.")
    longest_at = models.DateTimeField(null=True, blank=True, help_text="When it was reached.")

    class Meta:
        """Index for the longest streaks of the site."""

        verbose_name = _("streak")
        verbose_name_plural = _("streaks")
        indexes: ClassVar = [models.Index(fields=["-longest", "longest_at"], name="streak_longest")]

    def __str__(self) -> str:
        """Return the player and both streaks."""
        return f"{self.player_id}: {self.current}, {self.longest}"
