"""A match, who sits in it, and the log of what was done."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.ids import invite_token, public_id
from games.models.decks import Decks


class Match(models.Model):
    """One or more games between the same seats under one ruleset.

    How it stands is folded from its moves; the columns here are what lists need.
    """

    class Status(models.TextChoices):
        """Where a match stands, as far as a list cares."""

        WAITING = "waiting", _("waiting for players")
        PLAYING = "playing", _("being played")
        FINISHED = "finished", _("finished")
        ABANDONED = "abandoned", _("abandoned")

    class EndedBy(models.TextChoices):
        """Why a match is over; empty while it is not."""

        PLAYED = "played", _("played to the end")
        RESIGNED = "resigned", _("resigned")
        ABANDONED = "abandoned", _("abandoned")

    public_id = models.CharField(
        max_length=10, unique=True, default=public_id, editable=False, help_text=_("In addresses.")
    )
    ruleset = models.JSONField(
        help_text=_("The engine's Ruleset as a dict; kept, so that rules may change later.")
    )
    status = models.CharField(max_length=9, choices=Status, default=Status.WAITING)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="created_matches",
    )
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    listed = models.BooleanField(
        default=False, help_text=_("Shown among the open tables while it waits.")
    )
    watchable = models.BooleanField(
        default=False, help_text=_("Anybody may watch; nobody ever sees a hidden card.")
    )
    hints = models.BooleanField(
        default=False, help_text=_("Players may ask what the computer would do; never if rated.")
    )
    stand_in_level = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text=_("The computer that plays on for who leaves; empty: the strongest."),
    )
    winner = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("The seat that won the match.")
    )
    ended_by = models.CharField(max_length=9, choices=EndedBy, blank=True, default="")
    invite = models.CharField(
        max_length=16,
        unique=True,
        default=invite_token,
        editable=False,
        help_text=_("Who has this token may take an empty seat."),
    )
    rematch = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="rematch_of"
    )
    imported = models.BooleanField(
        default=False, help_text=_("Played elsewhere and entered here; never rated.")
    )
    branch_of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="branches",
        help_text=_("Played on from a point of this match; never rated, in nobody's statistics."),
    )
    branch_step = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("How many entries of that match's log came before it.")
    )
    duplicate_of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="duplicates",
        help_text=_("The same deals with the seats swapped; never rated, in nobody's averages."),
    )
    lesson = models.BooleanField(
        default=False, help_text=_("A coach explains it; in nobody's statistics, never rated.")
    )
    decks = models.ForeignKey(
        Decks,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="matches",
        help_text=_("The packs that it is dealt from; without, chance deals."),
    )
    ranked = models.BooleanField(
        default=False, help_text=_("Who leaves does not come back: the computer plays on.")
    )
    clock = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("Seconds for each decision; empty: no limit.")
    )
    days = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text=_("Correspondence: days for each decision; empty: played at one sitting."),
    )
    measured = models.BooleanField(
        default=False, help_text=_("Its deals are in the tallies of its players.")
    )

    class Meta:
        """Constraints, and the two lists that everybody sees."""

        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(status__in=["waiting", "playing", "finished", "abandoned"]),
                name="match_status_known",
            ),
            models.CheckConstraint(
                condition=models.Q(winner__isnull=True) | models.Q(status="finished"),
                name="match_winner_when_finished",
            ),
            models.CheckConstraint(
                condition=models.Q(branch_of__isnull=True, branch_step__isnull=True)
                | models.Q(branch_of__isnull=False, branch_step__isnull=False),
                name="match_branch_has_a_step",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["-created_at"],
                condition=models.Q(status="waiting", listed=True),
                name="match_open",
            ),
            models.Index(
                fields=["-started_at"], condition=models.Q(status="playing"), name="match_playing"
            ),
            models.Index(
                fields=["started_at"],
                condition=models.Q(status="playing", clock__isnull=False),
                name="match_on_the_clock",
            ),
            models.Index(
                fields=["id"],
                condition=models.Q(status="playing", days__isnull=False),
                name="match_by_letter",
            ),
            models.Index(
                fields=["-finished_at"],
                condition=models.Q(status="finished", watchable=True),
                name="match_public_over",
            ),
            models.Index(
                fields=["id"],
                condition=models.Q(status="finished", measured=False),
                name="match_to_measure",
            ),
        ]

    def __str__(self) -> str:
        """Return the id that its address has."""
        return self.public_id

    @property
    def swappable(self) -> bool:
        """Say whether its deals may come again with the seats swapped.

        For two, after one game whose cards chance has dealt: never those of a standard game, which
        others may still play.
        """
        written = self.decks_id is not None and self.duplicate_of_id is None
        once = self.ruleset["players"] == 2 and self.ruleset["games"] == 1
        elsewhere = self.imported or self.branch_of_id is not None
        return once and not (self.ranked or written or elsewhere)


class Seat(models.Model):
    """One place at a match: who sits there, and how the match ended for it.

    `player` stays whoever took the seat; `stand_in` is the computer that plays for one who
    left, until he comes back.
    """

    class Kind(models.IntegerChoices):
        """What sort of match it was, once it is over."""

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
        # The index that begins with the player, below, does its work.
        db_index=False,
    )
    computer = models.BooleanField(
        default=False, help_text=_("Taken by a computer from the start; it may take several.")
    )
    stand_in = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="stand_ins",
        db_index=False,
    )
    left_at = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text=_("Ranked: how long the log was when its player left for good."),
    )
    timed_out = models.BooleanField(default=False, help_text=_("Left because the time ran out."))
    score = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("Points in the last game, when the match is over.")
    )
    games_won = models.PositiveSmallIntegerField(default=0)
    match_points = models.PositiveSmallIntegerField(default=0)
    won = models.BooleanField(
        null=True, blank=True, help_text=_("Unknown until it is over, and where nobody won.")
    )

    # What lists filter by and totals add up, written when the match is over: one index holds it
    # all, so that neither has to look at the matches or at the others' seats.
    ended_at = models.DateTimeField(null=True, blank=True)
    kind = models.PositiveSmallIntegerField(choices=Kind, null=True, blank=True)
    places = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("How many seats the match has.")
    )
    computers = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("How many of the others are computers.")
    )
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        help_text=_("Who sits to the left."),
    )
    opponent_2 = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        help_text=_("Three seats: who sits to the right."),
    )
    margin = models.FloatField(
        null=True,
        blank=True,
        help_text=_("Own score less the mean of the others', averaged over the games, points."),
    )
    skunks = models.PositiveSmallIntegerField(default=0, help_text=_("Games won by a skunk."))
    skunked = models.PositiveSmallIntegerField(default=0, help_text=_("Games lost by a skunk."))
    watchable = models.BooleanField(default=False, help_text=_("As the match was, when it ended."))
    best_hand = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text=_("A person's highest count in a match played here; null until measured."),
    )

    class Meta:
        """A seat is taken once, and a person sits once."""

        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "seat"], name="seat_taken_once"),
            # A constraint cannot ask what kind a player is: `computer` repeats it here.
            models.UniqueConstraint(
                fields=["match", "player"],
                condition=models.Q(computer=False),
                name="seat_one_for_each_person",
            ),
            models.CheckConstraint(condition=models.Q(seat__lte=2), name="seat_number"),
        ]
        indexes: ClassVar = [
            # A player's matches, newest first: matches are numbered as they are made.
            models.Index(fields=["player", "-match"], name="seat_of_player"),
            models.Index(
                fields=["player", "-match"],
                condition=models.Q(ended_at__isnull=True),
                name="seat_not_over",
            ),
            # The list of matches and its totals are read from this alone.
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
        """Return the match and the number."""
        return f"{self.match_id}/{self.seat}"


class Move(models.Model):
    """One entry of a match's log: a decision or a piece of chance. Never changed, never removed.

    The key (match, sequence) is what makes an append a compare-and-swap.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves", db_index=False)
    sequence = models.PositiveIntegerField(help_text=_("0, 1, 2 ... without a gap."))
    seat = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("Who did it; null for chance.")
    )
    text = models.CharField(max_length=120, help_text=_("The engine's text form of the move."))
    client_id = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text=_("The sender's own id of it: a resend is known by it."),
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """The log's key; there is no other index, so that an append stays cheap."""

        verbose_name = _("move")
        verbose_name_plural = _("moves")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "sequence"], name="move_sequence_unique"),
        ]

    def __str__(self) -> str:
        """Return the entry's place and text."""
        return f"{self.match_id}#{self.sequence} {self.text}"
