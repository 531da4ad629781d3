"""The coached lesson: created once per player, and resumed until it is over."""

from __future__ import annotations

from django.db import transaction

from games.cluster import announce
from games.learn import coach
from games.models import Decks, Match, Player, Seat
from games.ops import true_time
from games.people.player_lock import locked_player
from games.tables.tables import computer


def running_lesson(*, player: Player) -> Match | None:
    """Return a player's newest unfinished lesson."""
    rows = Match.objects.filter(
        lesson=True, status=Match.Status.PLAYING, seats__player=player, seats__computer=False
    )
    return rows.order_by("-pk").first()


def begin_lesson(*, player: Player) -> Match:
    """Return the player's running lesson, or create one.

    It is dealt from `games.learn.coach.packs`. All lessons have the same deals, so nothing is
    hidden, and it counts for no record or rating.
    """
    machine = computer(coach.LEVEL)
    with locked_player(player):  # the second of two taps waits for the first
        running = running_lesson(player=player)
        if running is not None:
            return running
        made = Match.objects.create(
            ruleset=coach.RULES.to_dict(),
            status=Match.Status.PLAYING,
            created_by=player,
            started_at=true_time.now(),
            hints=True,
            lesson=True,
            decks=Decks.objects.create(packs=list(coach.packs())),
        )
        Seat.objects.bulk_create(
            [
                Seat(match=made, seat=0, player=player),
                Seat(match=made, seat=1, player=machine, computer=True),
            ]
        )
        transaction.on_commit(lambda: announce.table(made.pk))
    return made
