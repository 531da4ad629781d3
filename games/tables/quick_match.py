"""Quick matches: joining an open table with the default rules, or opening one."""

from __future__ import annotations

import contextlib

from games.archive import selectors
from games.engine.state import Ruleset
from games.models import Match, Player
from games.tables.tables import create_match, join_match
from games.wire.refusals import Refused


def quick_match(*, player: Player) -> Match:
    """Seat ``player`` at an open table with the default rules, or at a new one; return the match.

    The table that has waited longest is chosen. The player's own waiting table is reused, so that
    clicking twice does not create two.
    """
    usual = Ruleset()
    waiting = [table for table in reversed(selectors.lobby_tables()) if table.ruleset == usual]
    own = Match.objects.filter(
        created_by=player, public_id__in=[table.public_id for table in waiting]
    ).first()
    if own is not None:
        return own
    for table in waiting:
        with contextlib.suppress(Refused):  # another player was faster: try the next one
            return join_match(player=player, invite=table.invite)
    return create_match(creator=player, ruleset=usual, listed=True)
