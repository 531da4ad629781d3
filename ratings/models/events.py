"""Models of tournaments: events, entrants, rounds, tables, games and corrections."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.api import true_now
from ratings.models.clubs import Club, new_id, new_token
from ratings.models.games import Play, StandardGame

LONGEST_TITLE = 60
"""Maximum number of characters of an event's title."""


class Event(models.Model):
    """A tournament. Jobs take it from planning to its titles (`ratings.events.progress`)."""

    class Format(models.TextChoices):
        """The format: who meets whom, and what decides."""

        SWISS = "swiss", _("Swiss duplicate")
        QUALIFYING = "qualifying", _("Qualifying and playoff")
        KNOCKOUT = "knockout", _("Knockout")
        ROBIN = "robin", _("Round robin")
        ARENA = "arena", _("Arena")
        TEAMS = "teams", _("Two against two")

    class Entry(models.TextChoices):
        """The people who may sign up."""

        OPEN = "open", _("Everyone")
        CLUB = "club", _("Members of the club")
        LINK = "link", _("Everyone with the link")
        TEAM = "team", _("Players of the two teams")

    class State(models.TextChoices):
        """The stage of an event."""

        PLANNED = "planned", pgettext_lazy("tournament", "planned")
        RUNNING = "running", _("under way")
        OVER = "over", pgettext_lazy("tournament", "over")
        OFF = "off", pgettext_lazy("tournament", "cancelled")

    public_id = models.CharField(
        max_length=10, unique=True, default=new_id, editable=False, help_text=_("In addresses.")
    )
    token = models.CharField(
        max_length=16,
        unique=True,
        default=new_token,
        editable=False,
        help_text="Opens the sign-up of an event that is not open to everyone.",
    )
    title = models.CharField(max_length=LONGEST_TITLE)
    note = models.CharField(max_length=300, blank=True, default="")
    format = models.CharField(max_length=10, choices=Format)
    entry = models.CharField(max_length=4, choices=Entry, default=Entry.OPEN)
    club = models.ForeignKey(
        Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="events"
    )
    seats = models.PositiveSmallIntegerField(default=2, help_text="Players at a table.")
    rounds = models.PositiveSmallIntegerField(
        default=5, help_text="Rounds before a bracket; 0 where the number of players decides."
    )
    best_of = models.PositiveSmallIntegerField(
        default=1, help_text="Games of each pairing in a bracket: 1, 3 or 5."
    )
    minutes = models.PositiveSmallIntegerField(default=60, help_text="The length of an arena.")
    no_show = models.PositiveSmallIntegerField(
        default=5, help_text="Minutes after which an absent player loses the game."
    )
    check_in = models.PositiveSmallIntegerField(
        default=0, help_text="Minutes before the start in which players check in; 0: never."
    )
    late_rounds = models.PositiveSmallIntegerField(
        default=1, help_text="Players may join until this round is over; 0: only before."
    )
    band_low = models.PositiveSmallIntegerField(null=True, blank=True)
    band_high = models.PositiveSmallIntegerField(null=True, blank=True)
    places = models.PositiveSmallIntegerField(default=64, help_text="Most players.")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(help_text="No game begins after it.")
    state = models.CharField(max_length=7, choices=State, default=State.PLANNED)
    paused = models.BooleanField(default=False)
    reminded = models.BooleanField(default=False, help_text="Players were told of the start.")
    version = models.PositiveIntegerField(
        default=0, help_text="Grows with each change that its page shows."
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="events_made",
    )
    made_at = models.DateTimeField(default=true_now)
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraints, and the index of the list of events."""

        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("starts_at")), name="event_ends_later"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["planned", "running", "over", "off"]),
                name="event_state_known",
            ),
            # Not as lists: Django cannot read those of numbers back from SQLite.
            models.CheckConstraint(condition=Q(seats=2) | Q(seats=3), name="event_two_or_three"),
            models.CheckConstraint(
                condition=Q(best_of=1) | Q(best_of=3) | Q(best_of=5), name="event_best_of"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["state", "starts_at"], name="event_by_state")]

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
    def check_in_from(self) -> datetime:
        """The time at which its check-in opens."""
        return self.starts_at - timedelta(minutes=self.check_in)

    @property
    def checks_in(self) -> bool:
        """Whether players can and must check in now."""
        opens = self.check_in > 0 and true_now() >= self.check_in_from
        return self.is_planned and opens

    @property
    def is_over(self) -> bool:
        """Whether it is over or called off."""
        return self.state in {self.State.OVER, self.State.OFF}


class EventEntrant(models.Model):
    """A player of an event, or one of the computers that fill it."""

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="entrants", db_index=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="events_entered"
    )
    computer = models.BooleanField(
        default=False, help_text="A computer; it may take several places."
    )
    number = models.PositiveSmallIntegerField(help_text="From 1 on, in the order of sign-up.")
    joined_at = models.DateTimeField(default=true_now)
    here = models.BooleanField(default=False, help_text="Has checked in.")
    absent = models.BooleanField(
        default=False, help_text="Is not paired until they come back; gets no title."
    )
    seed = models.FloatField(default=0, help_text="The rating minus its RD at the start, Elo.")
    team = models.PositiveSmallIntegerField(null=True, blank=True, help_text="0 or 1.")
    place = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="When the event is over."
    )
    titled = models.BooleanField(default=False, help_text="The place is a title on the profile.")

    class Meta:
        """Constraints: a person takes part once, and numbers are unique."""

        verbose_name = _("player of a tournament")
        verbose_name_plural = _("players of tournaments")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["event", "player"], condition=Q(computer=False), name="event_entrant_once"
            ),
            models.UniqueConstraint(fields=["event", "number"], name="event_entrant_number"),
        ]

    def __str__(self) -> str:
        """Return the event and the number."""
        return f"{self.event_id}:{self.number}"

    @property
    def is_away(self) -> bool:
        """Whether they get no game: they are absent, or banned while the event goes on."""
        return self.absent or not (self.player.is_active or self.event.is_over)


class EventRound(models.Model):
    """A round. In a duplicate all its tables play one standard game, made when it begins."""

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="played", db_index=False
    )
    number = models.PositiveSmallIntegerField(help_text="From 1 on.")
    bracket = models.BooleanField(default=False, help_text="Losers are out.")
    standard_game = models.OneToOneField(
        StandardGame, on_delete=models.PROTECT, null=True, blank=True, related_name="event_round"
    )
    # When tables began to wait: at the start, or when the last pause in the round ended.
    began_at = models.DateTimeField(default=true_now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: numbers are unique within an event."""

        verbose_name = _("round of a tournament")
        verbose_name_plural = _("rounds of tournaments")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "number"], name="event_round_once"),
        ]

    def __str__(self) -> str:
        """Return the event and the number."""
        return f"{self.event_id}/{self.number}"


class EventTable(models.Model):
    """A table of a round: who meets, and who went on. Without a second player it is a bye."""

    round = models.ForeignKey(
        EventRound, on_delete=models.CASCADE, related_name="tables", db_index=False
    )
    number = models.PositiveSmallIntegerField(help_text="From 0 on; in a bracket from the top.")
    first = models.ForeignKey(
        EventEntrant, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    second = models.ForeignKey(
        EventEntrant, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    third = models.ForeignKey(
        EventEntrant, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    winner = models.ForeignKey(
        EventEntrant, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: numbers are unique within a round."""

        verbose_name = _("table of a tournament")
        verbose_name_plural = _("tables of tournaments")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "number"], name="event_table_once"),
        ]

    def __str__(self) -> str:
        """Return the round and the number."""
        return f"{self.round_id}.{self.number}"

    @property
    def sitting(self) -> tuple[EventEntrant, ...]:
        """The entrants at the table, by place."""
        return tuple(each for each in (self.first, self.second, self.third) if each is not None)


class EventGame(models.Model):
    """A game at a table. Lists have a value for each place at the table, not for each seat."""

    table = models.ForeignKey(
        EventTable, on_delete=models.CASCADE, related_name="games", db_index=False
    )
    number = models.PositiveSmallIntegerField(help_text="From 1 on.")
    deals = models.PositiveSmallIntegerField(
        default=0, help_text="The place that deals first; it has seat 0."
    )
    play = models.OneToOneField(
        Play, on_delete=models.PROTECT, null=True, blank=True, related_name="event_game"
    )
    scores: models.JSONField[list[int] | None, list[int] | None] = models.JSONField(
        null=True, blank=True, help_text="Points; none for a game that was not played."
    )
    margins: models.JSONField[list[float], list[float]] = models.JSONField(
        default=list, blank=True, help_text="The margins that count, points."
    )
    gone: models.JSONField[list[int], list[int]] = models.JSONField(
        default=list, blank=True, help_text="The places of those who left."
    )
    winner = models.PositiveSmallIntegerField(null=True, blank=True, help_text="A place.")
    corrected = models.BooleanField(default=False)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: numbers are unique at a table."""

        verbose_name = _("game of a tournament")
        verbose_name_plural = _("games of tournaments")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="event_game_once"),
        ]

    def __str__(self) -> str:
        """Return the table and the number."""
        return f"{self.table_id}.{self.number}"


class EventCorrection(models.Model):
    """A result that the organiser corrected; everyone sees it, with the reason."""

    game = models.ForeignKey(EventGame, on_delete=models.CASCADE, related_name="corrections")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    before: models.JSONField[list[int] | None, list[int] | None] = models.JSONField(null=True)
    after: models.JSONField[list[int], list[int]] = models.JSONField()
    reason = models.CharField(max_length=200)
    at = models.DateTimeField(default=true_now)

    class Meta:
        """Display names."""

        verbose_name = _("correction")
        verbose_name_plural = _("corrections")

    def __str__(self) -> str:
        """Return the game and the key."""
        return f"{self.game_id}:{self.pk}"
