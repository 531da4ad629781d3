"""Leaving a ranked match: for good, while the computer plays the game to its end."""

from __future__ import annotations

from django.db import transaction

from games import announce, hooks, outages, store
from games.accounts import computer_player
from games.bots import get, levels
from games.models import Match, Player, Seat


def leave_for_good(*, match: int, seat: int, timed_out: bool = False) -> bool:
    """Give a person's seat in a ranked match to the computer, once; return whether this did it.

    What it means for the result is for the ratings to say.
    """
    with transaction.atomic():
        row = (
            Seat.objects.select_for_update()
            .filter(
                match_id=match,
                match__ranked=True,
                match__status=Match.Status.PLAYING,
                seat=seat,
                computer=False,
                left_at__isnull=True,
            )
            .first()
        )
        if row is None:
            return False
        row.left_at, row.timed_out = store.length(match), timed_out
        row.stand_in = computer_of(levels()[-1].name)
        row.save(update_fields=["left_at", "timed_out", "stand_in"])
        if row.player_id is not None:
            excused = timed_out and _was_out(match)
            hooks.left(match, row.player_id, timed_out=timed_out, excused=excused)
        transaction.on_commit(lambda: announce.table(match))
    return True


def _was_out(match: int) -> bool:
    """Whether the service was out since the present decision was asked for."""
    begun = store.asked_at(match)
    return begun is not None and bool(outages.since(begun))


def computer_of(level: str) -> Player:
    """Return the row of a computer player at its present version.

    Raises:
        games.bots.UnknownPlayer: where nobody is called that.
    """
    bot = get(level)
    return computer_player(bot=bot.name, version=str(bot.version), name=bot.name.title())
