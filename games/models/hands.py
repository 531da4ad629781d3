"""The models of played hands: summaries of the log for lists, replays and averages."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match
from games.models.seats import Seat


class Hand(models.Model):
    """A finished hand: one deal and its plays, written when the hand or the game ends.

    Cards are the engine's names separated by spaces: "5H TD".
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="hands", db_index=False)
    game = models.PositiveSmallIntegerField(help_text="0, 1, … within the match.")
    number = models.PositiveSmallIntegerField(help_text="0, 1, … within the game.")
    dealer = models.PositiveSmallIntegerField(help_text="The dealer's seat.")
    crib = models.CharField(max_length=11, blank=True, help_text="The four cards of the crib.")
    starter = models.CharField(max_length=2, blank=True, help_text="Empty if none was cut.")
    plays = models.CharField(
        max_length=80, blank=True, help_text="Seat and card in the order played: 0:5H 1:TD."
    )

    class Meta:
        """Constraint: a hand has one summary."""

        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "game", "number"], name="hand_summed_up_once"),
        ]

    def __str__(self) -> str:
        """Return the match, the game and the number of the hand."""
        return f"{self.match_id}/{self.game}/{self.number}"


class HandSeat(models.Model):
    """One seat's cards and points in one hand.

    These are rows rather than lists in Hand, so that a single aggregate query gives the averages by
    role over a player's matches. They refer to the Seat rather than the player, so that a seat
    keeps its hands when it changes owner (a guest who logs in).

    score_before + pegging + hand_points + crib_points + muggins = score_after, except that
    the winner's score is capped at the target.
    """

    hand = models.ForeignKey(Hand, on_delete=models.CASCADE, related_name="seats", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="hand_seats")
    is_dealer = models.BooleanField()
    dealt = models.CharField(max_length=17, help_text="The cards in the order dealt.")
    discarded = models.CharField(max_length=5, blank=True, help_text="The cards discarded.")
    pegging = models.PositiveSmallIntegerField(
        default=0, help_text="Points before the show: his heels, the play, go and last card."
    )
    hand_points = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Null if the game ended before the count."
    )
    crib_points = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Null for the others, and if not counted."
    )
    muggins = models.PositiveSmallIntegerField(
        default=0, help_text="Points claimed that another seat missed."
    )
    score_before = models.PositiveSmallIntegerField()
    score_after = models.PositiveSmallIntegerField()

    # The average points after the best discard of these cards; null until the match is measured.
    worth = models.FloatField(
        null=True,
        blank=True,
        help_text="Hand, crib and pegging together, as used to compare discards.",
    )
    worth_hand = models.FloatField(null=True, blank=True)
    worth_crib = models.FloatField(null=True, blank=True, help_text="For the crib, own or not.")
    worth_pegging = models.FloatField(
        null=True, blank=True, help_text="Includes his heels for the dealer."
    )

    class Meta:
        """Constraint: a seat has one row for each hand."""

        verbose_name = _("hand of a seat")
        verbose_name_plural = _("hands of seats")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hand", "seat"], name="hand_seat_once"),
        ]

    def __str__(self) -> str:
        """Return the primary keys of the hand and the seat."""
        return f"{self.hand_id}:{self.seat_id}"
