"""Identities: which accounts are one person's, and which may be."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from games.api import Player
from ratings.models import LinkedAccount, NetworkUse

LEAGUE = "league"
"""Prefix of the bot names of computer players that, like people, play each game once."""

SAME_NETWORK_FOR = timedelta(days=7)
"""Time during which two identities that entered from one network may be one person's."""

NEIGHBOURS = 500
"""Maximum number of entries of other identities on the same networks to consider, newest first.

A provider may have millions of customers behind a few addresses. Identities beyond this number are
not kept apart.
"""


def is_house(player: Player) -> bool:
    """Whether a player is one of the site's own computers, which may play a game many times."""
    return player.is_computer and not player.bot.startswith(LEAGUE)


def with_linked(players: Iterable[Player]) -> set[int]:
    """Return the keys of these players and their linked accounts, without house computers."""
    keys = {player.pk for player in players if not is_house(player)}
    groups = LinkedAccount.objects.filter(player_id__in=keys).values("group")
    linked = LinkedAccount.objects.filter(group__in=groups).values_list("player_id", flat=True)
    return keys | set(linked)


def linked_to(player: int) -> set[int]:
    """Return the keys of the accounts that are linked to a player's, given by primary key."""
    groups = LinkedAccount.objects.filter(player_id=player).values("group")
    rows = LinkedAccount.objects.filter(group__in=groups)
    return set(rows.values_list("player_id", flat=True))


def are_linked(players: Iterable[Player]) -> bool:
    """Whether two of these players are linked accounts."""
    keys = [player.pk for player in players]
    groups = LinkedAccount.objects.filter(player_id__in=keys).values_list("group", flat=True)
    return len(set(groups)) < len(groups)


def maybe_same(players: Iterable[Player]) -> set[int]:
    """Return the keys of these players, of their linked accounts, and of others on their networks.

    It is used only to choose games and to pair players in the queue, since players on one network
    are mostly different people. People who share an address (a pub, a school, a family) can play
    each other by invitation or at a club night.
    """
    keys = with_linked(players)
    since = timezone.now() - SAME_NETWORK_FOR
    uses = NetworkUse.objects.filter(seen_at__gt=since)
    own = uses.filter(player_id__in=keys).values("digest")
    others = uses.filter(digest__in=own).order_by("-seen_at").values_list("player_id", flat=True)
    return keys | set(others[:NEIGHBOURS])
