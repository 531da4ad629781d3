"""Games that computers have played already, stored as plays of a standard game."""

from __future__ import annotations

from datetime import datetime

from games.api import PlayedMatch, record_match
from ratings.models import Play
from ratings.services.filling import fill_in
from ratings.services.playing import PlayedOut


def record(*, play: Play, out: PlayedOut, at: datetime | None = None) -> None:
    """Store a game that was played out as the match of a reserved play, and collect it.

    To be called in a transaction, and the game played out before it.
    """
    attempts = play.attempts.select_related("player").order_by("seat")
    match = record_match(
        players=[attempt.player for attempt in attempts],
        ruleset=out.ruleset,
        moves=out.moves,
        decks=play.standard_game.decks,
        at=at,
    )
    play.match = match
    play.save(update_fields=["match"])
    seats = match.seats.select_related("player").order_by("seat")
    fill_in(
        play=play,
        played=PlayedMatch(match, tuple(seats), out.ruleset, out.state, out.whole_hands),
    )
