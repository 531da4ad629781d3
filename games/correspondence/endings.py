"""The ending of a correspondence match: who ended it, and whether the win was claimed.

The log tells: its last decision has a client's id if the player (or their program) made it, a
planned play has one of its own, and a computer's move or a claim of the win has none.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.log import store
from games.log.claims import claim_of
from games.models import Match
from games.models.moves import PLANNED


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a match.

    Attributes:
        by: the seat whose player ended it; None if a computer or a planned play did.
        resigned: the seat that resigned, or from which the win was claimed.
        claimed: whether the win was claimed, as that seat's time had run out.
    """

    by: int | None
    resigned: int | None = None
    claimed: bool = False


def ending(match: Match) -> Ending:
    """Return how a finished match ended."""
    last = store.last_decision(match.pk)
    if last is None or last.seat is None:
        return Ending(None)
    if match.ended_by != Match.EndedBy.RESIGNED:
        sent = last.client_id and not last.client_id.startswith(PLANNED)
        return Ending(last.seat if sent else None)
    if claim_of(last.client_id, days=match.days) is None:
        return Ending(last.seat, resigned=last.seat)
    return Ending(1 - last.seat, resigned=last.seat, claimed=True)  # only two players can resign
