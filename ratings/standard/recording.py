"""Storage of simulated games as plays of a standard game."""

from __future__ import annotations

from datetime import datetime

from games.api import PlayedMatch, record_match
from ratings.models import Play
from ratings.standard.play_records import record_result
from ratings.standard.simulation import SimulatedGame


def store_simulated_game(*, play: Play, out: SimulatedGame, at: datetime | None = None) -> None:
    """Store a simulated game as the match of a reserved play, with its result.

    Call it in a transaction, and simulate the game before that begins.
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
    record_result(
        play=play,
        played=PlayedMatch(match, tuple(seats), out.ruleset, out.state, out.whole_hands),
    )
