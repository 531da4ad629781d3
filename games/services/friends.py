"""Friends: asked, accepted, declined, removed, blocked; and asked to one's table.

Only people with an account have friends: a guest's name is anybody's, and gone with his session.
Whoever is blocked, or was declined not long ago, is told the same as where somebody cannot be
asked at all.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from games import announce, limits, notify
from games.engine.state import Ruleset
from games.friends import INVITATION_KEPT, Standing, accepted, between, standing
from games.models import Block, Friendship, Match, Player, TableInvitation
from games.names import skeleton
from games.refusals import Refused
from games.services import chat
from games.services.tables import create_match

MAX_FRIENDS = 200
MAX_WAITING = 20
"""Requests of one player that wait for an answer, or got none that he would like."""
ASK_AGAIN = timedelta(days=30)
"""How long who was declined may not ask the same person again."""


def named(*, name: str) -> Player:
    """Return the person of that name, or one that looks the same: no two do.

    Raises:
        Refused: ``no_such_player``.
    """
    found = Player.objects.filter(kind=Player.Kind.PERSON, name_skeleton=skeleton(name)).first()
    if found is None:
        raise Refused("no_such_player")
    return found


def ask(*, player: Player, other: Player) -> Friendship:
    """Ask ``other`` to be a friend; where he has asked already, that is accepted.

    Raises:
        Refused: ``no_account``, ``not_askable``, ``you_blocked``, ``friends_already``,
            ``asked_already``, ``too_many_asked`` or ``too_many_friends``.
    """
    if not player.is_person:
        raise Refused("no_account")
    if not other.is_person or not other.is_active or other.pk == player.pk:
        raise Refused("not_askable")
    _forget_old_refusals(player)
    known = standing(player=player, other=other)
    if known in _KNOWN:
        raise Refused(_KNOWN[known])
    if Block.objects.filter(blocker=other, blocked=player).exists():
        raise Refused("not_askable")
    if known is Standing.ASKS:
        return accept(player=player, other=other)
    _check_numbers(player)
    # Who has declined a request may make one himself; it takes the old one's place.
    between(player, other).filter(asker=other, declined_at__isnull=False).delete()
    try:
        with transaction.atomic():
            row, made = Friendship.objects.get_or_create(asker=player, asked=other)
    except IntegrityError:
        raise Refused("asked_already") from None  # both at once
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
    """Let who was declined long ago ask again."""
    long_ago = timezone.now() - ASK_AGAIN
    Friendship.objects.filter(asker=player, declined_at__lt=long_ago).delete()


def _check_numbers(player: Player) -> None:
    if Friendship.objects.filter(asker=player, accepted_at__isnull=True).count() >= MAX_WAITING:
        raise Refused("too_many_asked")
    if accepted(player).count() >= MAX_FRIENDS:
        raise Refused("too_many_friends")


def accept(*, player: Player, other: Player) -> Friendship:
    """Take up the request that ``other`` has made.

    Raises:
        Refused: ``not_asked_by`` where there is none, ``too_many_friends`` for either of the two.
    """
    with transaction.atomic():
        row = _request(player, other)
        if max(accepted(each).count() for each in (player, other)) >= MAX_FRIENDS:
            raise Refused("too_many_friends")
        row.accepted_at = timezone.now()
        row.save(update_fields=["accepted_at"])
    return row


def decline(*, player: Player, other: Player) -> None:
    """Turn down the request that ``other`` has made; he is not told.

    Raises:
        Refused: ``not_asked_by`` where there is none.
    """
    with transaction.atomic():
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
    """End a friendship, or take back one's own request; without either it does nothing.

    A request that was declined is but put out of sight: made again it would not be seen either.
    """
    rows = between(player, other).filter(Q(accepted_at__isnull=False) | Q(asker=player))
    with transaction.atomic():
        rows.filter(declined_at__isnull=True).delete()
        rows.update(withdrawn=True)
        _forget_invitations(player, other)


def block(*, player: Player, other: Player) -> None:
    """Let ``other`` ask ``player`` for nothing more; a friendship of the two ends.

    The one reads nothing of the other's at a table, and chance seats them together no more.

    Raises:
        Refused: ``no_account``, or ``not_askable`` for oneself and for computers.
    """
    if not player.is_person:
        raise Refused("no_account")
    if other.is_computer or other.pk == player.pk:
        raise Refused("not_askable")
    with transaction.atomic():
        Block.objects.get_or_create(blocker=player, blocked=other)
        between(player, other).delete()
        _forget_invitations(player, other)
        chat.tell(player=player.pk)


def unblock(*, player: Player, other: Player) -> None:
    """Let ``other`` ask again, and read again what he writes."""
    Block.objects.filter(blocker=player, blocked=other).delete()
    chat.tell(player=player.pk)


def invite(*, player: Player, friend: Player) -> Match:
    """Ask a friend to a table of one's own; return it.

    It is the newest private table of the player's that waits for somebody, else a new one by the
    usual rules.

    Raises:
        Refused: ``not_friends`` or ``too_often``.
    """
    if standing(player=player, other=friend) is not Standing.FRIEND:
        raise Refused("not_friends")
    with transaction.atomic():
        match = (
            Match.objects.filter(
                created_by=player,
                status=Match.Status.WAITING,
                listed=False,
                seats__player__isnull=True,
            )
            .order_by("-pk")
            .first()
        ) or create_match(creator=player, ruleset=Ruleset())
        invite_to(player=player, friend=friend, match=match)
    return match


def invite_to(*, player: Player, friend: Player, match: Match) -> None:
    """Ask a friend to this table of one's own, which waits; twice is once until it runs out.

    Raises:
        Refused: ``not_friends``, ``not_offered`` or ``too_often``.
    """
    if standing(player=player, other=friend) is not Standing.FRIEND:
        raise Refused("not_friends")
    if match.created_by_id != player.pk or match.status != Match.Status.WAITING:
        raise Refused("not_offered")
    try:
        limits.take(limits.named("invitations"), str(player.pk))
    except limits.TooOften as cause:
        raise Refused("too_often", f"again in {cause.wait} s") from cause
    with transaction.atomic():
        row, made = TableInvitation.objects.get_or_create(
            match=match, invited=friend, defaults={"inviter": player}
        )
        if not made and row.made_at <= timezone.now() - INVITATION_KEPT:
            row.made_at, row.declined_at = timezone.now(), None
            row.save(update_fields=["made_at", "declined_at"])
        notify.invited(friend, match)
        transaction.on_commit(announce.lobby)


def turn_down(*, player: int, match: str) -> None:
    """Say no to a friend's table, by its public id; the table stays, and its owner sees it."""
    rows = TableInvitation.objects.filter(invited=player, match__public_id=match)
    rows.filter(declined_at__isnull=True).update(declined_at=timezone.now())
    transaction.on_commit(announce.lobby)


def _forget_invitations(player: Player, other: Player) -> None:
    TableInvitation.objects.filter(
        Q(inviter=player, invited=other) | Q(inviter=other, invited=player)
    ).delete()
    transaction.on_commit(announce.lobby)
