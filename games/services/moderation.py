"""What players report, and what moderators do about it; each deed is written down."""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import hooks
from games.accounts import give_name
from games.chat import read_by
from games.ids import public_id
from games.models import Match, ModerationEntry, Player, ProgramToken, Report
from games.services import chat
from games.services.erasure import end_sessions, hand_over

FOREVER = timedelta(days=100 * 365)
"""How long something lasts of which no end is said."""


def report(
    *, reporter: Player, about: Player, reason: str, text: str = "", match: Match | None = None
) -> bool:
    """Tell the moderators of ``about``; return whether it is new to them.

    With a match, at which the reporter sits, what was written there goes along.

    Raises:
        ValidationError: for a reason that there is not, and for oneself or a computer.
    """
    if about.pk == reporter.pk or (about.is_computer and about.owner_id is None):
        raise ValidationError(_("This player cannot be reported."), code="nobody")
    if reason not in Report.Reason.values:
        raise ValidationError(_("Say what the report is about."), code="reason")
    try:
        with transaction.atomic():
            row = Report.objects.create(
                reporter=reporter, about=about, reason=reason, text=text, match=match
            )
            _attach_lines(row, match)
    except IntegrityError:
        # His report from before is still open: what was written since goes to it.
        row = Report.objects.get(about=about, reporter=reporter, closed_at__isnull=True)
        _attach_lines(row, match)
        return False
    return True


def _attach_lines(row: Report, match: Match | None) -> None:
    if match is not None and row.reporter is not None:
        row.lines.add(*read_by(match=match, reader=row.reporter))


def moderated_here(player: Player) -> bool:
    """Whether something may be done about a player: a person, a guest or a program, no keeper."""
    own = player.is_computer and player.owner_id is None
    keeper = player.is_staff or player.is_superuser
    return not (own or keeper or player.kind == Player.Kind.DELETED)


def close_report(*, report: Report) -> None:
    """Take a report from the list; it stays stored."""
    report.closed_at = timezone.now()
    report.save(update_fields=["closed_at"])


def moderate(
    *, moderator: Player, player: Player, action: str, reason: str, days: int | None = None
) -> ModerationEntry:
    """Do something about ``player``, and write it down: see `ModerationEntry.Action`.

    Raises:
        ValidationError: without a reason, and for somebody whom this is not for.
    """
    if not reason.strip():
        raise ValidationError(_("Say why: it is kept with the entry."), code="reason")
    if not moderated_here(player):
        raise ValidationError(_("Nothing can be done about this player here."), code="player")
    deeds = {
        "ban": _ban, "lift_ban": _lift_ban, "mute": _mute, "unmute": _unmute, "rename": _rename,
        "pardon": _pardon,
    }  # fmt: skip
    with transaction.atomic():
        deeds[action](player, days)
        return ModerationEntry.objects.create(
            player=player, moderator=moderator, action=action, days=days, reason=reason
        )


def _ban(player: Player, _days: int | None) -> None:
    """Shut a player out: no log-in, no session, no token; his games go to the computer."""
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
    chat.tell(player=player.pk)


def _unmute(player: Player, _days: int | None) -> None:
    player.muted_until = None
    player.save(update_fields=["muted_until"])
    chat.tell(player=player.pk)


def _pardon(player: Player, _days: int | None) -> None:
    hooks.pardoned(player.pk)


def _rename(player: Player, _days: int | None) -> None:
    """Take a name away that others should not have to read; he may choose another."""
    give_name(player=player, name=f"Visitor {public_id()[:4].upper()}")
