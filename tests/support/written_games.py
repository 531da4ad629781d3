"""Games in other notations, for tests: files, random games, and what their records say."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from games.archive.notations.written_game import WrittenGame
from games.engine.moves import Deal, Discard, Move
from games.engine.record import read_record, write_records
from games.engine.state import Ruleset, State
from tests.support.positions import random_match

SAMPLES = Path(__file__).parent.parent / "data" / "notations"


def sample(name: str) -> str:
    """Return the text of a sample file."""
    return (SAMPLES / name).read_text()


def random_record(ruleset: Ruleset, seed: int) -> dict[str, Any]:
    """Return the record of a random game."""
    (record,) = write_records(ruleset, [each.move for each in random_match(ruleset, seed)])
    return record


def won_in_play(ruleset: Ruleset, first: int = 0) -> dict[str, Any]:
    """Return the record of a random game that was won in the play, before the last card."""
    games = (random_record(ruleset, seed) for seed in count(first))
    return next(record for record in games if 0 < len(record["hands"][-1]["plays"]) < 8)


def folded(game: WrittenGame) -> State:
    """Return the state at the end of a game, checked against its derived fields."""
    record = read_record(game.data)
    assert record.difference is None
    return record.state


def moves(data: dict[str, Any]) -> list[Move | tuple[Any, ...]]:
    """Return the moves of a record; cards that are dealt or thrown together without their order."""
    return [unordered(move) for move in read_record(data).moves]


def unordered(move: Move) -> Move | tuple[Any, ...]:
    """Return a move without the order of cards that are dealt or thrown together."""
    match move:
        case Deal(hands, crib_card):
            return ("deal", [set(cards) for cards in hands], crib_card)
        case Discard(seat, cards):
            return ("discard", seat, set(cards))
    return move
