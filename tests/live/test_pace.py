"""The pace of computers: like a person's, and no hint at hidden cards."""

import random

from games.analysis.arena import chance_move, pack
from games.bots import get
from games.engine import rules
from games.engine.moves import Discard, Play
from games.engine.state import Phase, Ruleset, State
from games.engine.view import resample, view_for
from games.live import pace


def positions() -> list[tuple[State, int]]:
    """Return the decisions in the play of one hand between two computers, with the seat's."""
    player = get("alfie")
    state = rules.start(Ruleset(first_dealer=0))
    found = []
    while not state.hands:
        if rules.chance(state):
            state = rules.apply(state, chance_move(state, pack(5, 1))).state
            continue
        seat = rules.waiting(state)[0]
        view = view_for(state, seat)
        if state.phase is Phase.DISCARD:
            state = rules.apply(state, Discard(seat, player.discard(view))).state
        else:
            found.append((state, seat))
            state = rules.apply(state, Play(seat, player.play(view))).state
    return found


def takes(state: State, seat: int, *, pause: float = 0.7, chance: float = 0.5) -> float:
    """Return the seconds for a decision."""
    return pace.seconds(view_for(state, None), seat, pause=pause, chance=chance)


def test_a_lead_takes_longer_than_an_answer_and_the_last_card_least() -> None:
    lead, answer, *_, last = [takes(*position) for position in positions()]
    assert last < answer < lead


def test_the_pace_tells_nothing_about_hidden_cards() -> None:
    rng = random.Random(3)
    changed = 0
    for state, seat in positions():
        watched = resample(state, None, rng)
        changed += watched != state
        assert takes(watched, seat) == takes(state, seat)
    assert changed > 2, "the hidden cards must really have changed"


def test_chance_varies_the_pace_within_its_limit() -> None:
    for state, seat in positions():
        assert takes(state, seat, chance=0.0) < takes(state, seat, chance=0.9)
        assert takes(state, seat, pause=1.5, chance=0.99) <= pace.LONGEST


def test_without_a_pause_computers_move_at_once() -> None:
    assert {takes(*position, pause=0.0) for position in positions()} == {0.0}
