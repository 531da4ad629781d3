"""The read side of friends: a player's own list, what waits for an answer, who asks him to a table.

All of it is for the player himself; nobody is shown another's list. Who has blocked whom is told to
the one who did it alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from games import seen
from games.models import Block, Friendship, Match, Player, TableInvitation

INVITATION_KEPT = timedelta(minutes=30)
"""How long a friend may take up an invitation to a table; then he may be asked again."""

SHOWN = 50
"""Requests and invitations on one page, the newest."""


class Standing(StrEnum):
    """How another stands to a player, as far as the player may know."""

    NONE = "none"
    FRIEND = "friend"
    ASKED = "asked"
    ASKS = "asks"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Friend:
    """A friend, since when, and whether he is here now."""

    player: Player
    since: datetime
    online: bool


@dataclass(frozen=True, slots=True)
class AskedToTable:
    """A friend's table that waits for the player.

    ``invite`` is the token of its address; ``until`` is when the invitation runs out.
    """

    match: str
    inviter: str
    invite: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Invitable:
    """A friend who is here and could be asked to a table, and how it stands with that.

    ``asked``: he is asked, and has not answered; ``declined``: he cannot come.
    """

    player: str
    name: str
    asked: bool
    declined: bool


def friends_of(*, player: Player) -> list[Friend]:
    """Return a player's friends, those who are here first, then by name."""
    rows = accepted(player).select_related("asker", "asked")
    others = [(row.asked if row.asker_id == player.pk else row.asker, row) for row in rows]
    here = seen.online(other.pk for other, _ in others)
    found = [
        Friend(other, row.accepted_at or row.asked_at, other.pk in here) for other, row in others
    ]
    return sorted(found, key=lambda friend: (not friend.online, friend.player.name.casefold()))


def friend_keys(*, player: Player) -> frozenset[int]:
    """Return the primary keys of a player's friends."""
    pairs = accepted(player).values_list("asker_id", "asked_id")
    return frozenset(key for pair in pairs for key in pair if key != player.pk)


def asking(*, player: Player) -> list[Player]:
    """Return who waits for the player's answer, the newest first."""
    rows = _open(Friendship.objects.filter(asked=player)).select_related("asker")
    return [row.asker for row in rows.order_by("-asked_at")[:SHOWN]]


def asked(*, player: Player) -> list[Player]:
    """Return whose answer the player waits for, the newest first.

    Who has declined is among them: nobody is told of a refusal.
    """
    rows = Friendship.objects.filter(asker=player, accepted_at__isnull=True, withdrawn=False)
    return [row.asked for row in rows.select_related("asked").order_by("-asked_at")[:SHOWN]]


def blocked(*, player: Player) -> list[Player]:
    """Return whom the player has blocked, by name."""
    rows = Block.objects.filter(blocker=player).select_related("blocked")
    return [row.blocked for row in rows.order_by("blocked__name")]


def standing(*, player: Player, other: Player) -> Standing:
    """Return how ``other`` stands to ``player``."""
    if Block.objects.filter(blocker=player, blocked=other).exists():
        return Standing.BLOCKED
    row = between(player, other).first()
    if row is None:
        return Standing.NONE
    if row.accepted_at is not None:
        return Standing.FRIEND
    if row.asker_id == player.pk:
        return Standing.NONE if row.withdrawn else Standing.ASKED
    return Standing.NONE if row.declined_at is not None else Standing.ASKS


def asked_to_tables(*, players: Iterable[int]) -> dict[int, list[AskedToTable]]:
    """Return for each of these players, by primary key, the friends' tables that wait for them."""
    rows = (
        TableInvitation.objects.filter(
            invited__in=list(players),
            match__status=Match.Status.WAITING,
            match__seats__player__isnull=True,
            made_at__gt=timezone.now() - INVITATION_KEPT,
            declined_at__isnull=True,
        )
        .exclude(match__seats__player=F("invited"))
        .select_related("match", "inviter")
        .order_by("-pk")
        .distinct()
    )
    found: dict[int, list[AskedToTable]] = {}
    for row in rows:
        until = row.made_at + INVITATION_KEPT
        table = AskedToTable(row.match.public_id, row.inviter.name, row.match.invite, until)
        found.setdefault(row.invited_id, []).append(table)
    return {player: tables[:SHOWN] for player, tables in found.items()}


def invitable(*, match: int, player: int) -> list[Invitable]:
    """Return the player's friends who are here and do not sit at a match of his, by name."""
    creator = Player.objects.get(pk=player)
    if not creator.is_person:
        return []
    rows = TableInvitation.objects.filter(match=match, made_at__gt=timezone.now() - INVITATION_KEPT)
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


def kept_apart(*, player: int) -> frozenset[int]:
    """Return whom a player should not meet by chance: who blocked the one or the other."""
    rows = Block.objects.filter(Q(blocker=player) | Q(blocked=player))
    pairs = rows.values_list("blocker", "blocked")
    return frozenset(key for pair in pairs for key in pair if key != player)


def accepted(player: Player) -> QuerySet[Friendship]:
    """Return the rows of a player's friends."""
    own = Q(asker=player) | Q(asked=player)
    return Friendship.objects.filter(own, accepted_at__isnull=False)


def between(player: Player, other: Player) -> QuerySet[Friendship]:
    """Return the one row of two people, whoever asked, or none."""
    return Friendship.objects.filter(
        Q(asker=player, asked=other) | Q(asker=other, asked=player),
    )


def _open(rows: QuerySet[Friendship]) -> QuerySet[Friendship]:
    return rows.filter(accepted_at__isnull=True, declined_at__isnull=True)
