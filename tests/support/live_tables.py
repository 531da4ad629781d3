"""Live tables in memory, without database or sockets."""

from __future__ import annotations

from typing import Any, cast

from games.engine import rules
from games.engine.moves import Cut, Deal
from games.engine.state import Ruleset
from games.live.changes import ChangeStream
from games.live.table import Table, TableServices
from games.log.match_meta import MatchMeta, SeatMeta


def new_table(pk: int = 1, *, dealt_out: bool = False, stream: ChangeStream | None = None) -> Table:
    """Return a table of Ann and Bob that stores nothing; ``dealt_out``: after the first deal."""
    seats = tuple(
        SeatMeta(at, at + 1, f"player{at}", name, "guest", computer=False, level="", stand_in="")
        for at, name in enumerate(("Ann", "Bob"))
    )
    meta = MatchMeta(pk, "match", Ruleset(), "playing", 1, "invite", True, "", seats)
    nothing = cast(Any, None)
    table = Table(meta, TableServices(nothing, nothing, nothing, stream or ChangeStream(), {}))
    if dealt_out:
        deal = Deal(tuple(tuple(range(seat * 6, seat * 6 + 6)) for seat in range(2)))
        for move in (Cut((0, 50)), deal):
            table.state = rules.apply(table.state, move).state
    return table
