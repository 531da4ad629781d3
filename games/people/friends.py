"""The read side of friends: a player's friends, requests, blocks and invitations to tables.

All of it is visible to that player only. A block is visible only to the player who made it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, F, Q, QuerySet

from games.cluster import online_status
from games.models import Block, Friendship, Match, Player, TableInvitation
from games.models.prepared import Prepared
from games.ops import true_time

INVITATION_KEPT = timedelta(minutes=30)
"""The time for which an invitation to a table is valid; after that it can be repeated."""

SHOWN = 50
"""Number of requests and invitations, the newest, that are shown on a page."""


class Standing(StrEnum):
    """The relation of another player to a player, as far as the latter may know."""

    NONE = "none"
    FRIEND = "friend"
    ASKED = "asked"
    ASKS = "asks"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Friend:
    """A friend, with the time of acceptance and online status."""

    player: Player
    since: datetime
    online: bool


@dataclass(frozen=True, slots=True)
class ReceivedInvitation:
    """An invitation to a friend's table.

    ``invite`` is the token in its address; ``until`` is when the invitation expires.
    """

    match: str
    inviter: str
    invite: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Invitable:
    """A friend who is online and can be invited to a table.

    ``asked``: the friend has an open invitation; ``declined``: the friend has declined.
    """

    player: str
    name: str
    asked: bool
    declined: bool


def friends_of(*, player: Player) -> list[Friend]:
    """Return a player's friends, those online first, then by name."""
    rows = accepted(player).select_related("asker", "asked")
    others = [(row.asked if row.asker_id == player.pk else row.asker, row) for row in rows]
    here = online_status.online(other.pk for other, _ in others)
    found = [
        Friend(other, row.accepted_at or row.asked_at, other.pk in here) for other, row in others
    ]
    return sorted(found, key=lambda friend: (not friend.online, friend.player.name.casefold()))


def friend_keys(*, player: Player) -> frozenset[int]:
    """Return the primary keys of a player's friends."""
    pairs = accepted(player).values_list("asker_id", "asked_id")
    return frozenset(key for pair in pairs for key in pair if key != player.pk)


def received_requests(*, player: Player) -> list[Player]:
    """Return the players whose friend requests this player has not answered, newest first."""
    rows = _open(Friendship.objects.filter(asked=player)).select_related("asker")
    return [row.asker for row in rows.order_by("-asked_at")[:SHOWN]]


def number_of_requests(*, player: Player) -> int:
    """Return how many friend requests the player has not answered."""
    return sum(number for (number,) in _REQUESTS.rows([player.pk]))


_REQUESTS = Prepared(
    lambda asked: (
        _open(Friendship.objects.filter(asked__in=asked))
        .values("asked")
        .annotate(number=Count("pk"))
        .values_list("number")
    )
)
"""The query for requests waiting for an answer, run by every page of a player with an account."""


def sent_requests(*, player: Player) -> list[Player]:
    """Return the players who have not accepted this player's requests, newest first.

    They include players who have declined, since a refusal is not disclosed.
    """
    rows = Friendship.objects.filter(asker=player, accepted_at__isnull=True, withdrawn=False)
    return [row.asked for row in rows.select_related("asked").order_by("-asked_at")[:SHOWN]]


def blocked(*, player: Player) -> list[Player]:
    """Return the players blocked by ``player``, sorted by name."""
    rows = Block.objects.filter(blocker=player).select_related("blocked")
    return [row.blocked for row in rows.order_by("blocked__name")]


def standing(*, player: Player, other: Player) -> Standing:
    """Return the relation of ``other`` to ``player``."""
    if Block.objects.filter(blocker=player, blocked=other).exists():
        return Standing.BLOCKED
    row = friendship_between(player, other).first()
    if row is None:
        return Standing.NONE
    if row.accepted_at is not None:
        return Standing.FRIEND
    if row.asker_id == player.pk:
        return Standing.NONE if row.withdrawn else Standing.ASKED
    return Standing.NONE if row.declined_at is not None else Standing.ASKS


def table_invitations(*, players: Iterable[int]) -> dict[int, list[ReceivedInvitation]]:
    """Return each player's invitations to friends' tables; players by primary key."""
    rows = (
        TableInvitation.objects.filter(
            invited__in=list(players),
            match__status=Match.Status.WAITING,
            match__seats__player__isnull=True,
            made_at__gt=true_time.now() - INVITATION_KEPT,
            declined_at__isnull=True,
        )
        .exclude(match__seats__player=F("invited"))
        .select_related("match", "inviter")
        .order_by("-pk")
        .distinct()
    )
    found: dict[int, list[ReceivedInvitation]] = {}
    for row in rows:
        until = row.made_at + INVITATION_KEPT
        table = ReceivedInvitation(row.match.public_id, row.inviter.name, row.match.invite, until)
        found.setdefault(row.invited_id, []).append(table)
    return {player: tables[:SHOWN] for player, tables in found.items()}


def invitable(*, match: int, player: int) -> list[Invitable]:
    """Return the player's online friends who have no seat in the match, by name."""
    creator = Player.objects.get(pk=player)
    if not creator.is_person:
        return []
    rows = TableInvitation.objects.filter(
        match=match, made_at__gt=true_time.now() - INVITATION_KEPT
    )
    asked = {row.invited_id: row for row in rows}
    seated = set(Match.objects.get(pk=match).seats.values_list("player_id", flat=True))
    return [
        Invitable(
            friend.player.public_id,
            friend.player.name,
            asked=friend.player.pk in asked and asked[friend.player.pk].declined_at is None,
            declined=friend.player.pk in asked and asked[friend.player.pk].declined_at is not None,
        )
        for friend in friends_of(player=creator)
        if friend.online and friend.player.pk not in seated
    ]


def blocked_either_way(*, player: int) -> frozenset[int]:
    """Return the players who blocked this player or were blocked by them, by primary key."""
    rows = Block.objects.filter(Q(blocker=player) | Q(blocked=player))
    pairs = rows.values_list("blocker", "blocked")
    return frozenset(key for pair in pairs for key in pair if key != player)


def accepted(player: Player) -> QuerySet[Friendship]:
    """Return a player's accepted friendships."""
    own = Q(asker=player) | Q(asked=player)
    return Friendship.objects.filter(own, accepted_at__isnull=False)


def friendship_between(player: Player, other: Player) -> QuerySet[Friendship]:
    """Return the row of a pair of people, if any, no matter who asked."""
    return Friendship.objects.filter(
        Q(asker=player, asked=other) | Q(asker=other, asked=player),
    )


def _open(rows: QuerySet[Friendship]) -> QuerySet[Friendship]:
    return rows.filter(accepted_at__isnull=True, declined_at__isnull=True)
