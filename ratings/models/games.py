"""Models of standard games, plays and attempts."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.api import true_now


class StandardGame(models.Model):
    """A game with fixed deals; its number is its primary key.

    Seat 0 deals first. While the game is open, only players who have played it may see its cards.
    """

    class State(models.TextChoices):
        """Whether it may still be dealt."""

        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    class Purpose(models.TextChoices):
        """The purpose that it is dealt for."""

        POOL = "pool", _("ranked games")
        DAILY = "daily", _("daily game")
        CHALLENGE = "challenge", _("challenge")
        CLUB = "club", _("club night")
        EVENT = "event", _("tournament")

    seats = models.PositiveSmallIntegerField()
    decks = models.OneToOneField("games.Decks", on_delete=models.PROTECT, related_name="standard")
    state = models.CharField(max_length=6, choices=State, default=State.OPEN)
    purpose = models.CharField(max_length=9, choices=Purpose, default=Purpose.POOL)
    salt = models.CharField(max_length=64, help_text="Shown once the game is closed.")
    commitment = models.CharField(
        max_length=64, help_text="SHA-256 of the salt and packs, shown from the start."
    )
    par: models.JSONField[list[float] | None, list[float] | None] = models.JSONField(
        null=True,
        blank=True,
        help_text="Each seat's average margin when the fast computer plays it out, in points.",
    )
    par_version = models.PositiveSmallIntegerField(null=True, blank=True)
    plays = models.PositiveIntegerField(
        default=0, help_text="Finished tables with at least one person."
    )
    daily = models.DateField(null=True, blank=True, help_text="The day (UTC) of a daily game.")
    daily_seat = models.PositiveSmallIntegerField(
        default=0, help_text="The player's seat in a daily game or challenge."
    )
    invite = models.CharField(
        max_length=16, blank=True, default="", help_text="The token in the challenge's link."
    )
    trust = models.PositiveSmallIntegerField(
        default=2,
        help_text="The lowest trust level among the players dealt it. 2 if none.",
    )
    filled_at = models.DateTimeField(null=True, blank=True, help_text="When its field became full.")
    made_at = models.DateTimeField(default=true_now)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: one daily game per day; and the index of the pool."""

        verbose_name = _("standard game")
        verbose_name_plural = _("standard games")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["daily"], name="standard_daily_once"),
            models.UniqueConstraint(
                fields=["invite"], condition=~models.Q(invite=""), name="standard_invite_once"
            ),
            models.CheckConstraint(
                condition=models.Q(seats__in=[2, 3]), name="standard_two_or_three"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "closed"]), name="standard_state_known"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["seats", "id"],
                condition=models.Q(state="open", purpose="pool"),
                name="standard_open_pool",
            )
        ]

    def __str__(self) -> str:
        """Return the number as shown to people."""
        return f"#{self.pk}"

    @property
    def is_open(self) -> bool:
        """Whether it may still be dealt."""
        return self.state == self.State.OPEN


class Play(models.Model):
    """One table's play of a standard game: reserved when it is dealt, then finished."""

    class Kind(models.TextChoices):
        """The origin of the table."""

        RANKED = "ranked", _("ranked")
        DAILY = "daily", _("daily game")
        CHALLENGE = "challenge", _("challenge")
        CLUB = "club", _("club night")
        EVENT = "event", _("tournament")
        LIVE = "live", _("played with random cards")
        FIELD = "field", _("computers")

    class Exclusion(models.TextChoices):
        """The reason why a play does not count for ratings."""

        NONE = "", _("counts")
        PRACTICE = "practice", _("cards played before")
        FIELD = "field", _("only computers played")
        CHOSEN = "chosen", _("the opponent or game was chosen")
        PAIR_CAP = "pair_cap", _("you met this opponent too often this month")
        SAME = "same", _("the players may be the same person")
        GUESTS = "guests", _("too many games against guests this month")
        PACKS = "packs", _("longer than the cards fixed for it")
        REMOVED = "removed", _("removed by a moderator")
        WAITING = "waiting", _("a player still had to wait after leaving games")
        BARRED = "barred", _("a player couldn't play ranked games at the time")
        TWICE = "twice", _("one person had two seats")

    standard_game = models.ForeignKey(
        StandardGame, on_delete=models.PROTECT, related_name="played", db_index=False
    )
    match = models.OneToOneField(
        "games.Match", on_delete=models.PROTECT, null=True, blank=True, related_name="standard_play"
    )
    kind = models.CharField(max_length=9, choices=Kind)
    exclusion = models.CharField(max_length=8, choices=Exclusion, blank=True, default="")
    finished_at = models.DateTimeField(null=True, blank=True)
    sequence = models.PositiveIntegerField(
        null=True, blank=True, help_text="Its position in the order of rating."
    )

    class Meta:
        """Indexes of the plays of a game, of rated plays and of plays to rate."""

        verbose_name = _("play")
        verbose_name_plural = _("plays")
        indexes: ClassVar = [
            models.Index(fields=["standard_game", "finished_at"], name="play_of_game"),
            models.Index(fields=["sequence"], name="play_sequence"),
            models.Index(
                fields=["finished_at"],
                condition=models.Q(kind="ranked"),
                name="play_ranked_lately",
            ),
            models.Index(
                fields=["finished_at"],
                condition=models.Q(sequence__isnull=True, exclusion="", finished_at__isnull=False),
                name="play_to_rate",
            ),
        ]

    def __str__(self) -> str:
        """Return the game and the key."""
        return f"#{self.standard_game_id}/{self.pk}"

    @property
    def exclusion_in_words(self) -> str:
        """The reason why it does not count for ratings; of a chosen game, what it was part of."""
        chosen = self.exclusion == self.Exclusion.CHOSEN
        part_of = _CHOSEN.get(self.Kind(self.kind)) if chosen else None
        return str(part_of) if part_of else self.get_exclusion_display()


_CHOSEN = {
    Play.Kind.CHALLENGE: _("challenges never change ratings"),
    Play.Kind.CLUB: _("club nights never change ratings"),
    Play.Kind.EVENT: _("tournaments never change ratings"),
}


class Attempt(models.Model):
    """One player's attempt at one seat in a play. The row exists before the first card is dealt.

    For each hand, `hands` has: net (the player's points minus the mean of the others), after (the
    player's score afterwards), thrown ("5H TD"), pegged, counted, crib (None unless dealer), and
    luck (points from the starter beyond its average).
    """

    class Ended(models.TextChoices):
        """The way in which it ended for the player."""

        PLAYED = "played", _("played to the end")
        LEFT = "left", _("left")
        TIMED_OUT = "timed_out", _("ran out of time")

    play = models.ForeignKey(Play, on_delete=models.CASCADE, related_name="attempts")
    standard_game = models.ForeignKey(
        StandardGame, on_delete=models.PROTECT, related_name="attempts", db_index=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="attempts"
    )
    seat = models.PositiveSmallIntegerField(help_text="0 deals first.")
    computer = models.BooleanField(default=False)
    first = models.BooleanField(default=True, help_text="The player's first time with this game.")
    score = models.PositiveSmallIntegerField(null=True, blank=True)
    margin = models.FloatField(
        null=True, blank=True, help_text="Own score minus the others' average, in points."
    )
    counted = models.FloatField(
        null=True, blank=True, help_text="The margin that counts if someone left."
    )
    pulled = models.FloatField(
        null=True, blank=True, help_text="The counted margin as pulled in by the last refit."
    )
    won = models.BooleanField(null=True, blank=True)
    ended = models.CharField(max_length=9, choices=Ended, blank=True, default="")
    hands: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(
        default=list, blank=True
    )
    replies: models.JSONField[list[float] | None, list[float] | None] = models.JSONField(
        null=True,
        blank=True,
        help_text="Agreement with the analysis in the play, see `Agreement`; null until examined.",
    )
    hands_seen = models.PositiveSmallIntegerField(
        default=0, help_text="Number of hands dealt to the player."
    )

    class Meta:
        """Constraint: a person is dealt a standard game for the first time only once."""

        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["play", "seat"], name="attempt_seat_once"),
            models.UniqueConstraint(
                fields=["standard_game", "player"],
                condition=models.Q(first=True, computer=False),
                name="attempt_first_once",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["standard_game", "seat"], name="attempt_of_seat"),
        ]

    def __str__(self) -> str:
        """Return the play and the seat."""
        return f"{self.play_id}:{self.seat}"

    @property
    def is_left(self) -> bool:
        """Whether the player left before the end, or ran out of time."""
        return self.ended in {self.Ended.LEFT, self.Ended.TIMED_OUT}
