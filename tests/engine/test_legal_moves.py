"""`legal_moves` offers exactly the moves that `apply` accepts."""

import random
from itertools import combinations

import pytest

from games.engine.cards import PACK
from games.engine.illegal import IllegalMove
from games.engine.moves import Claim, Decision, Discard, Muggins, Pass, Play
from games.engine.rules import apply, chance, fold, legal_moves, steps, waiting
from games.engine.state import Phase, Ruleset, State
from tests.support.positions import random_match, random_moves

RULESETS = [
    Ruleset(games=2),
    Ruleset(players=3, target=61),
    Ruleset(counting="manual"),
    Ruleset(counting="manual", muggins=True),
    Ruleset(players=3, counting="manual", muggins=True),
]
IDS = ["two", "three", "manual", "muggins", "muggins three"]


def accepted(state: State, move: Decision) -> bool:
    try:
        apply(state, move)
    except IllegalMove:
        return False
    return True


def in_order(move: Decision) -> Decision:
    """Return the move with its cards sorted: the order of a discard does not matter."""
    return Discard(move.seat, tuple(sorted(move.cards))) if isinstance(move, Discard) else move


def every_decision(state: State, seat: int, rng: random.Random) -> list[Decision]:
    """Return what a seat could try: every card, some claims, some discards."""
    manual = state.ruleset.counting == "manual"
    held = state.hand.held[seat] if state.hand else ()
    pairs = list(combinations(PACK, state.ruleset.thrown))
    return [
        *(Play(seat, card, rng.randrange(30) if manual else None) for card in PACK),
        *(Discard(seat, cards) for cards in rng.sample(pairs, 5)),
        *(Discard(seat, cards) for cards in combinations(held, state.ruleset.thrown)),
        *(Claim(seat, points) for points in (0, 7, 29, 30)),
        *(Muggins(seat, points) for points in (0, 1, 29)),
        Pass(seat),
    ]


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_a_move_is_accepted_if_and_only_if_it_is_offered(ruleset: Ruleset) -> None:
    rng = random.Random(5)
    match = list(random_match(ruleset, 11))
    for moment in rng.sample(match, 40):
        state = moment.state
        for seat in range(ruleset.players):
            offered = {in_order(move) for move in legal_moves(state, seat)}
            tried = {in_order(move) for move in every_decision(state, seat, rng)}
            assert {move for move in tried if accepted(state, move)} == offered & tried
            for move in rng.sample(sorted(offered, key=repr), min(5, len(offered))):
                assert accepted(state, move)


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_every_state_waits_for_chance_or_for_a_seat_with_a_legal_move(
    ruleset: Ruleset,
) -> None:
    for moment in random_match(ruleset, 12):
        state = moment.state
        assert (chance(state) is None) == bool(waiting(state))
        for seat in waiting(state):
            assert next(iter(legal_moves(state, seat)), None) is not None
    over = moment.step.state
    assert (over.phase, chance(over), waiting(over)) == (Phase.OVER, None, ())


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_a_match_is_the_fold_of_its_log(ruleset: Ruleset) -> None:
    moves = random_moves(ruleset, 13)
    last = list(steps(ruleset, moves))[-1].state
    assert fold(ruleset, moves) == last
    assert (last.phase, last.sequence) == (Phase.OVER, len(moves))


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_cards_and_points_add_up_throughout_a_match(ruleset: Ruleset) -> None:
    for moment in random_match(ruleset, 14):
        state = moment.step.state
        assert max(state.scores) <= ruleset.target
        hand = state.hand
        if hand is not None:
            cards = [card for cards in hand.dealt for card in cards]
            cards += [card for card in (hand.crib_card, hand.starter) if card is not None]
            assert len(cards) == len(set(cards))
            assert state.count <= 31
        elif state.hands:
            done = state.hands[-1]
            for seat in range(ruleset.players):
                crib = (done.crib_points or 0) if seat == done.dealer else 0
                gained = done.pegged[seat] + (done.shown[seat] or 0) + crib + done.mugged[seat]
                if moment.state.hand is not None:
                    total = min(done.before[seat] + gained, ruleset.target)
                    assert state.scores[seat] == total


def test_an_illegal_move_in_a_log_keeps_the_steps_before_it() -> None:
    moves = random_moves(Ruleset(), 15)
    going = steps(Ruleset(), [*moves[:20], Pass(0), *moves[20:]])
    before = [next(going).state for _ in range(20)]
    with pytest.raises(IllegalMove):
        next(going)
    assert before[-1] == fold(Ruleset(), moves[:20])
