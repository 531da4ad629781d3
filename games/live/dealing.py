"""Chance moves: cuts, deals and starters, drawn at random or taken from fixed packs."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from games.engine import rules
from games.engine.cards import PACK, Card, parse_cards
from games.engine.moves import Chance, Cut, Deal, Starter, to_text
from games.engine.rules import Step
from games.engine.state import State


class Judged(NamedTuple):
    """A move as text, the state before it, and its result."""

    text: str
    before: State
    step: Step


class _OperatingSystem(random.Random):
    """The operating system's random numbers, fetched for several deals at a time."""

    FETCHED = 256
    """Bytes fetched in one call; a deal takes about 15."""

    def __init__(self) -> None:
        self._bytes = b""
        super().__init__()

    def getrandbits(self, k: int, /) -> int:
        """Return ``k`` fresh random bits."""
        size = (k + 7) // 8
        if len(self._bytes) < size:
            self._bytes = os.urandom(max(size, self.FETCHED))
        taken, self._bytes = self._bytes[:size], self._bytes[size:]
        return int.from_bytes(taken, "big") >> (size * 8 - k)

    def random(self) -> NoReturn:
        """Raise NotImplementedError: drawing cards uses `getrandbits` only."""
        raise NotImplementedError

    def seed(self, *_: object, **__: object) -> None:
        """Do nothing: the operating system's generator cannot be seeded."""


_random = _OperatingSystem()


def draw(state: State, packs: Sequence[str] = ()) -> Chance | None:
    """Return the cut, deal or starter that ``state`` is waiting for; None if there is none.

    Args:
        state: the match.
        packs: if the deals are fixed, one pack for each hand of the first game; hands beyond them
            are dealt at random.
    """
    match rules.chance(state):
        case "cut":
            return _cut(state)
        case "deal":
            return _deal(state, _written(state, packs))
        case "starter":
            return _starter(state, _written(state, packs))
        case None:
            return None


def drawn(state: State, packs: Sequence[str]) -> list[Judged]:
    """Return all cuts, deals and starters that are due before a seat acts, with their results."""
    found = []
    while (move := draw(state, packs)) is not None:
        found.append(Judged(to_text(move), state, rules.apply(state, move)))
        state = found[-1].step.state
    return found


def _cut(state: State) -> Cut:
    cards = iter(_random.sample(PACK, len(state.cutters)))
    seats = range(state.ruleset.players)
    return Cut(tuple(next(cards) if seat in state.cutters else None for seat in seats))


def _written(state: State, packs: Sequence[str]) -> Sequence[Card]:
    """Return the fixed pack of the current hand; empty if it has none."""
    number = len(state.hands) if state.hand is None else state.hand.number - 1
    return parse_cards(packs[number]) if state.game == 1 and number < len(packs) else ()


def _deal(state: State, pack: Sequence[Card]) -> Deal:
    """Deal one card at a time from the dealer's left; with three players, one more to the crib."""
    players, size = state.ruleset.players, state.ruleset.dealt
    # Only the top of a shuffled pack is needed.
    pack = pack or _random.sample(PACK, players * size + (players == 3))
    first = 0 if state.dealer is None else (state.dealer + 1) % players
    hands = tuple(
        tuple(pack[card * players + (seat - first) % players] for card in range(size))
        for seat in range(players)
    )
    return Deal(hands, pack[players * size] if players == 3 else None)


def _starter(state: State, pack: Sequence[Card]) -> Starter:
    """Return the next card of a fixed pack, or a random card that was not dealt."""
    hand = state.hand
    if pack:
        players = state.ruleset.players
        return Starter(pack[players * state.ruleset.dealt + (players == 3)])
    dealt = {card for cards in hand.dealt for card in cards} if hand else set()
    if hand is not None and hand.crib_card is not None:
        dealt.add(hand.crib_card)
    return Starter(_random.choice([card for card in PACK if card not in dealt]))
