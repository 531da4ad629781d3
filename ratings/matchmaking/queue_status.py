"""Selectors for the queue and for linked accounts."""

from __future__ import annotations

from games.api import Player
from ratings.models import LinkedAccount, Ticket


def ticket_of(*, player: Player | None) -> Ticket | None:
    """Return a player's ticket in the queue; None if they are not waiting."""
    if player is None:
        return None
    return Ticket.objects.filter(player=player).select_related("match").first()


def linked_names(*, player: Player | None) -> list[str]:
    """Return the names of the accounts that are linked to a player's."""
    if player is None:
        return []
    groups = LinkedAccount.objects.filter(player=player).values("group")
    others = LinkedAccount.objects.filter(group__in=groups).exclude(player=player)
    return list(others.order_by("pk").values_list("player__name", flat=True))
