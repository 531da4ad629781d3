"""Moderation records of a guest who logs in to an account."""

from __future__ import annotations

from django.utils import timezone

from games.models import BanProposal, ModerationEntry, ModeratorNote, Player, Report, SeenMatch


def move(*, guest: Player, account: Player) -> None:
    """Move reports, sanctions and notes from a guest to an account, in the caller's transaction.

    Otherwise logging in would delete them with the guest's row.
    """
    _move_reports(guest, account)
    ModerationEntry.objects.filter(player=guest).update(player=account)
    ModeratorNote.objects.filter(player=guest).update(player=account)
    if not BanProposal.objects.filter(player=account, decided_at__isnull=True).exists():
        BanProposal.objects.filter(player=guest).update(player=account)
    seen = SeenMatch.objects.filter(player=account).values_list("match_id", flat=True)
    SeenMatch.objects.filter(player=guest).exclude(match__in=list(seen)).update(player=account)
    fields = ("muted_until", "ranked_ban_until")
    for field in fields:
        ends = [end for end in (getattr(guest, field), getattr(account, field)) if end is not None]
        setattr(account, field, max(ends, default=None))
    account.moderator_news |= guest.moderator_news
    account.save(update_fields=[*fields, "moderator_news"])


def _move_reports(guest: Player, account: Player) -> None:
    """Move the reports about a guest, and those that they made."""
    # Nobody reports themselves: the account's own report about its guest loses its reporter.
    Report.objects.filter(about=guest, reporter=account).update(reporter=None)
    Report.objects.filter(about=account, reporter=guest).update(reporter=None)
    made = Report.objects.filter(reporter=guest)
    about = Report.objects.filter(about=guest)
    for rows, same in ((about, "reporter"), (made, "about")):
        for row in rows.filter(closed_at__isnull=True).prefetch_related("lines"):
            _close_second(row, account, same)
    about.update(about=account)
    made.update(reporter=account)


def _close_second(row: Report, account: Player, same: str) -> None:
    """Close a report if the account has the same one open, which gets its lines of chat.

    A reporter has one open report about a player; the closed one keeps its text.
    """
    who = {"about": account} if same == "reporter" else {"reporter": account}
    other = Report.objects.filter(
        closed_at__isnull=True, **who, **{f"{same}__isnull": False, same: getattr(row, same)}
    ).exclude(pk=row.pk)
    first = other.first()
    if first is not None:
        first.lines.add(*row.lines.all())
        row.closed_at = timezone.now()
        row.save(update_fields=["closed_at"])
