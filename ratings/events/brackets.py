"""Brackets: who meets whom in a knockout. Pure."""

from __future__ import annotations

from collections.abc import Sequence

Meeting = tuple[int | None, int | None]
"""The two players of a table; None for an empty place."""


def first_round(seeds: Sequence[int]) -> list[Meeting]:
    """Return the tables of the first round, from the top of the bracket.

    The best two can meet only in the final, the best four only in the semifinals, and so on. If the
    number is no power of two, the best have byes.
    """
    size = 2
    while size < len(seeds):
        size *= 2
    order = [0]
    while len(order) < size:
        whole = 2 * len(order)
        order = [place for each in order for place in (each, whole - 1 - each)]
    sitting = [seeds[place] if place < len(seeds) else None for place in order]
    return list(zip(sitting[::2], sitting[1::2], strict=True))


def next_round(winners: Sequence[int | None]) -> list[Meeting]:
    """Return the tables of the next round; None stands for a table from which no one advanced."""
    return list(zip(winners[::2], winners[1::2], strict=True))
