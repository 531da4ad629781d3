"""Fuzzing: any input is a legal move or refused, and never changes the state it is applied to."""

import random
from copy import deepcopy
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import NAMES
from games.engine.illegal import IllegalMove
from games.engine.moves import (
    Claim,
    Cut,
    Deal,
    Discard,
    Move,
    MoveError,
    Muggins,
    Pass,
    Play,
    Resign,
    Starter,
    parse_move,
    to_text,
)
from games.engine.rules import apply
from games.engine.state import Ruleset, State
from tests.support.positions import random_match

RULESETS = [
    Ruleset(games=2),
    Ruleset(players=3, target=61, games=2),
    Ruleset(counting="manual"),
    Ruleset(players=3, counting="manual", muggins=True),
]


@cache
def moments() -> list[State]:
    """Return states of every phase and kind of match: made on first use, always the same."""
    rng = random.Random(7)
    states = []
    for seed, ruleset in enumerate(RULESETS):
        match = list(random_match(ruleset, seed))
        states += [moment.state for moment in rng.sample(match, 12)]
        states += [match[0].state, match[-1].state, match[-1].step.state]
    return states


MOMENTS = 15 * len(RULESETS)


@cache
def before() -> list[State]:
    """Return copies of `moments()` that no test ever passes to the engine."""
    return deepcopy(moments())


cards = st.integers(min_value=0, max_value=51)
seats = st.integers(min_value=-2, max_value=4)
points = st.integers(min_value=-3, max_value=40)
hands = st.lists(cards, max_size=7).map(tuple)
words = st.sampled_from(
    [*NAMES, "-", "--", "0", "1", "2", "discard", "play", "claim", "deal", "cut"]
)

moves: st.SearchStrategy[Move] = st.one_of(
    st.builds(Cut, st.lists(st.none() | cards, max_size=4).map(tuple)),
    st.builds(Deal, st.lists(hands, max_size=4).map(tuple), st.none() | cards),
    st.builds(Starter, cards),
    st.builds(Discard, seats, hands),
    st.builds(Play, seats, cards, st.none() | points),
    st.builds(Claim, seats, points),
    st.builds(Muggins, seats, points),
    st.builds(Pass, seats),
    st.builds(Resign, seats),
)
texts = st.one_of(
    st.text(max_size=60),
    st.binary(max_size=60).map(lambda raw: raw.decode("latin-1")),
    st.lists(words, max_size=8).map(" ".join),
)


@settings(max_examples=400)
@given(texts)
def test_any_text_parses_to_a_move_or_a_move_error(text: str) -> None:
    try:
        move = parse_move(text)
    except MoveError:
        return
    assert parse_move(to_text(move)) == move


@settings(max_examples=600)
@given(st.integers(min_value=0, max_value=MOMENTS - 1), moves)
def test_any_move_is_made_or_refused_and_leaves_its_state_unchanged(at: int, move: Move) -> None:
    expected, state = before()[at], moments()[at]
    try:
        made = apply(state, move).state.sequence
    except IllegalMove:
        made = None
    assert made in (None, state.sequence + 1)
    assert state == expected


def test_no_move_of_a_match_mutates_the_previous_state() -> None:
    for seed, ruleset in enumerate(RULESETS):
        match = list(random_match(ruleset, seed))
        for moment in match[::9]:
            copy = deepcopy(moment.state)
            apply(moment.state, moment.move)
            assert moment.state == copy


def test_every_refusal_has_a_code_and_a_sentence() -> None:
    """Every seat tries every card in many states."""
    refusals = [
        refusal
        for state in moments()[::3]
        for seat in range(-1, 4)
        for card in range(52)
        if (refusal := refused(state, Play(seat, card))) is not None
    ]
    assert all(refusal.code.isidentifier() and len(refusal.detail) > 15 for refusal in refusals)
    codes = {refusal.code for refusal in refusals}
    assert codes >= {"wrong_phase", "not_your_turn", "not_your_card", "claim_required", "bad_seat"}


def refused(state: State, move: Move) -> IllegalMove | None:
    try:
        apply(state, move)
    except IllegalMove as refusal:
        return refusal
    return None
