"""Notify open tables when the account of one of their players is closed, reopened or deleted."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from games.cluster import announce
from games.models import Player, Seat

REFRESHED_MATCHES = 50
"""Open tables among this many of a player's last matches are notified."""


def refresh_tables(*, player: Player) -> None:
    """Announce a change of a player's account at their last tables, in case they are still open."""
    last = Seat.objects.filter(player=player).order_by("-match_id")[:REFRESHED_MATCHES]
    for match in list(last.values_list("match_id", flat=True)):
        transaction.on_commit(partial(announce.table, match))
