"""Muggins (rule 7): a claim stays open for a while, and opponents may take what it left out.

In the play a claim is open until the next card or the first count; nobody waits for it. At the
show every opponent answers, with `Muggins` or `Pass`, before the count goes on: a claim that was
exactly right asks them too, since not asking would tell. A claim above the true count is cut back
to it, which leaves nothing to ask.
"""

from __future__ import annotations

from dataclasses import replace

from games.engine.events import Event, Item, Missed, Mugged
from games.engine.evolve import evolve
from games.engine.illegal import IllegalMove
from games.engine.moves import Muggins, Pass
from games.engine.scorekeeping import add, finish_game, is_won, peg
from games.engine.scoring import MAX_HAND
from games.engine.state import State, Window, known

MAX_CLAIM = MAX_HAND
"""The most points that can be claimed at once."""


def opened(state: State, seat: int, item: Item, missed: int) -> State:
    """Return the state with the claim open to opponents, where muggins is played."""
    if not state.ruleset.muggins:
        return state
    asked = tuple(other for other in range(state.ruleset.players) if other != seat)
    return evolve(state, window=Window(seat, item, missed, asked))


def close_window(state: State, events: list[Event]) -> State:
    """Close the last claim; what it left out and nobody took is told now."""
    window = state.window
    if window is None:
        return state
    if window.missed:
        events.append(Missed(window.seat, window.item, window.missed))
    return evolve(state, window=None)


def call(state: State, move: Muggins, events: list[Event]) -> State:
    """Name missed points: the first to call takes them, at most what was missed."""
    window = _check(state, move.seat)
    if type(move.points) is not int or not 1 <= move.points <= MAX_CLAIM:
        raise IllegalMove("bad_claim", f"{move.points!r} called; 1 to {MAX_CLAIM} can be")
    taken = min(move.points, window.missed)
    state = peg(state, move.seat, taken)
    hand = known(state.hand)
    state = evolve(state, hand=evolve(hand, mugged=add(hand.mugged, move.seat, taken)))
    events.append(Mugged(move.seat, window.seat, window.item, taken, state.scores))
    if is_won(state):
        return finish_game(state, events)
    if taken:
        state = evolve(state, window=replace(window, missed=window.missed - taken))
        return close_window(state, events)
    return _answered(state, window, move.seat, events)


def let_stand(state: State, move: Pass, events: list[Event]) -> State:
    """Let a claim at the show stand."""
    window = _check(state, move.seat)
    if window.item == "play":
        raise IllegalMove("nothing_to_pass", "a claim in the play stands without being passed")
    return _answered(state, window, move.seat, events)


def _check(state: State, seat: int) -> Window:
    window = state.window
    if window is None:
        raise IllegalMove("no_claim_open", "no claim is open to be called")
    if seat not in window.asked:
        raise IllegalMove(
            "not_asked", f"seat {seat} answered seat {window.seat}'s claim; open to {window.asked}"
        )
    return window


def _answered(state: State, window: Window, seat: int, events: list[Event]) -> State:
    asked = tuple(other for other in window.asked if other != seat)
    state = evolve(state, window=replace(window, asked=asked))
    return state if asked else close_window(state, events)
