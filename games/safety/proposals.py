"""Bans for good, which one moderator proposes and another one confirms."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import BanProposal, ModerationEntry, Player, Report
from games.safety.moderation import can_be_moderated, moderate


def propose_ban(
    *, moderator: Player, player: Player, reason: str, report: Report | None = None
) -> BanProposal:
    """Propose to ban a player for good; nothing happens until another moderator confirms it.

    Raises:
        ValidationError: without a reason, for players who cannot be moderated, and if there is an
            open proposal.
    """
    if not reason.strip():
        raise ValidationError(_("Give a reason. It's kept in the log."), code="reason")
    if not can_be_moderated(player):
        raise ValidationError(_("This player can't be moderated."), code="player")
    try:
        with transaction.atomic():
            return BanProposal.objects.create(
                player=player, proposed_by=moderator, reason=reason, report=report
            )
    except IntegrityError:
        raise ValidationError(_("This ban has been proposed already."), code="proposed") from None


def decide_ban(*, moderator: Player, proposal: int, confirmed: bool) -> BanProposal:
    """Confirm a proposed ban, which takes effect at once, or turn it down.

    The proposer may withdraw it, but not confirm it.

    Raises:
        ValidationError: if it was decided before, or the moderator proposed it.
    """
    with transaction.atomic():
        row = (
            BanProposal.objects.select_for_update()
            .filter(pk=proposal, decided_at__isnull=True)
            .first()
        )
        if row is None:
            raise ValidationError(_("This proposal has been decided."), code="decided")
        proposer = row.proposed_by
        if confirmed and (proposer is None or proposer.pk == moderator.pk):
            raise ValidationError(
                _("This is your own proposal, so another moderator confirms it."), code="same"
            )
        row.decided_by, row.decided_at, row.confirmed = moderator, timezone.now(), confirmed
        row.save(update_fields=["decided_by", "decided_at", "confirmed"])
        if confirmed and proposer is not None:
            moderate(
                moderator=proposer,
                player=row.player,
                action=ModerationEntry.Action.BAN,
                reason=row.reason,
                report=row.report,
                second=moderator,
            )
    return row
