"""The first game with a coach: made once, and gone on with for as long as it is not over."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from games import announce, coach
from games.models import Decks, Match, Player, Seat
from games.services.tables import computer


def running_lesson(*, player: Player) -> Match | None:
    """Return the lesson that a player has begun and not ended, the newest first."""
    rows = Match.objects.filter(
        lesson=True, status=Match.Status.PLAYING, seats__player=player, seats__computer=False
    )
    return rows.order_by("-pk").first()


def begin_lesson(*, player: Player) -> Match:
    """Make a lesson and return it, or return the one that is under way.

    It is dealt from `games.coach.packs`, in which there is nothing to hide from anybody: everyone's
    lesson is the same. It counts for nobody.
    """
    running = running_lesson(player=player)
    if running is not None:
        return running
    machine = computer(coach.LEVEL)
    with transaction.atomic():
        made = Match.objects.create(
            ruleset=coach.RULES.to_dict(),
            status=Match.Status.PLAYING,
            created_by=player,
            started_at=timezone.now(),
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
