"""Models of club nights: leagues, titles, nights, entrants, games, tables and results."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.api import true_now
from ratings.models.clubs import Club, new_id, new_token
from ratings.models.games import Play, StandardGame


class ClubLeague(models.Model):
    """A league of a club: the best nights of each player count, out of a fixed number of nights."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="leagues")
    public_id = models.CharField(
        max_length=10, unique=True, default=new_id, editable=False, help_text=_("In addresses.")
    )
    title = models.CharField(max_length=60)
    nights = models.PositiveSmallIntegerField(help_text=_("It ends after this many nights."))
    best = models.PositiveSmallIntegerField(help_text=_("How many nights count for each player."))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField(default=true_now)
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: no more nights count than it has."""

        verbose_name = _("club league")
        verbose_name_plural = _("club leagues")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(best__gte=1, best__lte=models.F("nights")),
                name="league_best_of_nights",
            ),
        ]

    def __str__(self) -> str:
        """Return the title."""
        return self.title

    @property
    def is_over(self) -> bool:
        """Whether its standings are final."""
        return self.over_at is not None


class LeagueTitle(models.Model):
    """A title that a player won in a club league; given when it closes."""

    league = models.ForeignKey(
        ClubLeague, on_delete=models.CASCADE, related_name="titles", db_index=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="league_titles"
    )
    place = models.PositiveSmallIntegerField(help_text="1 to 3; equal totals share one.")

    class Meta:
        """Constraint: a player has one title of a league."""

        verbose_name = _("title of a club league")
        verbose_name_plural = _("titles of club leagues")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["league", "player"], name="league_title_once"),
        ]

    def __str__(self) -> str:
        """Return the two keys and the place."""
        return f"{self.league_id}:{self.player_id}: {self.place}"


class ClubNight(models.Model):
    """A club night: closed standard games for everyone with the link.

    Its games are never dealt to anyone else; they close at the end of the night.
    """

    class State(models.TextChoices):
        """The stage of a night."""

        PLANNED = "planned", pgettext_lazy("club night", "planned")
        RUNNING = "running", _("under way")
        OVER = "over", pgettext_lazy("club night", "over")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="nights")
    league = models.ForeignKey(
        ClubLeague, on_delete=models.SET_NULL, null=True, blank=True, related_name="league_nights"
    )
    title = models.CharField(max_length=60)
    token = models.CharField(
        max_length=16,
        unique=True,
        default=new_token,
        editable=False,
        help_text="Anyone with this token can play and see the standings.",
    )
    seats = models.PositiveSmallIntegerField(default=2, help_text=_("Players at a table."))
    games = models.PositiveSmallIntegerField(default=9, help_text=_("Games per player."))
    minutes = models.PositiveSmallIntegerField(
        default=25, help_text="Minutes until the next game starts for players who are free."
    )
    starts_at = models.DateTimeField()
    by_hand = models.BooleanField(default=False, help_text="An officer starts it, not the clock.")
    ends_at = models.DateTimeField(help_text=_("No game starts after this."))
    state = models.CharField(max_length=7, choices=State, default=State.PLANNED)
    current = models.PositiveSmallIntegerField(
        default=0, help_text="The current game's number, 0 before the first."
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="club_nights",
    )
    made_at = models.DateTimeField(default=true_now)
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: it ends after it begins."""

        verbose_name = _("club night")
        verbose_name_plural = _("club nights")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("starts_at")), name="night_ends_later"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["planned", "running", "over"]),
                name="night_state_known",
            ),
            # Not as a list: Django cannot read one of numbers back from SQLite.
            models.CheckConstraint(
                condition=models.Q(seats=2) | models.Q(seats=3), name="night_two_or_three"
            ),
        ]

    def __str__(self) -> str:
        """Return the title."""
        return self.title

    @property
    def is_planned(self) -> bool:
        """Whether it has not begun."""
        return self.state == self.State.PLANNED

    @property
    def is_running(self) -> bool:
        """Whether it has begun and is not over."""
        return self.state == self.State.RUNNING

    @property
    def is_over(self) -> bool:
        """Whether it is over."""
        return self.state == self.State.OVER

    @property
    def takes_entrants(self) -> bool:
        """Whether players may still join: a game is left that has not begun, and will."""
        goes_on = self.current < self.games and true_now() < self.ends_at
        return self.is_planned or (self.is_running and goes_on)


class Entrant(models.Model):
    """A player who takes part in a night."""

    night = models.ForeignKey(
        ClubNight, on_delete=models.CASCADE, related_name="entrants", db_index=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="nights_entered"
    )
    joined_at = models.DateTimeField(default=true_now)
    absent = models.BooleanField(
        default=False, help_text="The computer takes this seat when a game starts."
    )
    from_game = models.PositiveSmallIntegerField(
        default=1, help_text="Leaving a game before this number no longer counts as away."
    )

    ELSEWHERE: ClassVar = 0
    """The `from_game` of an absent player whose seat waits for the end of another night."""

    class Meta:
        """Constraint: each player takes part once."""

        verbose_name = _("club night player")
        verbose_name_plural = _("club night players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["night", "player"], name="entrant_once"),
        ]

    def __str__(self) -> str:
        """Return the two keys."""
        return f"{self.night_id}:{self.player_id}"

    @property
    def is_elsewhere(self) -> bool:
        """Whether they are absent only as long as they play at another night."""
        return self.absent and self.from_game == self.ELSEWHERE


class NightGame(models.Model):
    """One game of a night: a standard game that all tables play at the same time.

    The standard game is created when it begins, so its cards cannot leak before.
    """

    night = models.ForeignKey(
        ClubNight, on_delete=models.CASCADE, related_name="night_games", db_index=False
    )
    number = models.PositiveSmallIntegerField(help_text="Starts at 1.")
    standard_game = models.OneToOneField(
        StandardGame, on_delete=models.PROTECT, null=True, blank=True, related_name="night_game"
    )
    began_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: numbers are unique within a night."""

        verbose_name = _("club night game")
        verbose_name_plural = _("club night games")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["night", "number"], name="night_game_once"),
        ]

    def __str__(self) -> str:
        """Return the night and the number."""
        return f"{self.night_id}/{self.number}"


class NightTable(models.Model):
    """A table of a game, drawn when the night begins; `first` deals first.

    If the number of entrants does not fill all tables, some seats have no entrant: the house
    computer plays them. `third` is for nights with three seats.
    """

    game = models.ForeignKey(NightGame, on_delete=models.CASCADE, related_name="tables")
    first = models.ForeignKey(
        Entrant, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    second = models.ForeignKey(
        Entrant, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    third = models.ForeignKey(
        Entrant, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    play = models.OneToOneField(
        Play, on_delete=models.PROTECT, null=True, blank=True, related_name="night_table"
    )
    idle = models.BooleanField(
        default=False, help_text="No one was there to play when it was due to start."
    )

    class Meta:
        """Display names."""

        verbose_name = _("club night table")
        verbose_name_plural = _("club night tables")

    def __str__(self) -> str:
        """Return the game and the key."""
        return f"{self.game_id}:{self.pk}"


class NightResult(models.Model):
    """A player's result on a night that is over; only for those who finished a game."""

    entrant = models.OneToOneField(Entrant, on_delete=models.CASCADE, related_name="result")
    place = models.PositiveSmallIntegerField()
    points = models.PositiveSmallIntegerField(help_text=_("Game points."))
    played = models.PositiveSmallIntegerField(help_text=_("Games."))
    won = models.PositiveSmallIntegerField()
    skunks = models.PositiveSmallIntegerField(default=0)
    spread = models.SmallIntegerField(help_text=_("Winning margins minus losing margins."))
    form = models.CharField(
        max_length=30, help_text=_("A letter for each game in order: W won, L lost.")
    )
    best_hand = models.PositiveSmallIntegerField(help_text=_("Most points counted in one hand."))

    class Meta:
        """Display names."""

        verbose_name = _("club night result")
        verbose_name_plural = _("club night results")

    def __str__(self) -> str:
        """Return the entrant and the place."""
        return f"{self.entrant_id}: {self.place}"
