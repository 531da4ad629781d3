"""Selectors: the games of one table, several in a bracket, and who has won it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ratings.models import Event, EventGame, EventTable


def is_decided(event: Event, table: EventTable) -> bool:
    """Whether a table, at which no game is under way, needs no further game."""
    if places_of(table) == (None, None, None):
        return True
    games = games_of(table)
    if not games:
        return False
    most = max(_wins(games).values(), default=0)
    bracket = table.round.bracket
    needed = event.best_of // 2 + 1 if bracket else 1
    whole = len(games) >= (event.best_of if bracket else 1)
    return most >= needed or whole or games[-1].scores is None


def games_of(table: EventTable) -> list[EventGame]:
    """Return a table's games in order."""
    return sorted(table.games.all(), key=lambda game: game.number)


def winner_of(games: Sequence[EventGame]) -> int | None:
    """Return the place that won most of a table's games; None if two won as many, or none did.

    A walkover decides at once, whatever was played before.
    """
    if games and games[-1].scores is None:
        return games[-1].winner
    ranked = _wins(games).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def places_of(table: EventTable) -> tuple[int | None, int | None, int | None]:
    """Return the primary keys of the entrants at a table, by place."""
    return (table.first_id, table.second_id, table.third_id)


def _wins(games: Sequence[EventGame]) -> Counter[int]:
    return Counter(game.winner for game in games if game.winner is not None)
