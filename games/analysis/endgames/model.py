"""An endgame as a game with private cards: the types of both roles and their chances.

The root is a decision in the play with two seats. What is exact, and what is assumed:

- Both roles know the cards played, the starter, the scores and the gos. Their hidden cards are any
  cards consistent with the gos. Every combination is equally likely (prior "even"), or as likely as
  its role keeps these four ranks ("kept", by the table of `games.analysis.opponents.keeps`). Which
  cards were played first says nothing more.
- The discard of the player who decides is known to both. The other discard is any two unseen cards.
- A card played shows its rank, and whether it is the jack of the starter's suit. Suits count
  exactly for nobs, flushes and the crib, but a flush is neither revealed nor ruled out by the suits
  of later cards, and the crib's suits don't depend on a flush.
- After the play both hands and the crib count in order. If nobody is out, the chance to win is that
  of the table of `games.analysis.winning`, which comes from self-play.

A role's *type* is what it holds as symbols (`kernels.SYMBOLS`), with or without a flush.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from games.analysis import winning
from games.analysis.kernels import show
from games.analysis.kernels.endgames import JACK, NOBS, SYMBOLS, joint_ways
from games.analysis.opponents import keeps
from games.engine.cards import PIPS, RANK, SUIT, Card
from games.engine.events import CountEnded, Go, Played
from games.engine.scoring import count_hand
from games.engine.view import View

Array = NDArray[Any]
Prior = Literal["even", "kept"]
PRIORS: tuple[Prior, Prior] = ("even", "kept")


@dataclass(frozen=True, slots=True)
class Side:
    """Public knowledge of one role's cards: those played, the number hidden, and what gos rule out.

    All hidden cards count more than `least` pips (0 if nothing is ruled out).
    """

    played: tuple[Card, ...]
    number: int
    least: int

    @property
    def flush(self) -> int | None:
        """The suit of a possible flush."""
        suits = {SUIT[card] for card in self.played}
        return suits.pop() if len(suits) == 1 and self.number else None


@dataclass(frozen=True, slots=True)
class Kind:
    """One type: cards held by symbol, whether they are exactly the flush, points of the hand."""

    held: tuple[int, ...]
    flush: bool
    points: int


@dataclass(frozen=True, slots=True)
class Endgame:
    """The arrays that `games.analysis.kernels.endgames.grow` needs, and the types of each role.

    `own` is the type of the player who decides, `me` that player's role; `joint` is the chance of
    each pair of types, every combination being equally likely, and `likely[role]` how often the
    role keeps each type's ranks, relative to chance.
    """

    me: int
    own: int
    kinds: tuple[tuple[Kind, ...], tuple[Kind, ...]]
    joint: Array
    likely: tuple[Array, Array]
    hidden: Array
    entries: Array
    shares: Array
    past: Array
    line: Array
    scores: Array
    legal: tuple[int, ...]


def symbol_of(card: Card, starter: Card) -> int:
    """Return a card's symbol."""
    return NOBS if RANK[card] == JACK and SUIT[card] == SUIT[starter] else RANK[card]


def endgame(view: View) -> Endgame:
    """Return the endgame that begins with this decision.

    Raises:
        ValueError: if it is not the turn of the view's seat to play a card, with two seats.
    """
    seat, dealer, starter = view.seat, view.dealer, view.starter
    if seat is None or dealer is None or starter is None or view.legal.action != "play":
        raise ValueError("an endgame begins with the decision of a seat that must play a card")
    if view.ruleset.players != 2:
        raise ValueError("endgames are solved for two seats")
    sides = (_side(view, 1 - dealer), _side(view, dealer))
    seen = {starter, *view.thrown, *(card for _, card in view.plays)}
    deck = [card for card in range(52) if card not in seen]
    hidden = np.bincount([symbol_of(card, starter) for card in deck], minlength=SYMBOLS)
    kinds = (_kinds(sides[0], deck, hidden, starter), _kinds(sides[1], deck, hidden, starter))
    joint = np.zeros((len(kinds[0]), len(kinds[1])))
    joint_ways(
        *_flags(kinds[0]), *_flags(kinds[1]), sides[0].flush == sides[1].flush, hidden, joint
    )
    me = int(seat == dealer)
    held = tuple(np.bincount([symbol_of(card, starter) for card in view.cards], minlength=SYMBOLS))
    points = count_hand((*view.cards, *view.played[seat]), starter)
    own = next(
        at for at, kind in enumerate(kinds[me]) if kind.held == held and kind.points == points
    )
    entries, shares = _cribs(view.thrown, deck, starter)
    past = np.zeros(9, dtype=np.int64)
    past[: len(view.plays)] = [RANK[card] for _, card in view.plays]
    number = len(view.plays)
    ahead = winning.FULL - view.ruleset.target
    return Endgame(
        me=me,
        own=own,
        kinds=kinds,
        joint=joint / joint.sum(),
        likely=(_likely(kinds[0], sides[0], 0), _likely(kinds[1], sides[1], 1)),
        hidden=hidden,
        entries=entries,
        shares=shares,
        past=past,
        line=np.array([number - len(view.pile), number, view.count, me]),
        scores=np.array([view.scores[1 - dealer] + ahead, view.scores[dealer] + ahead]),
        legal=tuple(sorted({symbol_of(card, starter) for card in view.legal.cards})),
    )


def _side(view: View, seat: int) -> Side:
    """Return what the cards and gos say of a seat."""
    least = count = 0
    for event in view.events:
        if isinstance(event, Played):
            count = event.count
        elif (
            isinstance(event, Go | CountEnded)
            and event.seat == seat
            and (isinstance(event, Go) or event.reason == "go")
        ):
            least = max(least, 31 - count)
    return Side(view.played[seat], view.hand_sizes[seat], least)


def _kinds(side: Side, deck: Sequence[Card], hidden: Array, starter: Card) -> tuple[Kind, ...]:
    """Return the types that a role may hold."""
    five = show.five_table()
    fitting = [
        symbol
        for symbol in range(SYMBOLS)
        if hidden[symbol] and PIPS[4 * (JACK if symbol == NOBS else symbol)] > side.least
    ]
    nobs = sum(symbol_of(card, starter) == NOBS for card in side.played)
    found = []
    for some in combinations_with_replacement(fitting, side.number):
        held = np.bincount(some, minlength=SYMBOLS)
        if (held > hidden).any():
            continue
        ranks = [*(JACK if symbol == NOBS else symbol for symbol in some)]
        ranks += [RANK[card] for card in side.played]
        index = show.rank_index(*ranks) + RANK[starter]
        points = int(five[index]) + nobs + int(held[NOBS])
        found.append(Kind(tuple(map(int, held)), False, points))
        if _has_flush(some, side, deck, starter):
            extra = 5 if SUIT[starter] == side.flush else 4
            found.append(Kind(tuple(map(int, held)), True, points + extra))
    return tuple(found)


def _has_flush(some: Sequence[int], side: Side, deck: Sequence[Card], starter: Card) -> bool:
    """Return whether these symbols can all be of the flush's suit."""
    if side.flush is None or len(set(some)) < len(some):
        return False
    cards = [4 * (JACK if symbol == NOBS else symbol) + side.flush for symbol in some]
    return all(
        card in deck and symbol_of(card, starter) == symbol
        for card, symbol in zip(cards, some, strict=True)
    )


def _flags(kinds: Sequence[Kind]) -> tuple[Array, Array]:
    """Return the types' cards, and their flags: see `kernels.joint_ways`."""
    flushes = {kind.held for kind in kinds if kind.flush}
    flags = [2 if kind.flush else int(kind.held in flushes) for kind in kinds]
    return np.array([kind.held for kind in kinds]), np.array(flags)


def _likely(kinds: Sequence[Kind], side: Side, role: int) -> Array:
    """Return how often the role keeps the four ranks of each type, relative to chance."""
    found = np.zeros(len(kinds))
    for at, kind in enumerate(kinds):
        ranks = [RANK[card] for card in side.played]
        for symbol, number in enumerate(kind.held):
            ranks += [JACK if symbol == NOBS else symbol] * number
        found[at] = keeps()[role][show.rank_index(*sorted(ranks)) // 13]
    return found


def _cribs(thrown: Sequence[Card], deck: Sequence[Card], starter: Card) -> tuple[Array, Array]:
    """Return the points of cribs by the symbols of their two hidden cards, with their shares."""
    found: dict[tuple[int, int, int], int] = {}
    pairs: dict[tuple[int, int], int] = {}
    five = show.five_table()
    for at, card in enumerate(deck):
        for other in deck[at + 1 :]:
            crib = np.array(sorted((*thrown, card, other)), dtype=np.int64)
            points = show.count_cards(five, crib, starter, True)
            one, two = sorted((symbol_of(card, starter), symbol_of(other, starter)))
            found[one, two, points] = found.get((one, two, points), 0) + 1
            pairs[one, two] = pairs.get((one, two), 0) + 1
    entries = sorted(found)
    shares = [found[one, two, points] / pairs[one, two] for one, two, points in entries]
    return np.array(entries, dtype=np.int64), np.array(shares)
