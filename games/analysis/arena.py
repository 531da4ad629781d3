"""Games between computer players on fixed deals, refereed by the engine.

Each pair of games (three games with three seats) is played on the same packs with the players
moved by one seat, so that the luck of the deal cancels out. The results depend on the seed only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from games.engine import rules
from games.engine.cards import Card
from games.engine.moves import Deal, Discard, Move, Play, Starter
from games.engine.state import GameResult, Hand, Ruleset, State
from games.engine.view import View, view_for

MASK = (1 << 64) - 1


class ArenaPlayer(Protocol):
    """The methods of a player that the arena calls; see `games.bots.player.Player`."""

    def discard(self, view: View) -> tuple[Card, ...]:
        """Return the cards to discard."""

    def play(self, view: View) -> Card:
        """Return the card to play."""


Clock = Callable[[], float]
"""A clock: returns seconds."""


@dataclass(frozen=True, slots=True)
class TimedDecision:
    """One decision of a player: its kind ("discard" or "play") and its duration in seconds."""

    seat: int
    kind: str
    seconds: float


@dataclass(slots=True)
class Record:
    """One finished game: result, hands (the last is incomplete), target and timed decisions."""

    result: GameResult
    hands: tuple[Hand, ...]
    target: int = 121
    decisions: list[TimedDecision] = field(default_factory=list)


def pack(seed: int, deal: int) -> list[Card]:
    """Return the pack of one deal, shuffled with splitmix64; the same on every Python version."""
    state = _finish((seed & MASK) * 0x9E3779B97F4A7C15 + deal * 0xD1B54A32D192ED03)
    cards = list(range(52))
    for at in range(51, 0, -1):
        state = (state + 0x9E3779B97F4A7C15) & MASK
        other = _finish(state) % (at + 1)
        cards[at], cards[other] = cards[other], cards[at]
    return cards


def _finish(value: int) -> int:
    value &= MASK
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & MASK
    return value ^ value >> 31


def chance_move(state: State, cards: Sequence[Card]) -> Move:
    """Return the deal or starter from this hand's pack; pone's cards come first."""
    players = state.ruleset.players
    dealt = state.ruleset.dealt
    if rules.chance(state) == "starter":
        return Starter(cards[players * dealt + players - 2])
    dealer = state.dealer or 0
    hands: list[tuple[Card, ...]] = [()] * players
    for place in range(players):
        seat = (dealer + 1 + place) % players
        hands[seat] = tuple(cards[dealt * place : dealt * (place + 1)])
    return Deal(tuple(hands), cards[players * dealt] if players == 3 else None)


def play_game(
    players: Sequence[ArenaPlayer],
    packs: Callable[[int], Sequence[Card]],
    *,
    target: int = 121,
    first_dealer: int = 0,
    clock: Clock = lambda: 0.0,
) -> Record:
    """Play one game; ``packs(n)`` is the pack of the n-th hand, from 1.

    Raises:
        IllegalMove: if a player makes an illegal move.
    """
    state = rules.start(
        Ruleset(players=len(players), target=target, games=1, first_dealer=first_dealer)
    )
    decisions: list[TimedDecision] = []
    number = 0
    cards: Sequence[Card] = ()
    while not state.results:
        kind = rules.chance(state)
        if kind is not None:
            if kind == "deal":
                number += 1
                cards = packs(number)
            state = rules.apply(state, chance_move(state, cards)).state
            continue
        seat = rules.waiting(state)[0]
        view = view_for(state, seat)
        started = clock()
        if view.legal.action == "discard":
            move: Move = Discard(seat, players[seat].discard(view))
        else:
            move = Play(seat, players[seat].play(view))
        decisions.append(TimedDecision(seat, view.legal.action, clock() - started))
        state = rules.apply(state, move).state
    return Record(state.results[0], state.hands, target, decisions)
