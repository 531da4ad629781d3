"""Matches that continue a position of the analysis board, against computers."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from games.cluster import announce
from games.engine.moves import Move
from games.engine.state import Ruleset
from games.models import Match, Player, Seat
from games.people.player_lock import locked_player
from games.tables.branch import write_opening
from games.tables.tables import computer


def match_from_position(
    *, player: Player, ruleset: Ruleset, moves: tuple[Move, ...], level: str
) -> Match:
    """Create a match of one game whose log begins with ``moves``; ``player`` has seat 0.

    It counts for no statistics, and only its player can see it (`Match.is_branch`).

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
        made = Match.objects.create(
            ruleset=ruleset.to_dict(),
            status=Match.Status.PLAYING,
            created_by=player,
            started_at=timezone.now(),
            hints=True,
        )
        Seat.objects.bulk_create(
            Seat(
                match=made,
                seat=place,
                player=player if place == 0 else machine,
                computer=place != 0,
            )
            for place in range(ruleset.players)
        )
        write_opening(made, ruleset, moves)
        transaction.on_commit(lambda: announce.table(made.pk))
    return made
