"""Who is whose friend, who wants nothing to do with whom, and who is asked to which table."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Greatest, Least
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.matches import Match


class Friendship(models.Model):
    """Two people, one of whom asked the other; friends once it is accepted.

    One row for a pair, whoever asked. A request that was declined is kept, so that it is not
    made again at once.
    """

    asker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="friendships_asked"
    )
    asked = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="friendships_received"
    )
    asked_at = models.DateTimeField(default=timezone.now)
    accepted_at = models.DateTimeField(null=True, blank=True)
    declined_at = models.DateTimeField(null=True, blank=True)
    withdrawn = models.BooleanField(
        default=False, help_text=_("Declined, then taken back: nobody is told of a refusal.")
    )

    class Meta:
        """Two people have one row, and nobody befriends himself."""

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
    """Somebody who may not ask another for anything; who is blocked is not told."""

    blocker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks_made"
    )
    blocked = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks_received"
    )
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Once is enough."""

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
    """A friend asked to a table that waits; it means nothing once the table has begun.

    One that was declined is kept, so that the inviter sees it and does not ask again.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="invitations")
    inviter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations_sent"
    )
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations_received"
    )
    made_at = models.DateTimeField(default=timezone.now)
    declined_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """A friend is asked to a table once."""

        verbose_name = _("table invitation")
        verbose_name_plural = _("table invitations")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "invited"], name="table_invitation_once"),
        ]

    def __str__(self) -> str:
        """Return the table and who is asked."""
        return f"{self.match_id}:{self.invited_id}"
