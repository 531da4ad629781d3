"""Models of clubs: clubs, members, barred players, news, and tables made for a club."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.api import invite_token, public_id, true_now


def new_id() -> str:
    """Return a public id, for addresses. Migrations refer to this name."""
    return public_id()


def new_token() -> str:
    """Return an invitation token that cannot be guessed. Migrations refer to this name."""
    return invite_token()


class Club(models.Model):
    """A group of people with accounts; anyone with its link may join, while the link is valid.

    A club that is listed can be found and joined by everyone with an account; only members see its
    page.
    """

    public_id = models.CharField(
        max_length=10,
        unique=True,
        default=new_id,
        editable=False,
        help_text=_("Used in addresses."),
    )
    name = models.CharField(max_length=40)
    description = models.CharField(max_length=300, blank=True, default="")
    token = models.CharField(
        max_length=16,
        unique=True,
        default=new_token,
        editable=False,
        help_text="Anyone with this token can join.",
    )
    token_until = models.DateTimeField(
        null=True, blank=True, help_text=_("When the invitation link expires; empty: never.")
    )
    listed = models.BooleanField(
        default=False, help_text=_("Everyone with an account can find and join it.")
    )
    made_at = models.DateTimeField(default=true_now)

    class Meta:
        """Display names."""

        verbose_name = _("club")
        verbose_name_plural = _("clubs")

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    @property
    def link_works(self) -> bool:
        """Whether the invitation link has not expired."""
        return self.token_until is None or self.token_until > timezone.now()


class Membership(models.Model):
    """A player's membership of a club. Each club has one founder, who can hand it over."""

    class Role(models.TextChoices):
        """The rights of a member."""

        FOUNDER = "founder", _("founder")
        OFFICER = "officer", _("officer")
        MEMBER = "member", _("member")

    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, related_name="memberships", db_index=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=7, choices=Role, default=Role.MEMBER)
    joined_at = models.DateTimeField(default=true_now)

    class Meta:
        """Constraints: one membership per player and club, one founder per club."""

        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "player"], name="membership_once"),
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(role="founder"), name="membership_one_founder"
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=["founder", "officer", "member"]),
                name="membership_role_known",
            ),
        ]

    def __str__(self) -> str:
        """Return the two keys."""
        return f"{self.club_id}:{self.player_id}"

    @property
    def is_officer(self) -> bool:
        """Whether they may manage the club; true for the founder too."""
        return self.role in {self.Role.FOUNDER, self.Role.OFFICER}

    @property
    def is_founder(self) -> bool:
        """Whether they are the founder."""
        return self.role == self.Role.FOUNDER


class ClubTable(models.Model):
    """A table that only members of the club can see while it waits for players."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="tables")
    match = models.OneToOneField("games.Match", on_delete=models.CASCADE, related_name="club_table")

    class Meta:
        """Display names."""

        verbose_name = _("club table")
        verbose_name_plural = _("club tables")

    def __str__(self) -> str:
        """Return the two keys."""
        return f"{self.club_id}:{self.match_id}"


class BarredPlayer(models.Model):
    """A player who was removed from a club; they can come back by its link, not by the search."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="barred", db_index=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=true_now)

    class Meta:
        """Constraint: a player is barred once."""

        verbose_name = _("barred player")
        verbose_name_plural = _("barred players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "player"], name="barred_once"),
        ]

    def __str__(self) -> str:
        """Return the two keys."""
        return f"{self.club_id}:{self.player_id}"


class ClubPost(models.Model):
    """A piece of news of a club, for its members.

    An officer has written it, or it says that its author has a new task, without the reason.
    """

    class Kind(models.TextChoices):
        """The kind of news."""

        POST = "post", _("its text")
        LEADS = "leads", _("its author leads the club now")
        HELPS = "helps", _("its author is an officer now")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="posts")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="club_posts"
    )
    kind = models.CharField(max_length=5, choices=Kind, default=Kind.POST)
    text = models.CharField(max_length=400, blank=True, help_text="Only of posts by officers.")
    at = models.DateTimeField(default=true_now)

    class Meta:
        """Display names."""

        verbose_name = _("club news")
        verbose_name_plural = _("club news")

    def __str__(self) -> str:
        """Return the club and the key."""
        return f"{self.club_id}:{self.pk}"
