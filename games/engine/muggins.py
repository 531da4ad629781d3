"""Muggins (rule 7): opponents may take the points that a claim missed.

In the play, a claim stays open until the next card or the first count, and does not hold up the
game. At the show, every opponent answers with `Muggins` or `Pass` before counting continues; they
are asked after a correct claim too, since not asking would reveal that it was correct. A claim
above the true count is cut back to it and not opened.
"""

from __future__ import annotations

from dataclasses import replace

from games.engine.events import Event, Item, Missed, Mugged
from games.engine.fast_replace import evolve
from games.engine.faults import quoted
from games.engine.illegal import IllegalMove
from games.engine.moves import Muggins, Pass
from games.engine.scorekeeping import add, finish_game, is_won, peg
from games.engine.scoring import MAX_HAND
from games.engine.state import State, Window, require

MAX_CLAIM = MAX_HAND
"""The highest number of points that can be claimed at once."""


def open_window(state: State, seat: int, item: Item, missed: int) -> State:
    """Open the claim to the opponents; without muggins return the state unchanged."""
    if not state.ruleset.muggins:
        return state
    asked = tuple(other for other in range(state.ruleset.players) if other != seat)
    return evolve(state, window=Window(seat, item, missed, asked))


def close_window(state: State, events: list[Event]) -> State:
    """Close the last claim and report the missed points that no opponent took."""
    window = state.window
    if window is None:
        return state
    if window.missed:
        events.append(Missed(window.seat, window.item, window.missed))
    return evolve(state, window=None)


def call(state: State, move: Muggins, events: list[Event]) -> State:
    """Call missed points: the first caller takes them, up to the number missed."""
    window = _check(state, move.seat)
    if type(move.points) is not int or not 1 <= move.points <= MAX_CLAIM:
        raise IllegalMove("bad_claim.muggins", found=quoted(move.points), least=1, most=MAX_CLAIM)
    taken = min(move.points, window.missed)
    state = peg(state, move.seat, taken)
    hand = require(state.hand)
    state = evolve(state, hand=evolve(hand, mugged=add(hand.mugged, move.seat, taken)))
    events.append(Mugged(move.seat, window.seat, window.item, taken, state.scores))
    if is_won(state):
        return finish_game(state, events)
    if taken:
        state = evolve(state, window=replace(window, missed=window.missed - taken))
        return close_window(state, events)
    return _answered(state, window, move.seat, events)


def accept(state: State, move: Pass, events: list[Event]) -> State:
    """Accept a claim at the show."""
    window = _check(state, move.seat)
    if window.item == "play":
        raise IllegalMove("nothing_to_pass")
    return _answered(state, window, move.seat, events)


def _check(state: State, seat: int) -> Window:
    window = state.window
    if window is None:
        raise IllegalMove("no_claim_open")
    if seat not in window.asked:
        raise IllegalMove("not_asked", seat=seat, other_seat=window.seat, asked=window.asked)
    return window


def _answered(state: State, window: Window, seat: int, events: list[Event]) -> State:
    asked = tuple(other for other in window.asked if other != seat)
    state = evolve(state, window=replace(window, asked=asked))
    return state if asked else close_window(state, events)
