"""The user model: a person, a guest or a computer, distinguished by its kind."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Upper
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.models.ids import public_id
from games.models.names import ERASED, guest_marks, skeleton
from games.models.prepared import PreparedObjects
from games.ops import true_time


class NameField(models.CharField[str, str]):
    """A displayed name; that of deleted players is read in the reader's language."""

    def from_db_value(self, value: str | None, *_context: object) -> str | None:
        """Return the name as stored, or the translated name of a deleted player."""
        return gettext("Deleted player") if value == ERASED else value

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return what is stored: for a deleted player the reserved name, whatever was read."""
        if getattr(model_instance, "kind", None) == Player.Kind.DELETED:
            return ERASED
        return super().pre_save(model_instance, add)

    def deconstruct(self) -> Any:
        """Describe the field to migrations as what the database has: text."""
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.CharField", args, options


class PlayerManager(UserManager["Player"]):
    """Manager that sets a person's displayed name to their username."""

    def get(self, *args: Any, **named: Any) -> "Player":
        """Return one player; by primary key with SQL that is built once.

        Django asks in this way for the reader of each page.
        """
        key = named.get("pk")
        # Managers of relations have classes of their own, and migrations a model of their own.
        usual = type(self) is PlayerManager and self.model is Player
        if not usual or args or len(named) > 1 or type(key) is not int or key.bit_length() > 63:
            return super().get(*args, **named)
        for player in _BY_KEY.objects([key]):
            return player
        raise Player.DoesNotExist(f"no player {key}")

    def create_user(
        self,
        username: str,
        email: str | None = None,
        password: str | None = None,
        **extra_fields: Any,
    ) -> "Player":
        """Create a person; raise IntegrityError if another person's name looks the same."""
        return super().create_user(username, email, password, **_named(username, extra_fields))

    def create_superuser(
        self,
        username: str,
        email: str | None = None,
        password: str | None = None,
        **extra_fields: Any,
    ) -> "Player":
        """Create a person with all permissions in the admin."""
        return super().create_superuser(username, email, password, **_named(username, extra_fields))


def _named(username: str, fields: dict[str, Any]) -> dict[str, Any]:
    fields.setdefault("name", username)
    fields.setdefault("name_skeleton", skeleton(fields["name"]))
    return fields


class Player(AbstractUser):
    """A player: anyone or anything that can take a seat.

    A person has an account. A guest is identified only by the session, and becomes a person in the
    same row at sign-up, which keeps their matches. A computer is one version of a level, or a
    program that a person connects and is responsible for; it never logs in. The row of a deleted
    account remains, without personal data.
    """

    class Kind(models.TextChoices):
        """The kind of a player, which others see next to the name."""

        PERSON = "person", _("person")
        GUEST = "guest", _("guest")
        COMPUTER = "computer", _("computer")
        DELETED = "deleted", _("deleted player")

    # `name` replaces the two name fields of Django's user model.
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]

    class Replays(models.TextChoices):
        """Who, besides the players, may replay a player's finished matches."""

        WATCHED = "watched", _("those who could watch the match")
        EVERYBODY = "everybody", _("everyone")
        NOBODY = "nobody", _("no one else")

    class Sharing(models.TextChoices):
        """Whether others may be dealt the cards of a private match, and how its players appear."""

        NAMED = "named", _("with our names")
        GUEST = "guest", _("with “a guest” for our names")
        NEVER = "never", _("not at all")

    username = models.CharField(
        _("username"),
        max_length=40,
        unique=True,
        error_messages={"unique": _("That name is taken. Try another.")},
        help_text="The name a person logs in with. Random for guests, who can't log in.",
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind, default=Kind.PERSON)
    public_id = models.CharField(
        max_length=10,
        unique=True,
        default=public_id,
        editable=False,
        help_text=_("Used in addresses."),
    )
    name = NameField(_("name"), max_length=40, help_text=_("What others see."))
    name_skeleton = models.CharField(
        max_length=200,
        blank=True,
        editable=False,
        help_text="The name's look, for people. No two may look the same.",
    )
    bot = models.CharField(
        max_length=40, blank=True, help_text=_("The computer player. Empty for people.")
    )
    bot_version = models.CharField(max_length=20, blank=True)
    owner = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="programs",
        help_text="The program's owner. Empty for people and the site's own computers.",
    )
    muted_until = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Until then they can't chat or change their name.",
    )
    banned_until = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When a ban ends. Empty for a ban for good, and without a ban.",
    )
    ranked_ban_until = models.DateTimeField(
        null=True, blank=True, help_text="Until then they can't play ranked games."
    )

    moderator_news = models.BooleanField(
        default=False,
        editable=False,
        help_text="Whether moderators wrote something that they haven't read.",
    )

    replays = models.CharField(
        max_length=9,
        choices=Replays,
        default=Replays.WATCHED,
        help_text=(
            "Who else can see the cards of finished matches. Everyone at the table must agree."
        ),
    )

    sharing = models.CharField(
        max_length=5,
        choices=Sharing,
        default=Sharing.GUEST,
        help_text="The most that private matches may share. Everyone at the table must agree.",
    )

    private = models.BooleanField(
        default=False,
        help_text="Only the player sees their page and records.",
    )

    chat = models.BooleanField(
        default=True,
        help_text="Whether they can read and write chat at tables.",
    )

    plays_forced = models.BooleanField(
        default=False,
        help_text=_("By correspondence: their only legal card is played for them."),
    )

    zone = models.CharField(
        max_length=40,
        blank=True,
        help_text=_("The time zone for emails. Empty: the site's."),
    )
    quiet_from = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("The hour from which no notice of a turn is sent.")
    )
    quiet_until = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("The hour at which the quiet hours end.")
    )

    language = models.CharField(
        max_length=10,
        blank=True,
        editable=False,
        help_text="The language chosen for pages. Empty: the browser's.",
    )

    objects: ClassVar[PlayerManager] = PlayerManager()

    class Meta:
        """Named constraints, so that the code can tell which one was violated."""

        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(kind__in=["person", "guest", "computer", "deleted"]),
                name="player_kind_known",
            ),
            models.CheckConstraint(
                condition=models.Q(replays__in=["watched", "everybody", "nobody"]),
                name="player_replays_known",
            ),
            models.CheckConstraint(
                condition=models.Q(sharing__in=["named", "guest", "never"]),
                name="player_sharing_known",
            ),
            models.CheckConstraint(
                condition=models.Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | models.Q(
                    quiet_from__isnull=False,
                    quiet_until__isnull=False,
                    quiet_from__lte=23,
                    quiet_until__lte=23,
                ),
                name="player_quiet_hours",
            ),
            models.CheckConstraint(
                condition=models.Q(kind="computer") ^ models.Q(bot=""),
                name="player_bot_is_computer",
            ),
            models.UniqueConstraint(
                fields=["name_skeleton"],
                condition=models.Q(kind="person") | models.Q(owner__isnull=False),
                name="player_name_unique",
                violation_error_message=_("That name is taken. Try another."),
            ),
            models.CheckConstraint(
                condition=models.Q(owner__isnull=True) | models.Q(kind="computer"),
                name="player_owned_is_computer",
            ),
            models.UniqueConstraint(
                fields=["bot", "bot_version"],
                condition=models.Q(kind="computer"),
                name="player_bot_version_unique",
            ),
        ]
        indexes: ClassVar = [
            # Log-in ignores case.
            models.Index(Upper("username"), name="player_username_upper"),
            # An account takes the name of guests who have it.
            models.Index(
                fields=["name_skeleton"], condition=models.Q(kind="guest"), name="player_guest_name"
            ),
        ]

    def __str__(self) -> str:
        """Return the displayed name."""
        return self.name

    @property
    def is_guest(self) -> bool:
        """Whether this is a guest, whose name other guests may have, but no account."""
        return self.kind == self.Kind.GUEST

    @property
    def has_generated_name(self) -> bool:
        """Whether this is a guest who has chosen no name yet; the generated one has a language."""
        marks = guest_marks(self.public_id)
        return self.is_guest and not set(marks).isdisjoint(self.name.split())

    @property
    def is_computer(self) -> bool:
        """Whether this is a computer player."""
        return self.kind == self.Kind.COMPUTER

    @property
    def is_person(self) -> bool:
        """Whether this is a person with an account."""
        return self.kind == self.Kind.PERSON

    @property
    def is_kept_from_ranked(self) -> bool:
        """Whether a moderator has barred the player from ranked games for now."""
        return self.ranked_ban_until is not None and self.ranked_ban_until > true_time.now()

    @property
    def is_muted(self) -> bool:
        """Whether a moderator has muted the player for now."""
        return self.muted_until is not None and self.muted_until > true_time.now()


_BY_KEY = PreparedObjects[Player](lambda keys: Player.objects.filter(pk__in=keys))
