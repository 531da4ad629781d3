"""The interface of the rules: legal moves, and applying a move.

`apply` is a pure function from a state and a move to a new state and the events that the move
causes. A match is the fold of its log: `fold` and `steps`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from games.engine import deal, muggins, play, show
from games.engine.cards import Card
from games.engine.events import Event, Resigned
from games.engine.fast_replace import evolve
from games.engine.faults import quoted
from games.engine.illegal import IllegalMove
from games.engine.moves import (
    Claim,
    Cut,
    Deal,
    Decision,
    Discard,
    Move,
    Muggins,
    Pass,
    Play,
    Resign,
    Starter,
)
from games.engine.pegging import playable
from games.engine.scorekeeping import finish_match
from games.engine.state import GameResult, Phase, Ruleset, State

ChanceKind = Literal["cut", "deal", "starter"]
Action = Literal["discard", "play", "claim", "answer", "wait", "over"]


@dataclass(frozen=True, slots=True)
class Step:
    """The result of a move: the new state, and the events in order."""

    state: State
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal options of a seat.

    Attributes:
        action: what the seat must do; "wait" while others must act, "answer" to pass or call a
            claim at the show.
        cards: the cards that may be discarded or played.
        number: how many cards must be discarded.
        claims: whether a card is played with a claim of points (manual counting).
        muggins: whether missed points may be called.
    """

    action: Action
    cards: tuple[Card, ...] = ()
    number: int = 0
    claims: bool = False
    muggins: bool = False


def start(ruleset: Ruleset) -> State:
    """Return the state of a match before its first move."""
    scores = ruleset.scores or (0,) * ruleset.players
    return State(
        ruleset=ruleset,
        phase=Phase.CUT if ruleset.first_dealer is None else Phase.DEAL,
        cutters=tuple(range(ruleset.players)),
        scores=scores,
        trailing=scores,
        gos=(False,) * ruleset.players,
        dealer=ruleset.first_dealer,
    )


def chance(state: State) -> ChanceKind | None:
    """Return the chance move that is due; None if a seat must act or the match is over."""
    match state.phase:
        case Phase.CUT:
            return "cut"
        case Phase.DEAL:
            return "deal"
        case Phase.STARTER:
            return "starter"
        case _:
            return None


def waiting(state: State) -> tuple[int, ...]:
    """Return the seats that must act now."""
    if state.phase is Phase.DISCARD and state.hand is not None:
        return tuple(seat for seat, thrown in enumerate(state.hand.discards) if not thrown)
    if state.phase is Phase.PLAY and state.turn is not None:
        return (state.turn,)
    if show.in_window(state) and state.window is not None:
        return state.window.asked
    item = show.next_item(state)
    return () if item is None else (item[0],)


def legal(state: State, seat: int) -> Legal:
    """Return the legal options of ``seat``."""
    if state.phase is Phase.OVER:
        return Legal("over")
    window = state.window
    may_call = window is not None and seat in window.asked
    hand = state.hand
    if hand is None or seat not in waiting(state):
        return Legal("wait", muggins=may_call)
    if state.phase is Phase.DISCARD:
        return Legal("discard", hand.held[seat], state.ruleset.thrown)
    if state.phase is Phase.PLAY:
        cards = playable(hand.held[seat], state.count)
        return Legal("play", cards, 1, state.ruleset.counting == "manual", may_call)
    return Legal("answer" if show.in_window(state) else "claim", muggins=may_call)


def legal_moves(state: State, seat: int) -> Iterator[Decision]:
    """Yield every legal move of ``seat``, with claims of every size, except resigning."""
    options = legal(state, seat)
    match options.action:
        case "discard":
            yield from (Discard(seat, some) for some in combinations(options.cards, options.number))
        case "play":
            claims = range(muggins.MAX_CLAIM + 1) if options.claims else (None,)
            yield from (Play(seat, card, claim) for card in options.cards for claim in claims)
        case "claim":
            yield from (Claim(seat, points) for points in range(muggins.MAX_CLAIM + 1))
        case "answer":
            yield Pass(seat)
    if options.muggins:
        yield from (Muggins(seat, points) for points in range(1, muggins.MAX_CLAIM + 1))


def apply(state: State, move: Move) -> Step:
    """Return the result of ``move``; ``state`` itself is not changed.

    Raises:
        IllegalMove: if the rules do not allow the move.
    """
    if state.phase is Phase.OVER:
        raise IllegalMove("match_over")
    if isinstance(move, Decision):
        _check_seat(state, move.seat)
    events: list[Event] = []
    after = _dispatch(state, move, events)
    caused = tuple(events)
    return Step(_logged(after, state.sequence + 1, caused), caused)


def steps(ruleset: Ruleset, moves: Iterable[Move]) -> Iterator[Step]:
    """Yield the result of each move from the start of the match.

    Raises:
        IllegalMove: at the first illegal move; the steps before it have been yielded.
    """
    state = start(ruleset)
    for move in moves:
        step = apply(state, move)
        state = step.state
        yield step


def fold(ruleset: Ruleset, moves: Iterable[Move]) -> State:
    """Return the state after ``moves``.

    Raises:
        IllegalMove: at the first illegal move.
    """
    state = start(ruleset)
    for move in moves:
        state = apply(state, move).state
    return state


def _check_seat(state: State, seat: int) -> None:
    if type(seat) is not int or not 0 <= seat < state.ruleset.players:
        raise IllegalMove("bad_seat", found=quoted(seat), last=state.ruleset.players - 1)


def _dispatch(state: State, move: Move, events: list[Event]) -> State:
    match move:
        case Play():
            return play.play(state, move, events)
        case Discard():
            return deal.discard(state, move, events)
        case Starter():
            return deal.starter(state, move, events)
        case Deal():
            return deal.deal(state, move, events)
        case Cut():
            return deal.cut(state, move, events)
        case Claim():
            return show.claim(state, move, events)
        case Muggins():
            return show.after_window(muggins.call(state, move, events))
        case Pass():
            return show.after_window(muggins.accept(state, move, events))
        case Resign():
            return _resign(state, move, events)


def _logged(state: State, sequence: int, events: tuple[Event, ...]) -> State:
    """Return ``state`` with ``sequence`` set and ``events`` added to the hand they belong to."""
    if state.hand is not None:
        hand = evolve(state.hand, events=state.hand.events + events)
        return evolve(state, sequence=sequence, hand=hand)
    if state.hands:
        last = evolve(state.hands[-1], events=state.hands[-1].events + events)
        return evolve(state, sequence=sequence, hands=(*state.hands[:-1], last))
    return evolve(state, sequence=sequence)


def _resign(state: State, move: Resign, events: list[Event]) -> State:
    if state.ruleset.players != 2:
        raise IllegalMove("cannot_resign")
    winner = 1 - move.seat
    events.append(Resigned(move.seat))
    if len(state.results) < state.game:
        result = GameResult(winner, state.scores, (0, 0), 1)
        state = evolve(state, results=(*state.results, result))
    hands = state.hands if state.hand is None else (*state.hands, state.hand)
    state = evolve(state, hand=None, hands=hands, resigned=move.seat)
    return finish_match(state, winner, events)
