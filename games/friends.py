"""The read side of friends: a player's own list, what waits for an answer, who asks him to a table.

All of it is for the player himself; nobody is shown another's list. Who has blocked whom is told to
the one who did it alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Q, QuerySet

from games import seen
from games.models import Block, Friendship, Match, Player, TableInvitation

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
    """A friend's table that waits for the player; ``invite`` is the token of its address."""

    match: str
    inviter: str
    invite: str


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
        )
        .select_related("match", "inviter")
        .order_by("-pk")
        .distinct()
    )
    found: dict[int, list[AskedToTable]] = {}
    for row in rows:
        table = AskedToTable(row.match.public_id, row.inviter.name, row.match.invite)
        found.setdefault(row.invited_id, []).append(table)
    return {player: tables[:SHOWN] for player, tables in found.items()}


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
