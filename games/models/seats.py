"""The model of a seat of a match."""

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match
from games.models.players import Player

Row = TypeVar("Row")


class Seat(models.Model):
    """One seat of a match: its player, and the result of the match for it.

    `player` is always the player who took the seat; `stand_in` is the computer that substitutes
    for a player who left, until they return. In an imported game, people who have no account here
    are only a `name`.
    """

    class Kind(models.IntegerChoices):
        """The kind of a finished match."""

        CASUAL = 0, _("casual")
        RANKED = 1, _("ranked")
        IMPORTED = 2, _("imported")
        BRANCH = 3, _("branch")
        DUPLICATE = 4, _("seats swapped")
        LESSON = 5, _("lesson")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField(help_text=_("0 to 2, clockwise."))
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="seats",
        # The index below that starts with the player serves the same queries.
        db_index=False,
    )
    name = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="Imported games: who played, if they have no account here.",
    )
    computer = models.BooleanField(
        default=False,
        help_text=_("A computer from the start."),
    )
    stand_in = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="stand_ins",
        db_index=False,
    )
    substituted = models.BooleanField(
        default=False,
        help_text="A computer has substituted for the player, perhaps only for a while.",
    )
    left_at = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Ranked: the length of the log when the player left for good.",
    )
    timed_out = models.BooleanField(default=False, help_text="Left by running out of time.")
    rematch_wish = models.BooleanField(
        null=True,
        blank=True,
        help_text="Correspondence: wants a rematch, with the seats swapped or as they are.",
    )
    end_seen = models.BooleanField(
        default=False,
        help_text="Correspondence: the player has seen the end of the match, or ended it.",
    )
    score = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("Points in the last game.")
    )
    games_won = models.PositiveSmallIntegerField(default=0)
    match_points = models.PositiveSmallIntegerField(default=0)
    won = models.BooleanField(null=True, blank=True, help_text=_("Empty if no one won."))

    # Columns for lists and totals, written when the match ends. One index covers them, so that
    # queries need neither the matches nor the other seats.
    ended_at = models.DateTimeField(null=True, blank=True)
    kind = models.PositiveSmallIntegerField(choices=Kind, null=True, blank=True)
    places = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Number of seats in the match."
    )
    computers = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Number of computers among the others."
    )
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        help_text="The player to the left.",
    )
    opponent_2 = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        help_text="Three seats: the player to the right.",
    )
    margin = models.FloatField(
        null=True,
        blank=True,
        help_text="Own score minus the others' average, averaged over the games, in points.",
    )
    skunks = models.PositiveSmallIntegerField(default=0, help_text="Games won by skunk.")
    skunked = models.PositiveSmallIntegerField(default=0, help_text="Games lost by skunk.")
    watchable = models.BooleanField(default=False, help_text="The match's setting when it ended.")
    best_hand = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="Highest hand counted by a person in a match played here. Null until measured.",
    )

    class Meta:
        """Constraints: a seat is taken once, and a person has one seat; indexes for lists."""

        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "seat"], name="seat_taken_once"),
            # A constraint cannot look up the kind of a player, so `computer` repeats it here.
            models.UniqueConstraint(
                fields=["match", "player"],
                condition=models.Q(computer=False),
                name="seat_one_for_each_person",
            ),
            models.CheckConstraint(condition=models.Q(seat__lte=2), name="seat_number"),
            models.CheckConstraint(
                condition=models.Q(name="") | models.Q(player__isnull=True),
                name="seat_player_or_name",
            ),
        ]
        indexes: ClassVar = [
            # A player's matches, newest first: primary keys increase with time.
            models.Index(fields=["player", "-match"], name="seat_of_player"),
            models.Index(
                fields=["player", "-match"],
                condition=models.Q(ended_at__isnull=True),
                name="seat_not_over",
            ),
            # A covering index for the list of matches and its totals.
            models.Index(
                fields=[
                    *("player", "-ended_at", "-id", "won", "kind", "places", "computers"),
                    *("skunks", "skunked", "margin", "opponent", "opponent_2"),
                ],
                condition=models.Q(ended_at__isnull=False),
                name="seat_history",
            ),
            models.Index(
                fields=["player", "opponent", "-ended_at"],
                condition=models.Q(ended_at__isnull=False),
                name="seat_against",
            ),
            models.Index(
                fields=["player", "opponent_2", "-ended_at"],
                condition=models.Q(ended_at__isnull=False, opponent_2__isnull=False),
                name="seat_against_2",
            ),
            models.Index(
                fields=["player", "-best_hand"],
                condition=models.Q(best_hand__isnull=False),
                name="seat_best",
            ),
            models.Index(
                fields=["-best_hand", "-id"],
                condition=models.Q(best_hand__isnull=False, watchable=True),
                name="seat_best_of_all",
            ),
        ]

    def __str__(self) -> str:
        """Return the match's primary key and the number of the seat."""
        return f"{self.match_id}/{self.seat}"

    @property
    def shown_name(self) -> str:
        """The name of whoever played here; "" for an empty seat."""
        return self.name if self.player is None else self.player.name

    def let_play(self, computer: Player) -> None:
        """Let a computer substitute for the player, and store that it did."""
        self.stand_in, self.substituted = computer, True
        self.save(update_fields=["stand_in", "substituted"])


def others_clockwise(seats: Iterable[Row], own: int) -> tuple[Row, ...]:
    """Return the others of a match's seats, which are in order, clockwise from seat ``own``."""
    found = tuple(seats)
    return found[own + 1 :] + found[:own]
