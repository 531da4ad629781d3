"""The models of friendships, blocks and invitations to tables."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match
from games.ops import true_time


class Friendship(models.Model):
    """A friend request, and the friendship once it is accepted.

    A pair has one row, no matter who asked. A declined request is kept, so that it cannot be
    repeated at once.
    """

    asker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="friendships_asked"
    )
    asked = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="friendships_received"
    )
    asked_at = models.DateTimeField(default=true_time.now)
    accepted_at = models.DateTimeField(null=True, blank=True)
    declined_at = models.DateTimeField(null=True, blank=True)
    withdrawn = models.BooleanField(
        default=False,
        help_text="Declined, then withdrawn. The asker is never told about a refusal.",
    )

    class Meta:
        """Constraints: one row for a pair, one answer, and no friendship with oneself."""

        verbose_name = _("friendship")
        verbose_name_plural = _("friendships")
        constraints: ClassVar = [
            models.UniqueConstraint(
                Least("asker", "asked"), Greatest("asker", "asked"), name="friendship_pair_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(asker=models.F("asked")), name="friendship_of_two"
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_at__isnull=True) | models.Q(declined_at__isnull=True),
                name="friendship_one_answer",
            ),
        ]

    def __str__(self) -> str:
        """Return the two keys."""
        return f"{self.asker_id}-{self.asked_id}"


class Block(models.Model):
    """A block of one player by another; the blocked player is not notified."""

    blocker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks_made"
    )
    blocked = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks_received"
    )
    made_at = models.DateTimeField(default=true_time.now)

    class Meta:
        """Constraints: a pair is unique, and players cannot block themselves."""

        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="block_once"),
            models.CheckConstraint(
                condition=~models.Q(blocker=models.F("blocked")), name="block_of_another"
            ),
        ]

    def __str__(self) -> str:
        """Return the two keys."""
        return f"{self.blocker_id}-{self.blocked_id}"


class TableInvitation(models.Model):
    """An invitation of a friend to a waiting table; it expires when the match starts.

    A declined invitation is kept, so that the inviter sees the answer and does not ask again.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="invitations")
    inviter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations_sent"
    )
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations_received"
    )
    made_at = models.DateTimeField(default=true_time.now)
    declined_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Constraint: a friend is invited to a table once."""

        verbose_name = _("table invitation")
        verbose_name_plural = _("table invitations")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "invited"], name="table_invitation_once"),
        ]

    def __str__(self) -> str:
        """Return the primary keys of the match and the invited player."""
        return f"{self.match_id}:{self.invited_id}"
