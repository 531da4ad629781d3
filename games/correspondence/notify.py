"""Creation of notices for players who are away; `games.correspondence.delivery` sends them.

Only players who asked for notices get them: by mail at a verified address, or by push in the
browsers that they chose.
"""

from __future__ import annotations

from datetime import timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from games.correspondence import push
from games.correspondence import turns as correspondence
from games.models import MailChoice, Match, Notice, Player, PushSubscription

PUSH_AFTER = timedelta(seconds=15)
"""Delay of a push, in which a player who is at the table can be recognized as online."""


def your_turn(match: Match) -> None:
    """Create the notices for the players who must act in a correspondence match, once per turn."""
    found = correspondence.turn(match)
    turns = Notice.objects.filter(match=match, kind=Notice.Kind.TURN)
    if found is None:
        over = match.status != Match.Status.PLAYING
        (turns if over else turns.filter(claimed_at__isnull=True)).delete()
        return
    turns.exclude(asked=found.asked).delete()
    seats = match.seats.filter(seat__in=found.seats).select_related("player")
    Notice.objects.bulk_create(
        [
            Notice(
                player=row.player,
                match=match,
                way=way,
                kind=Notice.Kind.TURN,
                asked=found.asked,
                due_at=timezone.now() + delay_of(way),
            )
            for row in seats
            if row.player is not None
            for way in channels_of(row.player)
        ],
        ignore_conflicts=True,
    )


def invited(player: Player, table: Match) -> None:
    """Create the notice (push only) of an invitation to a table."""
    if Notice.Way.PUSH in channels_of(player):
        Notice.objects.get_or_create(
            player=player, match=table, way=Notice.Way.PUSH, kind=Notice.Kind.INVITED, asked=0
        )


def delay_of(way: str) -> timedelta:
    """Return the delay of a notice, which is repeated while its player is online."""
    return settings.MAIL_AFTER if way == Notice.Way.MAIL else PUSH_AFTER


def channels_of(player: Player) -> list[Notice.Way]:
    """Return the channels that a player has chosen and can receive."""
    ways = []
    if player.is_active and address_of(player) and mail_choice(player) is not None:
        ways.append(Notice.Way.MAIL)
    if (
        player.is_active
        and push.available()
        and PushSubscription.objects.filter(player=player).exists()
    ):
        ways.append(Notice.Way.PUSH)
    return ways


def mail_choice(player: Player) -> MailChoice | None:
    """Return a player's request for mails, if any."""
    return MailChoice.objects.filter(player=player).first()


def address_of(player: Player) -> str:
    """Return a person's verified address, or ""."""
    rows = EmailAddress.objects.filter(user=player, verified=True, user__kind=Player.Kind.PERSON)
    return rows.order_by("-primary", "pk").values_list("email", flat=True).first() or ""


def catch_up() -> None:
    """Create the notices of correspondence matches that a crashed process failed to create."""
    asked = Q(seats__player__mail_choice__isnull=False) | Q(
        seats__player__push_subscriptions__isnull=False
    )
    rows = Match.objects.filter(status=Match.Status.PLAYING, days__isnull=False)
    for match in rows.filter(asked).distinct().iterator(500):
        your_turn(match)
