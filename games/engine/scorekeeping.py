"""Scorekeeping: pegging points, and ending hands, games and the match (rules 5 and 6)."""

from __future__ import annotations

from typing import TypeVar

from games.engine.events import Event, GameWon, MatchOver
from games.engine.fast_replace import evolve
from games.engine.state import GameResult, Phase, Ruleset, State, require

T = TypeVar("T")

SKUNK_LINES: dict[int, tuple[int, int]] = {121: (91, 61), 61: (31, 0)}
"""Target -> (skunked below, double skunked below), in points."""


def add(values: tuple[int, ...], seat: int, points: int) -> tuple[int, ...]:
    """Return ``values`` with ``points`` added at ``seat``."""
    return (*values[:seat], values[seat] + points, *values[seat + 1 :])


def put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Return ``values`` with ``value`` at ``seat``."""
    return (*values[:seat], value, *values[seat + 1 :])


def peg(state: State, seat: int, points: int) -> State:
    """Return the state with ``points`` pegged; the score is capped at the target."""
    if points == 0:
        return state
    score = min(state.scores[seat] + points, state.ruleset.target)
    return evolve(
        state,
        scores=put(state.scores, seat, score),
        trailing=put(state.trailing, seat, state.scores[seat]),
    )


def is_won(state: State) -> bool:
    """Return whether a seat has reached the target."""
    return max(state.scores) >= state.ruleset.target


def skunks(ruleset: Ruleset, scores: tuple[int, ...]) -> tuple[int, ...]:
    """Return 0, 1 (skunked) or 2 (double skunked) per seat for these final scores."""
    if not ruleset.skunks:
        return (0,) * len(scores)
    single, double = SKUNK_LINES[ruleset.target]
    return tuple(2 if score < double else 1 if score < single else 0 for score in scores)


def match_points(ruleset: Ruleset, skunked: tuple[int, ...]) -> int:
    """Return the match points of a win (rule 6.2): 1, and more for each skunked loser."""
    extra = (0, 1, ruleset.double_skunk - 1)
    return 1 + sum(extra[level] for level in skunked)


def finish_hand(state: State) -> State:
    """End the hand; the deal passes to the left."""
    hand = require(state.hand)
    return evolve(
        state,
        phase=Phase.DEAL,
        hand=None,
        hands=(*state.hands, hand),
        dealer=hand.pone,
        count=0,
        pile_start=0,
        gos=(False,) * state.ruleset.players,
        turn=None,
        window=None,
    )


def finish_game(state: State, events: list[Event]) -> State:
    """End the game as soon as a seat reaches the target; later points do not count."""
    ruleset = state.ruleset
    winner = max(range(ruleset.players), key=lambda seat: state.scores[seat])
    skunked = skunks(ruleset, state.scores)
    result = GameResult(winner, state.scores, skunked, match_points(ruleset, skunked))
    events.append(GameWon(state.game, winner, state.scores, skunked, result.points))
    state = evolve(finish_hand(state), results=(*state.results, result))
    if len(state.results) == ruleset.games:
        return finish_match(state, _leader(state), events)
    low = min(state.scores)
    lowest = tuple(seat for seat, score in enumerate(state.scores) if score == low)
    if len(lowest) == 1:
        return evolve(state, phase=Phase.DEAL, dealer=lowest[0])
    return evolve(state, phase=Phase.CUT, dealer=None, cutters=lowest)


def finish_match(state: State, winner: int | None, events: list[Event]) -> State:
    """End the match."""
    events.append(MatchOver(winner, state.match_points))
    return evolve(state, phase=Phase.OVER, winner=winner, turn=None, window=None)


def _leader(state: State) -> int | None:
    """Return the seat with the most match points; None on a tie."""
    points = state.match_points
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None
