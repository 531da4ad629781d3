"""Logs whose moves are known at once: of imported games, branches and games that are over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from games.engine import rules
from games.engine.moves import Chance, Move, to_text
from games.engine.state import Ruleset
from games.log import store, summaries
from games.log.store import Entry


def write(
    *,
    match: int,
    ruleset: Ruleset,
    moves: Sequence[Move],
    at: datetime,
    ended_at: datetime | None = None,
) -> list[summaries.Effects]:
    """Write a log from its first move, with the summaries of what ended; return these.

    The caller holds a transaction. ``ended_at`` is the time of the summaries, if not ``at``.

    Raises:
        IllegalMove: if the rules do not allow a move.
    """
    store.write_all(
        Entry(
            match, sequence, None if isinstance(move, Chance) else move.seat, to_text(move), "", at
        )
        for sequence, move in enumerate(moves)
    )
    ended = _effects(match, ruleset, moves, ended_at or at)
    summaries.write(ended)
    return ended


def _effects(
    match: int, ruleset: Ruleset, moves: Sequence[Move], at: datetime
) -> list[summaries.Effects]:
    changes = []
    state = rules.start(ruleset)
    for step in rules.steps(ruleset, moves):
        change = summaries.effects(match, state, step.state, at)
        if change is not None:
            changes.append(change)
        state = step.state
    return changes
