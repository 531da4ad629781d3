"""The write side of friendships and blocks.

Only people with an account have friends, since guests' names are not unique and last only for a
session. A player who is blocked or was recently declined gets the same answer as for players who
cannot be asked at all.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from games import hooks
from games.cluster import announce
from games.models import Block, Friendship, Player, Seat, TableInvitation
from games.models.names import skeleton
from games.people import chat_service
from games.people.friends import Standing, accepted, friendship_between, standing
from games.people.player_lock import check_exists, locked_player
from games.wire.refusals import Refused

MAX_FRIENDS = 200
"""Highest number of a player's friends."""

MAX_WAITING = 20
"""Highest number of a player's open or declined requests."""

ASK_AGAIN = timedelta(days=30)
"""The time after a refusal before the same person can be asked again."""


def person_named(*, name: str) -> Player:
    """Return the person with this name, or one that looks the same (names are unique by look).

    Raises:
        Refused: ``no_such_player``.
    """
    found = Player.objects.filter(kind=Player.Kind.PERSON, name_skeleton=skeleton(name)).first()
    if found is None:
        raise Refused("no_such_player")
    return found


def ask(*, player: Player, other: Player) -> Friendship:
    """Send a friend request to ``other``, or accept the one that they have sent.

    Raises:
        Refused: ``no_account``, ``not_askable``, ``you_blocked``, ``friends_already``,
            ``asked_already``, ``too_many_asked`` or ``too_many_friends``.
    """
    if not player.is_person:
        raise Refused("no_account")
    if not other.is_person or not other.is_active or other.pk == player.pk:
        raise Refused("not_askable")
    _forget_old_refusals(player)
    with locked_player(player, other):  # requests at once cannot all be the last one allowed
        return _ask(player, other)


def _ask(player: Player, other: Player) -> Friendship:
    """Send a request, or accept the other's; both are locked."""
    known = standing(player=player, other=other)
    if known in _KNOWN:
        raise Refused(_KNOWN[known])
    gone = not Player.objects.filter(pk=other.pk, is_active=True).exists()
    if gone or Block.objects.filter(blocker=other, blocked=player).exists():
        raise Refused("not_askable")
    if known is Standing.ASKS:
        return accept(player=player, other=other)
    _check_numbers(player)
    # A player who has declined a request may make one; it replaces the declined one.
    friendship_between(player, other).filter(asker=other, declined_at__isnull=False).delete()
    try:
        with transaction.atomic():
            row, made = Friendship.objects.get_or_create(asker=player, asked=other)
    except IntegrityError:
        raise Refused("asked_already") from None  # both asked at the same time
    if not made and row.withdrawn:
        row.withdrawn = False
        row.save(update_fields=["withdrawn"])
    return row


_KNOWN = {
    Standing.BLOCKED: "you_blocked",
    Standing.FRIEND: "friends_already",
    Standing.ASKED: "asked_already",
}


def _forget_old_refusals(player: Player) -> None:
    """Delete a player's requests that were declined long ago, so that they can be repeated."""
    long_ago = timezone.now() - ASK_AGAIN
    Friendship.objects.filter(asker=player, declined_at__lt=long_ago).delete()


def _check_numbers(player: Player) -> None:
    if Friendship.objects.filter(asker=player, accepted_at__isnull=True).count() >= MAX_WAITING:
        raise Refused("too_many_asked")
    if accepted(player).count() >= MAX_FRIENDS:
        raise Refused("too_many_friends")


def accept(*, player: Player, other: Player) -> Friendship:
    """Accept the request of ``other``; the second of two clicks changes nothing.

    Raises:
        Refused: ``not_asked_by`` if there is none, ``too_many_friends`` for either player.
    """
    with locked_player(player, other):
        requests = Friendship.objects.filter(asker=other, asked=player)
        if friends_already := requests.filter(accepted_at__isnull=False).first():
            return friends_already
        row = _request(player, other)
        if max(accepted(each).count() for each in (player, other)) >= MAX_FRIENDS:
            raise Refused("too_many_friends")
        row.accepted_at = timezone.now()
        row.save(update_fields=["accepted_at"])
    return row


def decline(*, player: Player, other: Player) -> None:
    """Decline the request of ``other``, who is not notified; a second click changes nothing.

    Raises:
        Refused: ``not_asked_by`` if there is none.
    """
    with transaction.atomic():
        requests = Friendship.objects.filter(asker=other, asked=player)
        if requests.filter(declined_at__isnull=False).exists():
            return
        row = _request(player, other)
        row.declined_at = timezone.now()
        row.save(update_fields=["declined_at"])


def _request(player: Player, other: Player) -> Friendship:
    row = (
        Friendship.objects.select_for_update()
        .filter(asker=other, asked=player, accepted_at__isnull=True, declined_at__isnull=True)
        .first()
    )
    if row is None:
        raise Refused("not_asked_by")
    return row


def remove(*, player: Player, other: Player) -> None:
    """End a friendship or withdraw a request, if there is one.

    A declined request is only hidden, so that it still prevents a new one.
    """
    rows = friendship_between(player, other).filter(Q(accepted_at__isnull=False) | Q(asker=player))
    with transaction.atomic():
        rows.filter(declined_at__isnull=True).delete()
        rows.update(withdrawn=True)
        _forget_invitations(player, other)


def block(*, player: Player, other: Player) -> None:
    """Block requests from ``other`` to ``player``, and end their friendship.

    The player no longer sees the other's chat, and random seating keeps them apart.

    Raises:
        Refused: ``no_account``, ``not_askable`` for oneself and for computers, or ``not_offered``
            for a guest who has just logged in to an account.
    """
    if not player.is_person:
        raise Refused("no_account")
    if other.is_computer or other.pk == player.pk:
        raise Refused("not_askable")
    with locked_player(player, other):
        check_exists(other)
        hooks.blocking()
        Block.objects.get_or_create(blocker=player, blocked=other)
        friendship_between(player, other).delete()
        _forget_invitations(player, other)
        _withdraw_wishes(player, other)
        chat_service.announce_change(player=player.pk)


def unblock(*, player: Player, other: Player) -> None:
    """Remove the block of ``other`` by ``player``."""
    Block.objects.filter(blocker=player, blocked=other).delete()
    chat_service.announce_change(player=player.pk)


def _withdraw_wishes(player: Player, other: Player) -> None:
    """Withdraw a player's stored wishes for rematches that ``other`` could not accept."""
    rows = Seat.objects.filter(
        player=player, rematch_wish__isnull=False, match__rematch=None, match__seats__player=other
    )
    matches = list(rows.values_list("match_id", flat=True))
    Seat.objects.filter(player=player, match__in=matches).update(rematch_wish=None)
    for match in matches:
        transaction.on_commit(partial(announce.table, match))


def _forget_invitations(player: Player, other: Player) -> None:
    TableInvitation.objects.filter(
        Q(inviter=player, invited=other) | Q(inviter=other, invited=player)
    ).delete()
    transaction.on_commit(announce.lobby)
