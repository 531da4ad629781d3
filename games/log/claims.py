"""Reasons for which wins were claimed from players, as shown by the log.

The log has the resignation of the player from whom a win was claimed, but without a client's id.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from games.log import store
from games.models import Match
from games.models.moves import IDLE

Claim = Literal["absent", "idle", "late"]
"""The reason for a claimed win: its loser was away, there but idle, or late by correspondence."""


def claim_of(client_id: str, *, days: int | None) -> Claim | None:
    """Return why a win was claimed with a resignation of this id; None if the player resigned."""
    if client_id == IDLE:
        return "idle"
    if client_id:
        return None
    return "absent" if days is None else "late"


def claims(matches: Iterable[Match]) -> dict[int, Claim]:
    """Return why the win was claimed, by primary key, for those of these matches where it was."""
    days = {
        match.pk: match.days
        for match in matches
        if match.ended_by == Match.EndedBy.RESIGNED and not match.imported
    }
    if not days:
        return {}
    ids = store.resignations(days)
    found = {match: claim_of(client_id, days=days[match]) for match, client_id in ids.items()}
    return {match: claim for match, claim in found.items() if claim is not None}
