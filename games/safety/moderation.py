"""Reports by players, and actions of moderators, which are logged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games import hooks
from games.models import Match, ModerationEntry, ModeratorNote, Player, ProgramToken, Report
from games.models.ids import public_id
from games.ops import true_time
from games.people import chat_service
from games.people.accounts import give_name
from games.people.changed_accounts import refresh_tables
from games.people.chat import read_by
from games.people.player_lock import lock_rows, locked_player
from games.people.resent import made_already
from games.safety.erasure import end_sessions, hand_over

RIGHT = "games.add_moderationentry"
"""The right that makes a player a moderator."""

FOREVER = timedelta(days=100 * 365)
"""The duration of a permanent mute, or of a permanent ban from ranked games."""

MOST_DAYS = 365
"""Days of the longest ban that one moderator may impose alone."""


def report(
    *, reporter: Player, about: Player, reason: str, text: str = "", match: Match | None = None
) -> bool:
    """Report ``about`` to the moderators; return False if it extends an open report.

    If the reporter has a seat in ``match``, its chat is attached.

    Raises:
        ValidationError: for an unknown reason, and for oneself, a computer or a guest who has gone.
    """
    if about.pk == reporter.pk or (about.is_computer and about.owner_id is None):
        raise _nobody()
    if reason not in Report.Reason.values:
        raise ValidationError(_("Choose what the report is about."), code="reason")
    with locked_player(reporter, about):
        # A guest who has logged in to an account meanwhile is gone.
        if not Player.objects.filter(pk=about.pk).exists():
            raise _nobody()
        opened = Report.objects.filter(about=about, reporter=reporter, closed_at__isnull=True)
        earlier = opened.select_for_update(of=("self",)).first()
        row = earlier or Report.objects.create(
            reporter=reporter, about=about, reason=reason, text=text, match=match
        )
        _attach_lines(row, match)
    return earlier is None


def _nobody() -> ValidationError:
    return ValidationError(_("This player can't be reported."), code="nobody")


def _attach_lines(row: Report, match: Match | None) -> None:
    if match is not None and row.reporter is not None:
        row.lines.add(*read_by(match=match, reader=row.reporter))


def can_be_moderated(player: Player) -> bool:
    """Return whether a player can be moderated: people, guests and programs, but not staff."""
    own = player.is_computer and player.owner_id is None
    staff = player.is_staff or player.is_superuser
    return not (own or staff or player.kind == Player.Kind.DELETED)


def is_moderator(player: Player | None) -> bool:
    """Return whether a player may open the moderators' pages and act there."""
    return player is not None and player.has_perm(RIGHT)


def moderators() -> QuerySet[Player]:
    """Return those for whom `is_moderator` is true."""
    return Player.objects.with_perm(RIGHT, backend="django.contrib.auth.backends.ModelBackend")


def is_own(*, moderator: Player, player: Player) -> bool:
    """Return whether a case is a moderator's own: of themselves, a linked account, or a program."""
    return is_among(own_accounts(moderator=moderator), player)


def own_accounts(*, moderator: Player) -> Set[int]:
    """Return the primary keys of a moderator and of the accounts linked to theirs."""
    return hooks.linked(moderator.pk)


def is_among(accounts: Set[int], player: Player) -> bool:
    """Return whether a player is one of these accounts, or a program of one."""
    return not accounts.isdisjoint((player.pk, player.owner_id))


def close_report(*, report: Report, moderator: Player | None = None, outcome: str = "") -> None:
    """Close a report, which remains stored; its reporter is told the outcome, if there is one.

    Args:
        report: an open report.
        moderator: who closes it.
        outcome: a `Report.Outcome`, or "" to tell nothing.
    """
    report.closed_at, report.closed_by, report.outcome = true_time.now(), moderator, outcome
    report.save(update_fields=["closed_at", "closed_by", "outcome"])
    if outcome and report.reporter_id is not None:
        tell(report.reporter_id)


def close_reports(*, about: Player, moderator: Player, outcome: str) -> int:
    """Close all open reports about a player with one outcome; return how many."""
    with transaction.atomic():
        rows = list(Report.objects.filter(about=about, closed_at__isnull=True))
        for row in rows:
            close_report(report=row, moderator=moderator, outcome=outcome)
    return len(rows)


def tell(player: int) -> None:
    """Tell a player on every page that moderators have written to them."""
    Player.objects.filter(pk=player).update(moderator_news=True)


def lock_case(player: Player) -> None:
    """Lock the player of a case in the caller's transaction.

    Raises:
        ValidationError: for an account that was deleted meanwhile, and for a guest who logged in.
    """
    row = lock_rows(player).get(player.pk)
    if row is None or row.kind == Player.Kind.DELETED:
        raise _not_moderated()


def _not_moderated() -> ValidationError:
    return ValidationError(_("This player can't be moderated."), code="player")


def moderate(
    *,
    moderator: Player,
    player: Player,
    action: str,
    reason: str,
    days: int | None = None,
    report: Report | None = None,
    second: Player | None = None,
) -> ModerationEntry:
    """Take an action on ``player`` and log it; see `ModerationEntry.Action`.

    The same action with the same reason, sent again, is taken once.

    Args:
        moderator: who acts.
        player: the player concerned.
        action: what is done.
        reason: why, as the player is told.
        days: how long a mute or ban lasts; None for good, or for actions without an end.
        report: the report that led to it.
        second: the moderator who confirmed it; a ban for good or of more than `MOST_DAYS` needs
            one.

    Raises:
        ValidationError: without a reason, for players who cannot be moderated or are the
            moderator's own, and for a ban that needs a second moderator.
    """
    if not reason.strip():
        raise ValidationError(_("Give a reason. It's kept in the log."), code="reason")
    if not can_be_moderated(player) or is_own(moderator=moderator, player=player):
        raise _not_moderated()
    confirmed = second is not None and second.pk != moderator.pk and is_moderator(second)
    if action == ModerationEntry.Action.BAN and not confirmed:
        check_length(days)
    with transaction.atomic():
        lock_case(player)
        entries = ModerationEntry.objects.filter(player=player)
        known = made_already(
            entries, at="at", moderator=moderator, action=action, days=days, reason=reason
        )
        if known is not None:
            return known
        _HANDLERS[action](player, days)
        if action != ModerationEntry.Action.UNLINK:
            tell(player.pk)
        return ModerationEntry.objects.create(
            player=player,
            moderator=moderator,
            second=second,
            report=report,
            action=action,
            days=days,
            reason=reason,
        )


def write_note(*, moderator: Player, player: Player, text: str) -> None:
    """Store a moderator's note about a player; one that is sent again is stored once.

    Raises:
        ValidationError: see `lock_case`.
    """
    with transaction.atomic():
        lock_case(player)
        notes = ModeratorNote.objects.filter(player=player)
        if made_already(notes, at="at", author=moderator, text=text) is None:
            ModeratorNote.objects.create(player=player, author=moderator, text=text)


def check_length(days: int | None) -> None:
    """Check the days of a ban that one moderator imposes alone; None is for good.

    Raises:
        ValidationError: if a second moderator has to confirm it.
    """
    if days is None or days > MOST_DAYS:
        raise ValidationError(
            _("A ban for good needs two moderators. Propose it, or choose up to 365 days."),
            code="second",
        )


def _ban(player: Player, days: int | None) -> None:
    """Ban a player: end logins, sockets, sessions and tokens, and leave all unfinished matches."""
    player.is_active = False
    player.banned_until = None if days is None else true_time.now() + timedelta(days=days)
    player.save(update_fields=["is_active", "banned_until"])
    programs = list(player.programs.all())
    hand_over(player, *programs)
    for program in programs:
        end_sessions(player=program)
    ProgramToken.objects.filter(player__owner=player).delete()
    player.data_tokens.all().delete()
    end_sessions(player=player)
    refresh_tables(player=player)
    hooks.banned(player.pk)


def _lift_ban(player: Player, _days: int | None) -> None:
    player.is_active, player.banned_until = True, None
    player.save(update_fields=["is_active", "banned_until"])
    refresh_tables(player=player)


def _mute(player: Player, days: int | None) -> None:
    player.muted_until = _end(days)
    player.save(update_fields=["muted_until"])
    chat_service.announce_change(player=player.pk)


def _unmute(player: Player, _days: int | None) -> None:
    player.muted_until = None
    player.save(update_fields=["muted_until"])
    chat_service.announce_change(player=player.pk)


def _ranked_ban(player: Player, days: int | None) -> None:
    player.ranked_ban_until = _end(days)
    player.save(update_fields=["ranked_ban_until"])


def _lift_ranked(player: Player, _days: int | None) -> None:
    player.ranked_ban_until = None
    player.save(update_fields=["ranked_ban_until"])


def _end(days: int | None) -> datetime:
    return true_time.now() + (FOREVER if days is None else timedelta(days=days))


def _pardon(player: Player, _days: int | None) -> None:
    hooks.pardoned(player.pk)


def _remove(player: Player, _days: int | None) -> None:
    hooks.results_removed(player.pk)


def _restore(player: Player, _days: int | None) -> None:
    hooks.results_removed(player.pk, removed=False)


def _rename(player: Player, _days: int | None) -> None:
    """Replace an offensive name with a neutral one; the player may choose another.

    They don't know the neutral name until they log in, so the old one remains that of the login.
    """
    give_name(player=player, name=f"Visitor {public_id()[:4].upper()}", login=False)


def _nothing(_player: Player, _days: int | None) -> None:
    """A warning or a note in the log has no other effect."""


_HANDLERS: Mapping[str, Callable[[Player, int | None], None]] = {
    "warn": _nothing, "unlink": _nothing, "ban": _ban, "lift_ban": _lift_ban, "mute": _mute,
    "unmute": _unmute, "rename": _rename, "pardon": _pardon, "ranked_ban": _ranked_ban,
    "lift_ranked": _lift_ranked, "remove": _remove, "restore": _restore,
}  # fmt: skip
