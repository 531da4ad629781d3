"""Models of team leagues: leagues, teams with their players, fixtures and corrections."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.api import true_now
from ratings.models.clubs import new_id, new_token
from ratings.models.events import Event


class TeamLeague(models.Model):
    """A league of teams of two. Jobs take it from sign-up to titles (`team_leagues.progress`)."""

    class State(models.TextChoices):
        """The stage of a league."""

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
        help_text="Lets its holder enter a team if the league is not listed.",
    )
    title = models.CharField(max_length=60)
    note = models.CharField(max_length=300, blank=True, default="")
    listed = models.BooleanField(default=True, help_text="Everyone can find it and enter a team.")
    double = models.BooleanField(default=False, help_text="Teams meet twice instead of once.")
    games = models.PositiveSmallIntegerField(default=2, help_text="Rounds of each team match.")
    days = models.PositiveSmallIntegerField(default=7, help_text="Days for each round.")
    rounds = models.PositiveSmallIntegerField(default=0, help_text="0 before the start.")
    current = models.PositiveSmallIntegerField(default=0, help_text="0 before the first round.")
    starts_at = models.DateTimeField()
    state = models.CharField(max_length=7, choices=State, default=State.PLANNED)
    version = models.PositiveIntegerField(
        default=0, help_text="Grows with each change that its page shows."
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="team_leagues_made",
    )
    made_at = models.DateTimeField(default=true_now)
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint, and the index of the list of leagues."""

        verbose_name = _("team league")
        verbose_name_plural = _("team leagues")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(state__in=["planned", "running", "over", "off"]),
                name="team_league_state_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["state", "starts_at"], name="team_league_by_state")
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
        """Whether it is over or called off."""
        return self.state in {self.State.OVER, self.State.OFF}


class LeagueTeam(models.Model):
    """A team of a league: two players, and perhaps substitutes."""

    league = models.ForeignKey(
        TeamLeague, on_delete=models.CASCADE, related_name="teams", db_index=False
    )
    name = models.CharField(max_length=30)
    number = models.PositiveSmallIntegerField(help_text="From 1 on, in the order of sign-up.")
    token = models.CharField(
        max_length=16,
        unique=True,
        default=new_token,
        editable=False,
        help_text="Lets its holder join the team.",
    )
    computer = models.BooleanField(default=False, help_text="Two computers that fill the league.")
    withdrawn = models.BooleanField(default=False, help_text="Plays no further match.")
    place = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="When the league is over."
    )

    class Meta:
        """Constraints: names and numbers are unique within a league."""

        verbose_name = _("team of a league")
        verbose_name_plural = _("teams of leagues")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["league", "name"], name="league_team_name"),
            models.UniqueConstraint(fields=["league", "number"], name="league_team_number"),
        ]

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class TeamPlayer(models.Model):
    """A player of a team; ``league`` repeats the team's, so that nobody is in two teams."""

    league = models.ForeignKey(
        TeamLeague, on_delete=models.CASCADE, related_name="players", db_index=False
    )
    team = models.ForeignKey(LeagueTeam, on_delete=models.CASCADE, related_name="players")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="teams"
    )
    computer = models.BooleanField(
        default=False, help_text="A computer; it may be in several teams."
    )
    joined_at = models.DateTimeField(default=true_now)
    titled = models.BooleanField(
        default=False, help_text="The team's place is a title on the profile."
    )

    class Meta:
        """Constraint: a person is in one team of a league."""

        verbose_name = _("player of a team")
        verbose_name_plural = _("players of teams")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["league", "player"], condition=Q(computer=False), name="team_player_once"
            ),
        ]

    def __str__(self) -> str:
        """Return the two keys."""
        return f"{self.team_id}:{self.player_id}"


class Fixture(models.Model):
    """A match of a league: who meets until when, and the result. Its games are those of `event`."""

    class How(models.TextChoices):
        """The way in which a match that is over came to its result."""

        PLAYED = "played", pgettext_lazy("match of a league", "played")
        WALKOVER = "walkover", _("walkover")
        VOID = "void", _("not played")
        CORRECTED = "corrected", _("corrected")

    league = models.ForeignKey(
        TeamLeague, on_delete=models.CASCADE, related_name="fixtures", db_index=False
    )
    round = models.PositiveSmallIntegerField(help_text="From 1 on.")
    home = models.ForeignKey(LeagueTeam, on_delete=models.CASCADE, related_name="+")
    away = models.ForeignKey(LeagueTeam, on_delete=models.CASCADE, related_name="+")
    event = models.OneToOneField(
        Event, on_delete=models.PROTECT, null=True, blank=True, related_name="fixture"
    )
    due_at = models.DateTimeField(help_text="A match that has not begun by then is decided.")
    how = models.CharField(max_length=9, choices=How, blank=True, default="")
    home_points = models.PositiveSmallIntegerField(default=0)
    away_points = models.PositiveSmallIntegerField(default=0)
    margin = models.FloatField(default=0, help_text="The home team's, points.")
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: a pair has one home match in a league."""

        verbose_name = _("match of a league")
        verbose_name_plural = _("matches of leagues")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["league", "home", "away"], name="fixture_once"),
        ]

    def __str__(self) -> str:
        """Return the league, the round and the key."""
        return f"{self.league_id}/{self.round}.{self.pk}"


class FixtureCorrection(models.Model):
    """A result that the organiser set; everyone sees it, with the reason."""

    fixture = models.ForeignKey(Fixture, on_delete=models.CASCADE, related_name="corrections")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    before = models.CharField(max_length=20, help_text="League points and margin, as text.")
    after = models.CharField(max_length=20)
    reason = models.CharField(max_length=200)
    at = models.DateTimeField(default=true_now)

    class Meta:
        """Display names."""

        verbose_name = _("correction of a league")
        verbose_name_plural = _("corrections of leagues")

    def __str__(self) -> str:
        """Return the fixture and the key."""
        return f"{self.fixture_id}:{self.pk}"
