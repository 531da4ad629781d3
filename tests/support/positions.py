"""Positions, random chance moves and random matches for tests."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count

from games.engine.cards import PACK, parse_card, parse_cards
from games.engine.events import Event
from games.engine.moves import Cut, Deal, Decision, Discard, Move, Play, Starter, parse_move
from games.engine.rules import Step, apply, chance, legal_moves, start, waiting
from games.engine.state import Phase, Ruleset, State

TWO = Ruleset(first_dealer=0)
THREE = Ruleset(players=3, first_dealer=0)
MANUAL = Ruleset(counting="manual", first_dealer=0)
MUGGINS = Ruleset(counting="manual", muggins=True, first_dealer=0)
MUGGINS_THREE = Ruleset(players=3, counting="manual", muggins=True, first_dealer=0)


def before_starter(
    kept: Sequence[str],
    crib: str,
    ruleset: Ruleset = TWO,
    scores: tuple[int, ...] | None = None,
) -> State:
    """Return a first hand with seat 0 as dealer, all discards made, and these scores.

    ``kept`` is each seat's four cards; ``crib`` is the discards seat by seat, followed by the card
    dealt to the crib with three players.
    """
    thrown = parse_cards(crib)
    number = ruleset.thrown
    discards = [thrown[seat * number : (seat + 1) * number] for seat in range(ruleset.players)]
    hands = tuple((*parse_cards(kept[seat]), *discards[seat]) for seat in range(ruleset.players))
    state = start(ruleset)
    if scores is not None:
        state = replace(state, scores=scores)
    state = apply(state, Deal(hands, thrown[3] if ruleset.players == 3 else None)).state
    for seat, cards in enumerate(discards):
        state = apply(state, Discard(seat, cards)).state
    return state


def in_play(
    kept: Sequence[str],
    crib: str,
    starter: str,
    ruleset: Ruleset = TWO,
    scores: tuple[int, ...] | None = None,
) -> State:
    """Return the same as `before_starter`, with the starter turned up."""
    state = before_starter(kept, crib, ruleset, scores)
    return apply(state, Starter(parse_card(starter))).state


def make(state: State, *moves: Move | str) -> tuple[State, list[Event]]:
    """Make moves (or their texts); return the state and all their events."""
    events: list[Event] = []
    for move in moves:
        step = apply(state, parse_move(move) if isinstance(move, str) else move)
        state = step.state
        events.extend(step.events)
    return state, events


def play_cards(state: State, *texts: str) -> tuple[State, list[Event]]:
    """Play cards for the seat whose turn it is: ``5H``, or with a claim ``5H 2``."""
    events: list[Event] = []
    for text in texts:
        state, more = make(state, f"{state.turn} play {text}")
        events += more
    return state, events


def chance_move(state: State, rng: random.Random) -> Move:
    """Return a random chance move."""
    pack = rng.sample(PACK, 52)
    players = state.ruleset.players
    match chance(state):
        case "cut":
            cutters = state.cutters
            return Cut(tuple(pack.pop() if seat in cutters else None for seat in range(players)))
        case "deal":
            hands = [tuple(pack.pop() for _ in range(state.ruleset.dealt)) for _ in range(players)]
            return Deal(tuple(hands), pack.pop() if players == 3 else None)
        case "starter":
            hand = state.hand
            assert hand is not None
            out = {card for cards in hand.dealt for card in cards} | {hand.crib_card}
            return Starter(next(card for card in pack if card not in out))
    raise AssertionError(f"no chance at {state.phase}")


@dataclass(frozen=True)
class Moment:
    """One step of a match: the state before the move, the move, and the resulting step."""

    state: State
    move: Move
    step: Step


def decision(state: State, rng: random.Random) -> Decision:
    """Return a random legal move of a random waiting seat.

    Claims are small, so that there are points to miss.
    """
    seat = rng.choice(waiting(state))
    moves = list(legal_moves(state, seat))
    small = [move for move in moves if not (isinstance(move, Play) and (move.claim or 0) > 3)]
    return rng.choice(small)


def random_match(ruleset: Ruleset, seed: int) -> Iterator[Moment]:
    """Yield the moments of a whole random match; the last ones asked for are remembered."""
    known, rest = _remembered(ruleset, seed)
    for at in count():
        if at == len(known):
            try:
                known.append(next(rest))
            except StopIteration:
                return
            except BaseException:
                _remembered.cache_clear()  # the iterator has ended, the match has not
                raise
        yield known[at]


@lru_cache(maxsize=32)
def _remembered(ruleset: Ruleset, seed: int) -> tuple[list[Moment], Iterator[Moment]]:
    """Return the known moments of a random match, and an iterator over the others."""
    return [], _random_match(ruleset, seed)


def _random_match(ruleset: Ruleset, seed: int) -> Iterator[Moment]:
    rng = random.Random(seed)
    state = start(ruleset)
    while state.phase is not Phase.OVER:
        move = chance_move(state, rng) if chance(state) else decision(state, rng)
        step = apply(state, move)
        yield Moment(state, move, step)
        state = step.state


def random_moves(ruleset: Ruleset, seed: int) -> list[Move]:
    """Return the log of a whole random match."""
    return [moment.move for moment in random_match(ruleset, seed)]
