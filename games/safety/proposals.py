"""Bans for good, which one moderator proposes and another one confirms."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import BanProposal, ModerationEntry, Player, Report
from games.safety.moderation import can_be_moderated, close_reports, lock_case, moderate


def propose_ban(
    *, moderator: Player, player: Player, reason: str, report: Report | None = None
) -> BanProposal:
    """Propose to ban a player for good; nothing happens until another moderator confirms it.

    A proposal that is sent again is the same one.

    Raises:
        ValidationError: without a reason, for players who cannot be moderated, and if there is
            another open proposal.
    """
    if not reason.strip():
        raise ValidationError(_("Give a reason. It's kept in the log."), code="reason")
    if not can_be_moderated(player):
        raise ValidationError(_("This player can't be moderated."), code="player")
    with transaction.atomic():
        lock_case(player)
        known = BanProposal.objects.filter(player=player, decided_at__isnull=True).first()
        if known is None:
            return BanProposal.objects.create(
                player=player, proposed_by=moderator, reason=reason, report=report
            )
    if (known.proposed_by, known.reason) != (moderator, reason):
        raise ValidationError(_("This ban has been proposed already."), code="proposed")
    return known


def decide_ban(*, moderator: Player, proposal: int, confirmed: bool) -> BanProposal:
    """Confirm a proposed ban, which takes effect at once, or turn it down.

    A ban closes the open reports about the player, and their reporters learn that something was
    done. The proposer may withdraw it, but not confirm it. A decision that is sent again is the
    same one.

    Raises:
        ValidationError: if it was decided otherwise before, or the moderator proposed it.
    """
    with transaction.atomic():
        row = BanProposal.objects.select_for_update().filter(pk=proposal).first()
        if row is not None and (row.decided_by, row.confirmed) == (moderator, confirmed):
            return row
        if row is None or row.decided_at is not None:
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
            close_reports(about=row.player, moderator=moderator, outcome=Report.Outcome.ACTED)
    return row
