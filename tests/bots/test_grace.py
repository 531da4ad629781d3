"""Grace's play: when she minds the reply to her card."""

from games.analysis.arena import chance_move, pack
from games.bots import get
from games.bots.yardsticks import Club, Keen
from games.engine import rules
from games.engine.moves import Discard, Play
from games.engine.state import Ruleset
from games.engine.view import view_for


def test_with_two_seats_grace_minds_replies_in_leads_and_from_a_count_of_eleven() -> None:
    """By the club player's rules of thumb there, otherwise by the keen player's habits."""
    grace, by_rules, by_habit = get("grace"), Club(), Keen()
    differing = {True: 0, False: 0}
    state = rules.start(Ruleset(first_dealer=0))
    while not state.results:
        if rules.chance(state):
            state = rules.apply(state, chance_move(state, pack(31, len(state.hands)))).state
            continue
        seat = rules.waiting(state)[0]
        view = view_for(state, seat)
        if view.legal.action == "discard":
            state = rules.apply(state, Discard(seat, by_rules.discard(view))).state
            continue
        minds = not view.pile or view.count >= 11
        expected, other = (by_rules, by_habit) if minds else (by_habit, by_rules)
        card = grace.play(view)
        assert card == expected.play(view)
        differing[minds] += card != other.play(view)
        state = rules.apply(state, Play(seat, card)).state
    assert min(differing.values()) > 0


def test_with_three_seats_grace_leads_by_habit_and_samples_her_answers() -> None:
    """As the keen player leads, and as the fast house computer answers."""
    grace, keen, sampling = get("grace"), Keen(), get("house-fast")
    differing = {True: 0, False: 0}
    for seed in range(3):
        state = rules.start(Ruleset(players=3, first_dealer=0))
        while not state.hands and not state.results:
            if rules.chance(state):
                state = rules.apply(state, chance_move(state, pack(seed, 1))).state
                continue
            seat = rules.waiting(state)[0]
            view = view_for(state, seat)
            if view.legal.action == "discard":
                state = rules.apply(state, Discard(seat, keen.discard(view))).state
                continue
            leads = not view.pile
            expected, other = (keen, sampling) if leads else (sampling, keen)
            card = grace.play(view)
            assert card == expected.play(view)
            differing[leads] += card != other.play(view)
            state = rules.apply(state, Play(seat, card)).state
    assert min(differing.values()) > 0
