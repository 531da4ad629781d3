"""Invitations of friends to tables: sending, renewing and declining them."""

from __future__ import annotations

from django.db import transaction

from games.cluster import announce
from games.correspondence import notify
from games.engine.state import Ruleset
from games.models import Match, Player, TableInvitation
from games.ops import true_time
from games.people import limits
from games.people.friends import INVITATION_KEPT, Standing, standing
from games.people.player_lock import locked_player
from games.tables.tables import create_match
from games.wire.refusals import Refused


def invite(*, player: Player, friend: Player) -> Match:
    """Invite a friend to the player's own table; return the table.

    This is the newest private table that the player opened just now and that waits, or a new one
    with the default rules: the seat at an older one, or by correspondence, may be kept for others.

    Raises:
        Refused: ``not_friends`` or ``too_often``.
    """
    # The second of two clicks finds the table of the first.
    with locked_player(player, friend):
        _check_friends(player, friend)
        match = (
            Match.objects.filter(
                created_by=player,
                status=Match.Status.WAITING,
                listed=False,
                listed_elsewhere=False,
                days=None,
                created_at__gt=true_time.now() - INVITATION_KEPT,
                seats__player__isnull=True,
            )
            .order_by("-pk")
            .first()
        ) or create_match(creator=player, ruleset=Ruleset())
        invite_to(player=player, friend=friend, match=match)
    return match


def invite_to(*, player: Player, friend: Player, match: Match) -> None:
    """Invite a friend to this waiting table of the player; renew the invitation if it has expired.

    If the friend has accepted it, nothing changes: the request may have been sent again.

    Raises:
        Refused: ``not_friends``, ``not_offered`` or ``too_often``.
    """
    with locked_player(player, friend):  # who may be blocking the player at this moment
        _check_friends(player, friend)
        if match.created_by_id != player.pk:
            raise Refused("not_offered")
        if _has_accepted(friend, match):
            return
        if match.status != Match.Status.WAITING:
            raise Refused("not_offered")
        try:
            limits.consume(limits.named("invitations"), str(player.pk))
        except limits.TooOften as cause:
            raise Refused("too_often", f"again in {cause.wait} s") from cause
        row, made = TableInvitation.objects.get_or_create(
            match=match, invited=friend, defaults={"inviter": player}
        )
        if not made and row.made_at <= true_time.now() - INVITATION_KEPT:
            row.made_at, row.declined_at = true_time.now(), None
            row.save(update_fields=["made_at", "declined_at"])
            notify.forget_invitation(friend, match)
        notify.invited(friend, match)
        transaction.on_commit(announce.lobby)


def _check_friends(player: Player, friend: Player) -> None:
    if standing(player=player, other=friend) is not Standing.FRIEND:
        raise Refused("not_friends")


def _has_accepted(friend: Player, match: Match) -> bool:
    """Whether a friend was invited to a table and sits there."""
    invited = match.invitations.filter(invited=friend).exists()
    return invited and match.seats.filter(player=friend).exists()


def turn_down(*, player: int, match: str) -> None:
    """Decline an invitation to the table with this public id; the inviter can see the answer."""
    rows = TableInvitation.objects.filter(invited=player, match__public_id=match)
    rows.filter(declined_at__isnull=True).update(declined_at=true_time.now())
    transaction.on_commit(announce.lobby)
