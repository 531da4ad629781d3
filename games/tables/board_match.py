"""Matches that continue a position of the analysis board, against computers."""

from __future__ import annotations

from dataclasses import replace

from games.engine import rules
from games.engine.moves import Move, parse_move
from games.engine.state import Ruleset
from games.engine.view import View, view_for
from games.log import store
from games.models import Match, Player
from games.people.player_lock import locked_player
from games.people.resent import CLICKED_WITHIN, made_already
from games.tables import against_computers
from games.tables.tables import computer


def match_from_position(
    *, player: Player, ruleset: Ruleset, moves: tuple[Move, ...], level: str
) -> Match:
    """Create a match of one game whose log begins with ``moves``; ``player`` has seat 0.

    It counts for no statistics, and only its player can see it (`Match.is_branch`). The second
    of two clicks returns the first one's.

    Args:
        player: the player.
        ruleset: the rules, with the scores before the hand (`Ruleset.scores`).
        moves: the deal, and what followed from it so far.
        level: name of the computer player that takes the other seats.

    Raises:
        Refused: ``no_such_level``.
    """
    machine = computer(level)
    with locked_player(player):
        known = _just_begun(player, machine, ruleset, moves)
        if known is not None:
            return known
        return against_computers.begin(
            player=player, seat=0, machine=machine, ruleset=ruleset, moves=moves
        )


def _just_begun(
    player: Player, machine: Player, ruleset: Ruleset, moves: tuple[Move, ...]
) -> Match | None:
    """Return the match that the first of two clicks began, unless its player has moved.

    Their logs differ in the cards that the position does not name, which are drawn for each: the
    others' hands, and the player's own throw.
    """
    known = made_already(
        Match.objects.filter(created_by=player, branch_of=None),
        at="created_at",
        within=CLICKED_WITHIN,
        ruleset=ruleset.to_dict(),
        status=Match.Status.PLAYING,
    )
    if known is None or not known.from_position or not known.seats.filter(player=machine).exists():
        return None
    log = store.whole(known.pk)
    if any(entry.seat == 0 for entry in log[len(moves) :]):
        return None
    begun = tuple(parse_move(entry.text) for entry in log[: len(moves)])
    return known if _position(ruleset, begun) == _position(ruleset, moves) else None


def _position(ruleset: Ruleset, moves: tuple[Move, ...]) -> View:
    """Return what seat 0 sees, without its throw."""
    return replace(view_for(rules.fold(ruleset, moves), 0), dealt=(), thrown=())
