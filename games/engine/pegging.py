"""Scoring in the play: the points of the card just played, and the cards that can be played.

The point for go or last card is scored when the count ends, in `games.engine.play`.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.cards import PIPS, RANK, Card
from games.engine.scoring import PAIR_KINDS, Part

LIMIT = 31
"""The highest count."""


def score_play(pile: Sequence[Card]) -> tuple[Part, ...]:
    """Return what the last card of ``pile``, the cards of the current count, scores.

    Fifteen and thirty-one score 2 each; then the longest of pair (2), pair royal (6) and double
    pair royal (12); then the longest run that ends with the card (its length).
    """
    parts: list[Part] = []
    count = sum(PIPS[card] for card in pile)
    if count == 15:
        parts.append(Part("fifteen", tuple(pile), 2))
    elif count == LIMIT:
        parts.append(Part("thirty_one", tuple(pile), 2))
    same = _same_rank(pile)
    if same > 1:
        kind, points = PAIR_KINDS[same]
        parts.append(Part(kind, tuple(pile[-same:]), points))
    length = _run_length(pile)
    if length:
        parts.append(Part("run", tuple(pile[-length:]), length))
    return tuple(parts)


def playable(held: Sequence[Card], count: int) -> tuple[Card, ...]:
    """Return the cards of ``held`` that keep the count at thirty-one or below."""
    return tuple(card for card in held if count + PIPS[card] <= LIMIT)


def _same_rank(pile: Sequence[Card]) -> int:
    rank = RANK[pile[-1]]
    length = 1
    while length < min(4, len(pile)) and RANK[pile[-length - 1]] == rank:
        length += 1
    return length


def _run_length(pile: Sequence[Card]) -> int:
    """Return the length of the longest run among the last cards of ``pile``, or 0."""
    best = 0
    seen = 0
    low = high = RANK[pile[-1]]
    for length, card in enumerate(reversed(pile), start=1):
        rank = RANK[card]
        if seen >> rank & 1:
            break
        seen |= 1 << rank
        low, high = min(low, rank), max(high, rank)
        if length >= 3 and high - low == length - 1:
            best = length
    return best
