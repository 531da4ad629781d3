"""Appeals of players against actions of moderators, each with one reply."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Appeal, ModerationEntry, Player
from games.people.player_lock import lock_rows
from games.safety.moderation import can_be_moderated, moderate, moderators, tell

Action = ModerationEntry.Action

REVERSED: Mapping[str, str] = {
    Action.BAN: Action.LIFT_BAN,
    Action.MUTE: Action.UNMUTE,
    Action.RANKED_BAN: Action.LIFT_RANKED,
    Action.REMOVE: Action.RESTORE,
}
"""Action -> what a granted appeal does about it."""

APPEALABLE = frozenset({*REVERSED, Action.WARN, Action.RENAME})

SHOWN = 50
"""Number of a player's newest decisions that they are shown."""


def decisions_about(*, player: Player) -> list[ModerationEntry]:
    """Return the newest actions about a player with their appeals, newest first."""
    rows = ModerationEntry.objects.filter(player=player).exclude(action=Action.UNLINK)
    return list(rows.select_related("appeal").order_by("-pk")[:SHOWN])


def may_appeal(entry: ModerationEntry) -> bool:
    """Return whether an action can be appealed against, and has not been."""
    return entry.action in APPEALABLE and not hasattr(entry, "appeal")


def make_appeal(*, player: Player, entry: int, text: str) -> Appeal:
    """Appeal against an action (by primary key) about oneself, once; it may be sent again.

    Raises:
        ValidationError: without a text, or if there is nothing to appeal against.
    """
    if not text.strip():
        raise ValidationError(_("Say why the decision should change."), code="text")
    with transaction.atomic():
        lock_rows(player)  # a banned player may appeal; a deleted one has no decisions
        row = ModerationEntry.objects.filter(pk=entry, player=player).first()
        known = Appeal.objects.filter(entry=row).first() if row is not None else None
        if known is not None and known.text == text.strip():
            return known
        if row is None or not may_appeal(row):
            raise ValidationError(
                _("You can't appeal against this decision (again)."), code="entry"
            )
        return Appeal.objects.create(entry=row, text=text.strip())


def may_reply(*, moderator: Player, appeal: Appeal) -> bool:
    """Return whether a moderator may reply: not those who acted, unless there is nobody else."""
    acted = {appeal.entry.moderator_id, appeal.entry.second_id}
    if moderator.pk not in acted:
        return True
    return not moderators().exclude(pk__in=acted - {None}).exists()


def reply(*, moderator: Player, appeal: int, text: str, granted: bool) -> Appeal:
    """Reply to an appeal (by primary key), once; if it is granted, the action is reversed.

    A reply that is sent again is the same one.

    Raises:
        ValidationError: without a text, if it was answered before, or if the moderator acted in
            the case and there is another one.
    """
    if not text.strip():
        raise ValidationError(_("Write a reply. The player will read it."), code="text")
    with transaction.atomic():
        row = Appeal.objects.select_for_update().filter(pk=appeal).first()
        said = (moderator.pk, text.strip(), granted)
        if row is not None and (row.replied_by_id, row.reply, row.granted) == said:
            return row
        if row is None or row.replied_at is not None:
            raise ValidationError(_("This appeal has been answered."), code="answered")
        if not may_reply(moderator=moderator, appeal=row):
            raise ValidationError(
                _("This was your decision, so another moderator replies."),
                code="same",
            )
        row.reply, row.granted = text.strip(), granted
        row.replied_by, row.replied_at = moderator, timezone.now()
        row.save(update_fields=["reply", "granted", "replied_by", "replied_at"])
        player = row.entry.player
        if player is not None:
            tell(player.pk)
        if granted and player is not None and can_be_moderated(player):
            _reverse(moderator, player, row)
    return row


def _reverse(moderator: Player, player: Player, appeal: Appeal) -> None:
    """Reverse an action, unless it was reversed or replaced by a later one of its kind."""
    action = REVERSED.get(appeal.entry.action)
    if action is None:
        return
    same = player.moderated.filter(action__in=[appeal.entry.action, action])
    if same.latest("at", "pk") == appeal.entry:
        moderate(moderator=moderator, player=player, action=action, reason=appeal.reply)
