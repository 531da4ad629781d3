"""Accounts that were closed, opened again or deleted: their open tables learn of it."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from games.cluster import announce
from games.models import Player, Seat

REFRESHED_MATCHES = 50
"""Number of last matches whose open tables are notified of the changed account."""


def refresh_tables(*, player: Player) -> None:
    """Announce a change of a player's account at their last tables, which may still be open."""
    last = Seat.objects.filter(player=player).order_by("-match_id")[:REFRESHED_MATCHES]
    for match in list(last.values_list("match_id", flat=True)):
        transaction.on_commit(partial(announce.table, match))
