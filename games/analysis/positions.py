"""Conversion of a View to the arrays that the kernels work on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.engine.cards import PACK, RANK, Card
from games.engine.scoring import count_hand

if TYPE_CHECKING:
    from games.engine.view import View

Array = NDArray[Any]

FULL = 121
"""The kernels' target score; games to 61 start at 60."""


@dataclass(frozen=True, slots=True)
class PlayPosition:
    """A position in the play with two seats, seen by one of them; role 0 is pone, 1 the dealer.

    `hand[rank]` counts the player's cards; `past` and `who` are the ranks and roles of the cards
    played, and the current count begins with card `start`; `unseen[rank]` counts hidden cards.
    """

    me: int
    hand: Array
    past: Array
    who: Array
    start: int
    number: int
    count: int
    passed: int
    unseen: Array
    theirs: int
    scores: Array
    show: int
    starter: int
    legal: Array


def hidden_from(view: View, known: Collection[Card] = ()) -> list[Card]:
    """Return the cards that the viewing seat has not seen, lowest first.

    ``known`` are cards that it has seen elsewhere, and that are in no one's hand.
    """
    seen = {*known, *view.cards, *view.thrown, *(card for _, card in view.plays)}
    if view.starter is not None:
        seen.add(view.starter)
    return [card for card in PACK if card not in seen]


def by_rank(cards: list[Card] | tuple[Card, ...]) -> Array:
    """Return the number of cards of each rank, shape (13,)."""
    return np.bincount([RANK[card] for card in cards], minlength=13).astype(np.int64)


def play_position(view: View, known: Collection[Card] = ()) -> PlayPosition:
    """Return the position of the seat whose turn it is to play; two seats only.

    ``known`` is as in `hidden_from`.

    Raises:
        ValueError: if it is not the turn of the view's seat to play a card.
    """
    seat, dealer, starter = view.seat, view.dealer, view.starter
    if seat is None or dealer is None or starter is None or view.legal.action != "play":
        raise ValueError("plays can be valued only for the seat that must play a card")
    number = len(view.plays)
    past = np.zeros(9, dtype=np.int64)
    who = np.zeros(9, dtype=np.int64)
    for at, (player, card) in enumerate(view.plays):
        past[at] = RANK[card]
        who[at] = int(player == dealer)
    me = int(seat == dealer)
    other = 1 - seat
    ahead = FULL - view.ruleset.target
    scores = [view.scores[1 - dealer] + ahead, view.scores[dealer] + ahead]
    return PlayPosition(
        me=me,
        hand=by_rank(view.cards),
        past=past,
        who=who,
        start=number - len(view.pile),
        number=number,
        count=view.count,
        passed=1 - me if view.gos[other] else -1,
        unseen=by_rank(hidden_from(view, known)),
        theirs=view.hand_sizes[other],
        scores=np.array(scores, dtype=np.int64),
        show=count_hand((*view.cards, *view.played[seat]), starter),
        starter=RANK[starter],
        legal=np.array(sorted({RANK[card] for card in view.legal.cards}), dtype=np.int64),
    )
