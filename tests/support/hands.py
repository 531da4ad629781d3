"""Random cards, positions and game logs for the analysis tests."""

import random
from collections.abc import Iterator
from dataclasses import replace

from games.analysis.arena import chance_move, pack
from games.bots import get
from games.engine import rules
from games.engine.cards import Card, parse_card, parse_cards
from games.engine.moves import Deal, Discard, Move, Play, Starter
from games.engine.state import Ruleset, State
from games.engine.view import view_for


def some_cards(number: int, times: int, seed: int = 1) -> Iterator[tuple[Card, ...]]:
    """Yield ``times`` draws of ``number`` different cards."""
    rng = random.Random(seed)
    for _ in range(times):
        yield tuple(rng.sample(range(52), number))


def played(
    pone: str,
    dealer: str,
    crib: str,
    starter: str,
    plays: str = "",
    scores: tuple[int, int] = (0, 0),
) -> State:
    """Return a state in the pegging: seat 0 is pone, seat 1 deals; ``plays`` in order."""
    thrown = parse_cards(crib)
    state = replace(rules.start(Ruleset(first_dealer=1)), scores=scores)
    moves: list[Move] = [
        Deal((parse_cards(pone) + thrown[:2], parse_cards(dealer) + thrown[2:])),
        Discard(0, thrown[:2]),
        Discard(1, thrown[2:]),
        Starter(parse_card(starter)),
    ]
    for move in moves:
        state = rules.apply(state, move).state
    for card in parse_cards(plays):
        state = rules.apply(state, Play(rules.waiting(state)[0], card)).state
    return state


def game_log(seed: int, target: int = 61) -> tuple[Ruleset, list[Move], State]:
    """Return a game of the club bot against itself: rules, moves, final state."""
    ruleset = Ruleset(target=target, first_dealer=0)
    state, moves, number = rules.start(ruleset), [], 0
    player = get("club")
    while not state.results:
        kind = rules.chance(state)
        number += kind == "deal"
        move: Move
        if kind is not None:
            move = chance_move(state, pack(seed, number))
        else:
            seat = rules.waiting(state)[0]
            view = view_for(state, seat)
            if view.legal.action == "discard":
                move = Discard(seat, player.discard(view))
            else:
                move = Play(seat, player.play(view))
        moves.append(move)
        state = rules.apply(state, move).state
    return ruleset, moves, state
