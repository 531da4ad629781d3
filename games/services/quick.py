"""A quick match: sit down at the usual rules with whoever waits, or wait for whoever comes."""

from __future__ import annotations

import contextlib

from games import selectors
from games.engine.state import Ruleset
from games.models import Match, Player
from games.refusals import Refused
from games.services.tables import create_match, join_match


def quick_match(*, player: Player) -> Match:
    """Return the match that ``player`` sits at now: an open one, else one of his own.

    Of the open tables at the usual rules the one that has waited longest is taken. A table of
    his own that waits there already is kept, so that pressing twice does not make two.
    """
    usual = Ruleset()
    waiting = [table for table in reversed(selectors.lobby_tables()) if table.ruleset == usual]
    own = Match.objects.filter(
        created_by=player, public_id__in=[table.public_id for table in waiting]
    ).first()
    if own is not None:
        return own
    for table in waiting:
        with contextlib.suppress(Refused):  # somebody else was quicker: the next one
            return join_match(player=player, invite=table.invite)
    return create_match(creator=player, ruleset=usual, listed=True)
