"""Matches, puzzles, mutes, blocks and notifications of a guest who logs in to an account."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.db.models import ProtectedError, Q

from games import hooks
from games.cluster import announce
from games.models import (
    Block,
    Friendship,
    Match,
    Mute,
    Notice,
    Player,
    PushSubscription,
    PuzzleAttempt,
    PuzzleRating,
    Reminder,
    Seat,
    Storm,
    TableInvitation,
)
from games.people.friends import blocked_either_way


def lock_matches(matches: list[int], guest: Player, account: Player) -> None:
    """Lock the matches that change, for which their last move and their measuring wait.

    Both count a result for the player whom they have read: the guest before the lock, whose numbers
    are then moved, or the account after it.
    """
    changing = Q(pk__in=[*matches, *_waiting_to_leave(guest, account)]) | Q(created_by=guest)
    # Without the key, so that moves can be stored meanwhile.
    rows = Match.objects.filter(changing).order_by("pk").select_for_update(no_key=True)
    list(rows.values_list("pk"))


def move_mutes(guest: Player, account: Player) -> None:
    """Move the mutes made and received by a guest to the account."""
    known = Mute.objects.filter(muter=account).values_list("muted_id", flat=True)
    made = Mute.objects.filter(muter=guest).exclude(muted__in=[*known, account.pk])
    made.update(muter=account)
    knowing = Mute.objects.filter(muted=account).values_list("muter_id", flat=True)
    received = Mute.objects.filter(muted=guest).exclude(muter__in=[*knowing, account.pk])
    received.update(muted=account)


def move_blocks(guest: Player, account: Player) -> None:
    """Make the blocks of a guest blocks of the account; guests block nobody themselves.

    A block ends a friendship, as it does in `games.people.friendships.block`.
    """
    known = Block.objects.filter(blocked=account).values_list("blocker_id", flat=True)
    received = Block.objects.filter(blocked=guest).exclude(blocker__in=[*known, account.pk])
    blockers = list(received.values_list("blocker_id", flat=True))
    received.update(blocked=account)
    Friendship.objects.filter(
        Q(asker=account, asked__in=blockers) | Q(asker__in=blockers, asked=account)
    ).delete()
    TableInvitation.objects.filter(
        Q(inviter=account, invited__in=blockers) | Q(inviter__in=blockers, invited=account)
    ).delete()


def move_notices(guest: Player, account: Player, matches: list[int]) -> None:
    """Move a guest's notifications, and the browsers that get them, to the account.

    Args:
        guest: the guest who logs in.
        account: the account.
        matches: the primary keys of the matches whose seats move.
    """
    PushSubscription.objects.filter(player=guest).update(player=account)
    told = Notice.objects.filter(player=account).values_list("match_id", flat=True)
    notices = Notice.objects.filter(player=guest, match__in=matches)
    notices.exclude(match__in=list(told)).update(player=account)
    known = Reminder.objects.filter(player=account).values_list("key", flat=True)
    Reminder.objects.filter(player=guest).exclude(key__in=list(known)).update(player=account)


def _waiting_to_leave(guest: Player, account: Player) -> list[int]:
    """Return the primary keys of the waiting matches where the account cannot sit for the guest.

    Either the account sits there itself, or another player started the table and a block stands
    between the account and a player there.
    """
    seats = Seat.objects.filter(player=guest, match__status=Match.Status.WAITING)
    own = Seat.objects.filter(player=account).values("match_id")
    apart = Seat.objects.filter(player__in=blocked_either_way(player=account.pk))
    kept_apart = Q(match_id__in=apart.values("match_id")) & ~Q(match__created_by=guest)
    rows = seats.filter(Q(match_id__in=own) | kept_apart)
    return list(rows.values_list("match_id", flat=True))


def leave_waiting(guest: Player, account: Player) -> None:
    """Free a guest's seats at waiting tables where the account cannot sit; both are locked."""
    left = _waiting_to_leave(guest, account)
    Seat.objects.filter(player=guest, match_id__in=left).update(player=None)
    for match in left:
        transaction.on_commit(partial(announce.table, match))
        transaction.on_commit(announce.lobby)


def move_rated_puzzles(guest: Player, account: Player) -> None:
    """Move a guest's attempts at new puzzles and storms; an account with a rating keeps its own.

    The attempts then say no rating, as they moved none of the account's.
    """
    Storm.objects.filter(player=guest).update(player=account)
    tried = PuzzleAttempt.objects.filter(player=account).values_list("puzzle_id", flat=True)
    attempts = PuzzleAttempt.objects.filter(player=guest)
    attempts = attempts.exclude(puzzle_id__in=list(tried))
    if PuzzleRating.objects.filter(player=account).exists():
        attempts.update(player=account, rating=None, change=None)
    else:
        attempts.update(player=account)
        PuzzleRating.objects.filter(player=guest).update(player=account)


def delete(guest: Player, account: Player) -> bool:
    """Delete a guest whose seats have moved, and first move what was stored meanwhile.

    Return False if other apps keep rows of the guest: a tournament in which the account plays, too.

    The job that follows a finished match may have read the guest's seat before it moved. This lock,
    unlike others, keeps new rows from referring to the guest, so from then on the job has to try
    again.
    """
    Player.objects.select_for_update().get(pk=guest.pk)
    hooks.merging(guest.pk, account.pk)
    try:
        guest.delete()
    except ProtectedError:
        return False
    return True
