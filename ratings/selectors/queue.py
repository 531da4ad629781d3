"""Who waits for a ranked game, and which accounts are taken for one person's."""

from __future__ import annotations

from games.api import Player
from ratings.models import LinkedAccount, Ticket


def ticket_of(*, player: Player | None) -> Ticket | None:
    """Return a player's place in the queue, if he waits."""
    if player is None:
        return None
    return Ticket.objects.filter(player=player).select_related("match").first()


def linked_names(*, player: Player | None) -> list[str]:
    """Return the names of the other accounts that are taken for the same person's."""
    if player is None:
        return []
    groups = LinkedAccount.objects.filter(player=player).values("group")
    others = LinkedAccount.objects.filter(group__in=groups).exclude(player=player)
    return list(others.order_by("pk").values_list("player__name", flat=True))
