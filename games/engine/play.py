"""The play (rule 3): cards in turn, go, thirty-one and last card."""

from __future__ import annotations

from functools import cache

from games.engine.cards import NAMES, PIPS, Card
from games.engine.events import CountEnded, Event, Go, Played
from games.engine.fast_replace import evolve
from games.engine.faults import quoted
from games.engine.illegal import IllegalMove
from games.engine.moves import Play
from games.engine.muggins import MAX_CLAIM, close_window, open_window
from games.engine.pegging import LIMIT, playable, score_play
from games.engine.scorekeeping import add, finish_game, is_won, peg, put
from games.engine.show import begin_show
from games.engine.state import Hand, Phase, State, require

# Equal values are shared between matches: only a few distinct ones exist.
_go = cache(Go)


@cache
def _seat_and_card(seat: int, card: Card) -> tuple[int, Card]:
    return (seat, card)


def play(state: State, move: Play, events: list[Event]) -> State:
    """Play a card and apply its consequences: points, goes, the end of the count, the show."""
    hand = _check(state, move)
    state = close_window(state, events)
    seat, card = move.seat, move.card
    pile = [*(played for _, played in state.pile), card]
    parts = score_play(pile)
    worth = sum(part.points for part in parts)
    points = worth if move.claim is None else min(move.claim, worth)
    count = state.count + PIPS[card]
    hand = evolve(
        hand,
        held=put(hand.held, seat, tuple(other for other in hand.held[seat] if other != card)),
        plays=(*hand.plays, _seat_and_card(seat, card)),
        pegged=add(hand.pegged, seat, points),
    )
    state = peg(evolve(state, hand=hand, count=count), seat, points)
    public_parts = () if state.ruleset.muggins else parts
    events.append(Played(seat, card, count, points, public_parts, move.claim, state.scores))
    if is_won(state):
        return finish_game(state, events)
    state = open_window(state, seat, "play", worth - points)
    return _advance(state, seat, events)


def _check(state: State, move: Play) -> Hand:
    hand = state.hand
    if state.phase is not Phase.PLAY or hand is None:
        raise IllegalMove("wrong_phase.play", phase=str(state.phase))
    if state.turn != move.seat:
        raise IllegalMove("not_your_turn", seat=move.seat, expected_seat=state.turn)
    held = hand.held[move.seat]
    if move.card not in held:
        names = " ".join(NAMES[card] for card in held)
        raise IllegalMove("not_your_card", cards=_name(move.card), held=names)
    if state.count + PIPS[move.card] > LIMIT:
        allowed = " ".join(NAMES[card] for card in playable(held, state.count))
        raise IllegalMove("over_31", cards=NAMES[move.card], count=state.count, allowed=allowed)
    check_claim(state, move.claim)
    return hand


def check_claim(state: State, claim: int | None) -> None:
    """Check a claim of points against the ruleset's counting mode.

    Raises:
        IllegalMove: if the claim is missing, not allowed, or out of range.
    """
    if state.ruleset.counting == "auto":
        if claim is not None:
            raise IllegalMove("claim_not_allowed")
        return
    if claim is None:
        raise IllegalMove("claim_required")
    if type(claim) is not int or not 0 <= claim <= MAX_CLAIM:
        raise IllegalMove("bad_claim", found=quoted(claim), least=0, most=MAX_CLAIM)


def _advance(state: State, last: int, events: list[Event]) -> State:
    """Pass the turn to the next seat after ``last``, which has just played."""
    hand = require(state.hand)
    players = state.ruleset.players
    if state.count == LIMIT:
        events.append(CountEnded(last, "thirty_one", 0, state.scores))
        return _reset(state, last, events)
    gos = state.gos
    for step in range(1, players + 1):
        seat = (last + step) % players
        if playable(hand.held[seat], state.count):
            return evolve(state, turn=seat, gos=gos)
        if hand.held[seat] and seat != last and not gos[seat]:
            gos = put(gos, seat, True)
            events.append(_go(seat, state.count))
    return _end_count(evolve(state, gos=gos), last, events)


def _end_count(state: State, last: int, events: list[Event]) -> State:
    """Give ``last`` the point for go or last card: no seat can play."""
    hand = require(state.hand)
    state = peg(state, last, 1)
    state = evolve(state, hand=evolve(hand, pegged=add(hand.pegged, last, 1)))
    events.append(CountEnded(last, "go" if any(hand.held) else "last_card", 1, state.scores))
    return finish_game(state, events) if is_won(state) else _reset(state, last, events)


def _reset(state: State, last: int, events: list[Event]) -> State:
    """Start a new count, or the show if all cards have been played."""
    hand = require(state.hand)
    players = state.ruleset.players
    state = evolve(state, count=0, pile_start=len(hand.plays), gos=(False,) * players)
    for step in range(1, players + 1):
        seat = (last + step) % players
        if hand.held[seat]:
            return evolve(state, turn=seat)
    return begin_show(evolve(state, phase=Phase.SHOW, turn=None), events)


def _name(card: Card) -> str:
    return NAMES[card] if type(card) is int and 0 <= card < 52 else repr(card)[:12]
