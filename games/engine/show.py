"""The show (rule 4): hands and crib are counted in order, by the server or by claims."""

from __future__ import annotations

from games.engine.events import Counted, Event, Item
from games.engine.fast_replace import evolve
from games.engine.faults import quoted
from games.engine.illegal import IllegalMove
from games.engine.moves import Claim
from games.engine.muggins import MAX_CLAIM, close_window, open_window
from games.engine.scorekeeping import finish_game, finish_hand, is_won, peg, put
from games.engine.scoring import count_hand
from games.engine.state import Phase, State, require


def begin_show(state: State, events: list[Event]) -> State:
    """Count all hands if counting is automatic; otherwise leave them for the first claim."""
    if state.ruleset.counting == "manual":
        return state
    while state.phase is Phase.SHOW:
        state = _count(state, None, events)
    return state


def claim(state: State, move: Claim, events: list[Event]) -> State:
    """Count a hand or crib by its owner's claim; a claim that is too high is cut back."""
    item = next_item(state)
    if item is None:
        raise IllegalMove("wrong_phase.claim", phase=str(state.phase))
    if in_window(state):
        raise IllegalMove("claim_open")
    if item[0] != move.seat:
        raise IllegalMove("not_your_turn.claim", seat=move.seat, expected_seat=item[0])
    if type(move.points) is not int or not 0 <= move.points <= MAX_CLAIM:
        raise IllegalMove("bad_claim", found=quoted(move.points), least=0, most=MAX_CLAIM)
    return _count(close_window(state, events), move.points, events)


def next_item(state: State) -> tuple[int, Item] | None:
    """Return the hand or crib to count next, as (seat, item); None outside the show."""
    if state.phase is not Phase.SHOW or state.hand is None:
        return None
    order = state.hand.show_order
    return order[state.hand.counted] if state.hand.counted < len(order) else None


def in_window(state: State) -> bool:
    """Return whether a claim at the show is waiting for the opponents' answers."""
    return state.window is not None and state.window.item != "play"


def after_window(state: State) -> State:
    """End the hand if its last claim has just been closed."""
    done = state.phase is Phase.SHOW and state.window is None and next_item(state) is None
    return finish_hand(state) if done else state


def _count(state: State, claimed: int | None, events: list[Event]) -> State:
    hand = require(state.hand)
    seat, what = require(next_item(state))
    cards = hand.item_cards(seat, what)
    starter = require(hand.starter)
    worth = count_hand(cards, starter, what == "crib")
    points = worth if claimed is None else min(claimed, worth)
    if what == "crib":
        hand = evolve(hand, crib_points=points, counted=hand.counted + 1)
    else:
        hand = evolve(hand, shown=put(hand.shown, seat, points), counted=hand.counted + 1)
    state = peg(evolve(state, hand=hand), seat, points)
    open_to_call = state.ruleset.muggins and claimed is not None and claimed <= worth
    total = None if open_to_call else worth
    events.append(Counted(seat, what, cards, points, total, starter, claimed, state.scores))
    if is_won(state):
        return finish_game(state, events)
    if open_to_call:
        state = open_window(state, seat, what, worth - points)
    return after_window(state)
