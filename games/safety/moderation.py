"""Reports by players, and actions of moderators, which are logged."""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import hooks
from games.models import Match, ModerationEntry, Player, ProgramToken, Report
from games.models.ids import public_id
from games.people import chat_service
from games.people.accounts import give_name
from games.people.chat import read_by
from games.safety.erasure import end_sessions, hand_over

FOREVER = timedelta(days=100 * 365)
"""The duration of a permanent mute."""


def report(
    *, reporter: Player, about: Player, reason: str, text: str = "", match: Match | None = None
) -> bool:
    """Report ``about`` to the moderators; return False if it extends an open report.

    If the reporter has a seat in ``match``, its chat is attached.

    Raises:
        ValidationError: for an unknown reason, and for oneself or a computer.
    """
    if about.pk == reporter.pk or (about.is_computer and about.owner_id is None):
        raise ValidationError(_("This player can't be reported."), code="nobody")
    if reason not in Report.Reason.values:
        raise ValidationError(_("Choose what the report is about."), code="reason")
    try:
        with transaction.atomic():
            row = Report.objects.create(
                reporter=reporter, about=about, reason=reason, text=text, match=match
            )
            _attach_lines(row, match)
    except IntegrityError:
        # The reporter's earlier report is still open: attach the new lines to it.
        row = Report.objects.get(about=about, reporter=reporter, closed_at__isnull=True)
        _attach_lines(row, match)
        return False
    return True


def _attach_lines(row: Report, match: Match | None) -> None:
    if match is not None and row.reporter is not None:
        row.lines.add(*read_by(match=match, reader=row.reporter))


def can_be_moderated(player: Player) -> bool:
    """Return whether a player can be moderated: people, guests and programs, but not staff."""
    own = player.is_computer and player.owner_id is None
    staff = player.is_staff or player.is_superuser
    return not (own or staff or player.kind == Player.Kind.DELETED)


def close_report(*, report: Report) -> None:
    """Close a report; it remains stored."""
    report.closed_at = timezone.now()
    report.save(update_fields=["closed_at"])


def moderate(
    *, moderator: Player, player: Player, action: str, reason: str, days: int | None = None
) -> ModerationEntry:
    """Take an action on ``player`` and log it; see `ModerationEntry.Action`.

    Raises:
        ValidationError: without a reason, and for players who cannot be moderated.
    """
    if not reason.strip():
        raise ValidationError(_("Give a reason. It's kept in the log."), code="reason")
    if not can_be_moderated(player):
        raise ValidationError(_("This player can't be moderated."), code="player")
    handlers = {
        "ban": _ban, "lift_ban": _lift_ban, "mute": _mute, "unmute": _unmute, "rename": _rename,
        "pardon": _pardon,
    }  # fmt: skip
    with transaction.atomic():
        handlers[action](player, days)
        return ModerationEntry.objects.create(
            player=player, moderator=moderator, action=action, days=days, reason=reason
        )


def _ban(player: Player, _days: int | None) -> None:
    """Ban a player: end logins, sessions and tokens, and leave all unfinished matches."""
    player.is_active = False
    player.save(update_fields=["is_active"])
    for program in player.programs.all():
        hand_over(player=program)
    ProgramToken.objects.filter(player__owner=player).delete()
    player.data_tokens.all().delete()
    hand_over(player=player)
    end_sessions(player=player)


def _lift_ban(player: Player, _days: int | None) -> None:
    player.is_active = True
    player.save(update_fields=["is_active"])


def _mute(player: Player, days: int | None) -> None:
    player.muted_until = timezone.now() + (FOREVER if days is None else timedelta(days=days))
    player.save(update_fields=["muted_until"])
    chat_service.announce_change(player=player.pk)


def _unmute(player: Player, _days: int | None) -> None:
    player.muted_until = None
    player.save(update_fields=["muted_until"])
    chat_service.announce_change(player=player.pk)


def _pardon(player: Player, _days: int | None) -> None:
    hooks.pardoned(player.pk)


def _rename(player: Player, _days: int | None) -> None:
    """Replace an offensive name with a neutral one; the player may choose another."""
    give_name(player=player, name=f"Visitor {public_id()[:4].upper()}")
