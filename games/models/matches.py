"""The model of a match."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.decks import SWAP_FIELDS, Decks, may_swap
from games.models.ids import invite_token, public_id
from games.models.players import Player
from games.ops import true_time


class Match(models.Model):
    """A match: one or more games between the same seats under one ruleset.

    Its state is the fold of its moves; the columns here are for lists.
    """

    class Status(models.TextChoices):
        """The status of a match, as lists show it."""

        WAITING = "waiting", _("waiting for players")
        PLAYING = "playing", _("being played")
        FINISHED = "finished", _("finished")
        ABANDONED = "abandoned", _("abandoned")

    class EndedBy(models.TextChoices):
        """The reason why a match ended; empty while it is running."""

        PLAYED = "played", _("played to the end")
        RESIGNED = "resigned", _("resigned")
        ABANDONED = "abandoned", _("abandoned")

    public_id = models.CharField(
        max_length=10,
        unique=True,
        default=public_id,
        editable=False,
        help_text=_("Used in addresses."),
    )
    ruleset = models.JSONField(help_text=_("The engine's Ruleset."))
    status = models.CharField(max_length=9, choices=Status, default=Status.WAITING)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="created_matches",
    )
    created_at = models.DateTimeField(default=true_time.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    listed = models.BooleanField(default=False, help_text=_("Listed with the open tables."))
    attended_at = models.DateTimeField(
        default=true_time.now,
        null=True,
        blank=True,
        help_text=(
            "When its creator was last there while it waited. Empty once they began to play"
            " elsewhere, until they look at it again."
        ),
    )
    listed_elsewhere = models.BooleanField(
        default=False, help_text="Others, such as a club's members, see it while it waits."
    )
    watchable = models.BooleanField(
        default=False, help_text=_("Anyone can watch; hidden cards stay hidden.")
    )
    sharing = models.CharField(
        max_length=5,
        choices=Player.Sharing,
        default=Player.Sharing.GUEST,
        help_text=(
            "For private matches: the most its cards may be shared. See the players' settings."
        ),
    )
    hints = models.BooleanField(
        default=False, help_text="Players may ask for hints. Never in ranked games."
    )
    stand_in_level = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="The computer that plays on for players who leave. Empty: the strongest.",
    )
    winner = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("The seat that won.")
    )
    ended_by = models.CharField(max_length=9, choices=EndedBy, blank=True, default="")
    invite = models.CharField(
        max_length=16,
        unique=True,
        default=invite_token,
        editable=False,
        help_text="Anyone with this token can take an empty seat.",
    )
    rematch = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="rematch_of"
    )
    imported = models.BooleanField(default=False, help_text=_("Played elsewhere. Never rated."))
    branch_of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="branches",
        help_text="Continues this match from one of its points. Never rated, not in statistics.",
    )
    branch_step = models.PositiveIntegerField(
        null=True, blank=True, help_text="Number of log entries taken from that match."
    )
    duplicate_of = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="duplicates",
        help_text="The same deals with seats swapped. Never rated, not in averages.",
    )
    lesson = models.BooleanField(
        default=False, help_text="A lesson with a coach. Never rated, not in statistics."
    )
    decks = models.ForeignKey(
        Decks,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="matches",
        help_text="The fixed packs. Empty: cards are dealt at random.",
    )
    ranked = models.BooleanField(
        default=False, help_text="Players who leave can't come back; the computer plays on."
    )
    clock = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Seconds per decision. Empty: no limit."
    )
    grace = models.PositiveSmallIntegerField(
        default=0, help_text="Seconds from the start in which no time runs out."
    )
    days = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="Correspondence: days per decision. Empty: played in one sitting.",
    )
    measured = models.BooleanField(
        default=False, help_text="Its deals are included in the players' totals."
    )

    class Meta:
        """Constraints, and indexes for lists and background jobs."""

        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(status__in=["waiting", "playing", "finished", "abandoned"]),
                name="match_status_known",
            ),
            models.CheckConstraint(
                condition=models.Q(sharing__in=["named", "guest", "never"]),
                name="match_sharing_known",
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
        """Return the public id."""
        return self.public_id

    @property
    def is_branch(self) -> bool:
        """Whether it continues another match, or a position of the analysis board."""
        return self.branch_of_id is not None or self.from_position

    @property
    def from_position(self) -> bool:
        """Whether it began from a position of the analysis board."""
        return began_from_position(self.ruleset, imported=self.imported)

    @property
    def swappable(self) -> bool:
        """Whether its deals may be played again with the seats swapped; see `may_swap`."""
        return may_swap({name: getattr(self, name) for name in SWAP_FIELDS})


def began_from_position(ruleset: Mapping[str, Any], *, imported: bool) -> bool:
    """Return whether a match with this ruleset began from a position of the analysis board."""
    return "scores" in ruleset and not imported
