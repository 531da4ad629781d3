"""A finished match step by step: what its log led to, cut to the hands that a reader may see.

Step *n* is the match after the first *n* entries of its log, the same number as a view's version.
Who may see how many hands is for `games.access` to say; what is made here shows all cards of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games import store
from games.access import ALL_HANDS
from games.engine import rules
from games.engine.moves import Cut, Deal, Move, parse_move
from games.engine.rules import Step
from games.engine.state import Ruleset, State, known
from games.engine.view import view_for
from games.models import Match
from games.wire import Json, event_json, names, view_json

_OF_A_SEAT = frozenset({"seat", "v", "cards", "dealt", "thrown", "legal"})
"""Fields of a view that belong to one seat or to its version; all seats' cards stand for them."""


@dataclass(frozen=True, slots=True)
class HandSteps:
    """Where one hand is in the log.

    Attributes:
        game, number: which game of the match, which hand of the game, from 1.
        dealer: the seat that dealt it.
        deal: the step after its deal.
        first, last: its steps; those of the cut for deal belong to the hand that follows it.
    """

    game: int
    number: int
    dealer: int
    deal: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Replay:
    """A match as far as a reader may see it.

    Attributes:
        ruleset: its rules.
        moves: the entries of its log.
        steps: what each of them led to; ``steps[n - 1]`` is step *n*.
        hands: the hands in order.
        whole: whether that is all there is.
    """

    ruleset: Ruleset
    moves: tuple[Move, ...]
    steps: tuple[Step, ...]
    hands: tuple[HandSteps, ...]
    whole: bool

    def state(self, step: int) -> State:
        """Return the match at a step."""
        return self.steps[step - 1].state if step else rules.start(self.ruleset)

    def hand_at(self, step: int) -> HandSteps | None:
        """Return the hand to which a step belongs; None where there is no such step."""
        return next((hand for hand in self.hands if hand.first <= step <= hand.last), None)

    def hand(self, game: int, number: int) -> HandSteps | None:
        """Return a hand by its numbers; None where there is none."""
        wanted = (game, number)
        return next((hand for hand in self.hands if (hand.game, hand.number) == wanted), None)


def load(match: Match, *, hands: int = ALL_HANDS) -> Replay:
    """Return a match with its first ``hands`` hands, of all its games together."""
    ruleset = Ruleset.from_dict(match.ruleset)
    log = [parse_move(entry.text) for entry in store.whole(match.pk)]
    return fold(ruleset, log, hands=hands)


def fold(ruleset: Ruleset, log: Sequence[Move], *, hands: int = ALL_HANDS) -> Replay:
    """Return what a log leads to, with its first ``hands`` hands.

    Raises:
        IllegalMove: when the rules do not allow a move.
    """
    moves = tuple(_cut_off(log, hands))
    steps = tuple(rules.steps(ruleset, moves))
    return Replay(ruleset, moves, steps, tuple(_hands(moves, steps)), len(moves) == len(log))


def frames(replay: Replay) -> Json:
    """Return all steps as plain values: the start, and of each step what happened and changed.

    ``start`` is step 0; each of ``steps`` has the events ``e`` and under ``d`` those fields that
    differ from the step before. The fields are those of a watcher's view, and ``held``, ``dealt``,
    ``thrown`` (a list for each seat) and ``crib`` with all cards.
    """
    before = start = _frame(rules.start(replay.ruleset))
    told = []
    for step in replay.steps:
        frame = _frame(step.state)
        changed = {key: value for key, value in frame.items() if value != before[key]}
        told.append({"e": [event_json(event) for event in step.events], "d": changed})
        before = frame
    return {
        "ruleset": replay.ruleset.to_dict(),
        "whole": replay.whole,
        "hands": [_hand_json(hand) for hand in replay.hands],
        "start": start,
        "steps": told,
    }


def _cut_off(log: Sequence[Move], hands: int) -> Iterator[Move]:
    """Yield the log up to the deal of the first hand that is not to be seen."""
    dealt = 0
    for move in log:
        dealt += isinstance(move, Deal)
        if dealt > hands:
            return
        yield move


def _hands(moves: tuple[Move, ...], steps: tuple[Step, ...]) -> Iterator[HandSteps]:
    deals = [number for number, move in enumerate(moves, start=1) if isinstance(move, Deal)]
    firsts = [_first(moves, deal) for deal in deals]
    ends = [*firsts[1:], len(moves) + 1]
    for deal, first, end in zip(deals, firsts, ends, strict=False):
        hand = known(steps[deal - 1].state.hand)
        yield HandSteps(hand.game, hand.number, hand.dealer, deal, first, end - 1)


def _first(moves: tuple[Move, ...], deal: int) -> int:
    """Return the step after the first of the cuts that led to a deal, or after the deal itself."""
    first = deal
    while first > 1 and isinstance(moves[first - 2], Cut):
        first -= 1
    return first


def _frame(state: State) -> Json:
    """Return a step with all cards; only for those who may see them."""
    view = view_json(view_for(state, None))
    data: dict[str, Any] = {key: value for key, value in view.items() if key not in _OF_A_SEAT}
    hand = state.hand
    nothing: list[list[str]] = [[] for _ in range(state.ruleset.players)]
    data["held"] = nothing if hand is None else [names(cards) for cards in hand.held]
    data["dealt"] = nothing if hand is None else [names(cards) for cards in hand.dealt]
    data["thrown"] = nothing if hand is None else [names(cards) for cards in hand.discards]
    data["crib"] = [] if hand is None else names(hand.crib)
    return data


def _hand_json(hand: HandSteps) -> Json:
    return {
        "game": hand.game,
        "hand": hand.number,
        "dealer": hand.dealer,
        "deal": hand.deal,
        "first": hand.first,
        "last": hand.last,
    }
