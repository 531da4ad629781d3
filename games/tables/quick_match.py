"""Quick matches: joining an open table with the default rules, or opening one."""

from __future__ import annotations

import contextlib

from games.archive import selectors
from games.engine.state import Ruleset
from games.models import Match, Player, Seat
from games.models.advisory_lock import Turn, take_turn
from games.ops import true_time
from games.people.player_lock import locked_player
from games.people.resent import CLICKED_WITHIN
from games.tables.attended import attend, look_at
from games.tables.tables import create_match, join_match
from games.wire.refusals import Refused


def quick_match(*, player: Player) -> Match:
    """Seat ``player`` at an open table with the default rules, or at a new one; return the match.

    Of the tables whose creators are there, the one that has waited longest is chosen. The player's
    own waiting table is reused, so clicking twice does not create two tables, and both clicks lead
    to the same one.
    """
    usual = Ruleset()
    with locked_player(player):  # the second of two clicks finds the table of the first
        own = _own_table(player, usual) or _just_begun(player, usual)
        if own is not None:
            return own
        # Otherwise two who come at the same moment would each wait at a table of their own.
        take_turn(Turn.QUICK_MATCH)
        for table in selectors.lobby_tables(oldest_first=True):
            if table.ruleset == usual:
                with contextlib.suppress(Refused):  # another player was faster: try the next one
                    return join_match(player=player, invite=table.invite)
        return create_match(creator=player, ruleset=usual, listed=True)


def _own_table(player: Player, ruleset: Ruleset) -> Match | None:
    """Return the player's own open table with these rules, back in the lobby; None without one."""
    rows = Match.objects.filter(
        created_by=player,
        status=Match.Status.WAITING,
        listed=True,
        days=None,
        created_at__gt=true_time.now() - selectors.OPEN_FOR,
    )
    own = next((row for row in rows if Ruleset.from_dict(row.ruleset) == ruleset), None)
    if own is not None:
        look_at(match=own.pk, player=player.pk)
        attend(players=[player.pk])
    return own


def _just_begun(player: Player, ruleset: Ruleset) -> Match | None:
    """Return the open table with these rules where the first of two clicks seated the player.

    None without one, or once they have moved there.
    """
    rows = Seat.objects.filter(
        player=player,
        match__listed=True,
        match__days=None,
        match__status=Match.Status.PLAYING,
        match__started_at__gt=true_time.now() - CLICKED_WITHIN,
    )
    for seat in rows.select_related("match").order_by("-match__started_at"):
        match = seat.match
        moved = match.moves.filter(seat=seat.seat).exists()
        if Ruleset.from_dict(match.ruleset) == ruleset and not moved:
            return match
    return None
