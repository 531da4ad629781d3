"""Replay of a finished match step by step, limited to the hands that a viewer may see.

Step *n* is the match after the first *n* entries of its log; *n* equals the version of a view.
`games.archive.access` decides how many hands a viewer may see; replays show all their cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.archive.access import ALL_HANDS
from games.engine import rules
from games.engine.moves import Cut, Deal, Move, parse_move
from games.engine.rules import Step
from games.engine.state import Ruleset, State, require
from games.engine.view import view_for
from games.log import store
from games.models import Match
from games.wire.serializers import Json, event_json, names, view_json

_OF_A_SEAT = frozenset({"seat", "v", "cards", "dealt", "thrown", "legal"})
"""Fields of a view that replays omit: those of a single seat, and the version."""


@dataclass(frozen=True, slots=True)
class HandSteps:
    """The position of one hand in the log.

    Attributes:
        game: number of the game in the match, from 1.
        number: number of the hand in the game, from 1.
        dealer: the seat that dealt it.
        deal: the step after its deal.
        first, last: its first and last step; cuts for deal belong to the hand that follows.
    """

    game: int
    number: int
    dealer: int
    deal: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Replay:
    """The part of a match that a viewer may see.

    Attributes:
        ruleset: its rules.
        moves: the entries of its log.
        steps: the result of each entry; ``steps[n - 1]`` is step *n*.
        hands: the hands in order.
        whole: whether this is the whole match.
    """

    ruleset: Ruleset
    moves: tuple[Move, ...]
    steps: tuple[Step, ...]
    hands: tuple[HandSteps, ...]
    whole: bool

    def state(self, step: int) -> State:
        """Return the state at a step."""
        return self.steps[step - 1].state if step else rules.start(self.ruleset)

    def hand_at(self, step: int) -> HandSteps | None:
        """Return the hand that a step belongs to; None for an unknown step."""
        return next((hand for hand in self.hands if hand.first <= step <= hand.last), None)

    def hand(self, game: int, number: int) -> HandSteps | None:
        """Return a hand by its numbers, or None."""
        wanted = (game, number)
        return next((hand for hand in self.hands if (hand.game, hand.number) == wanted), None)


def load(match: Match, *, hands: int = ALL_HANDS) -> Replay:
    """Return the replay of a match with its first ``hands`` hands, counted over all games."""
    ruleset = Ruleset.from_dict(match.ruleset)
    log = [parse_move(entry.text) for entry in store.whole(match.pk)]
    return fold(ruleset, log, hands=hands)


def fold(ruleset: Ruleset, log: Sequence[Move], *, hands: int = ALL_HANDS) -> Replay:
    """Return the replay of a log with its first ``hands`` hands.

    Raises:
        IllegalMove: if the rules do not allow a move.
    """
    moves = tuple(_visible_moves(log, hands))
    steps = tuple(rules.steps(ruleset, moves))
    return Replay(ruleset, moves, steps, tuple(_hands(moves, steps)), len(moves) == len(log))


def frames(replay: Replay) -> Json:
    """Return all steps as plain values: the start, and the events and changes of each step.

    ``start`` is step 0; each of ``steps`` has its events under ``e`` and its changed fields under
    ``d``. The fields are those of a watcher's view, plus ``held``, ``dealt``, ``thrown`` (a list
    for each seat) and ``crib``, which hold all cards.
    """
    before = start = _frame(rules.start(replay.ruleset))
    steps = []
    for step in replay.steps:
        frame = _frame(step.state)
        changed = {key: value for key, value in frame.items() if value != before[key]}
        steps.append({"e": [event_json(event) for event in step.events], "d": changed})
        before = frame
    return {
        "ruleset": replay.ruleset.to_dict(),
        "whole": replay.whole,
        "hands": [_hand_json(hand) for hand in replay.hands],
        "start": start,
        "steps": steps,
    }


def _visible_moves(log: Sequence[Move], hands: int) -> Iterator[Move]:
    """Yield the log up to the deal of the first hidden hand."""
    dealt = 0
    for move in log:
        dealt += isinstance(move, Deal)
        if dealt > hands:
            return
        yield move


def _hands(moves: tuple[Move, ...], steps: tuple[Step, ...]) -> Iterator[HandSteps]:
    deals = [number for number, move in enumerate(moves, start=1) if isinstance(move, Deal)]
    firsts = [_first_step(moves, deal) for deal in deals]
    ends = [*firsts[1:], len(moves) + 1]
    for deal, first, end in zip(deals, firsts, ends, strict=False):
        hand = require(steps[deal - 1].state.hand)
        yield HandSteps(hand.game, hand.number, hand.dealer, deal, first, end - 1)


def _first_step(moves: tuple[Move, ...], deal: int) -> int:
    """Return the step after the first cut before a deal, or after the deal itself."""
    first = deal
    while first > 1 and isinstance(moves[first - 2], Cut):
        first -= 1
    return first


def _frame(state: State) -> Json:
    """Return a step with all cards, for viewers who may see them."""
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
