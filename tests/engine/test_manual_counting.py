"""Manual counting: players claim their own points."""

import pytest

from games.engine.events import Counted, CountEnded, Missed, Played
from games.engine.illegal import IllegalMove
from games.engine.moves import Claim, Play
from games.engine.rules import apply, legal, legal_moves, waiting
from games.engine.state import Phase, State
from tests.support.positions import MANUAL, in_play, make, play_cards

KEPT = ("THQC8D6S", "9H7C5D3S")
ORDER = ("9H 0", "TH 0", "7C 0", "5D 2", "QC 0", "3S 0", "8D 0", "6S 0")


def at_show(scores: tuple[int, int] = (0, 0)) -> State:
    """Return the show of a hand: pone has 4, the dealer 5, the crib 12; pegged 1 and 2."""
    state = in_play(KEPT, "2H2C4H4C", "9C", MANUAL, scores=scores)
    state, _ = play_cards(state, *ORDER)
    return state


def test_a_card_must_be_played_with_a_claim() -> None:
    state = in_play(KEPT, "2H2C4H4C", "9C", MANUAL)
    assert legal(state, 1).claims
    with pytest.raises(IllegalMove) as caught:
        make(state, "1 play 9H")
    assert caught.value.code == "claim_required"


@pytest.mark.parametrize(("claim", "given"), [(0, 0), (1, 1), (2, 2), (3, 2), (29, 2)])
def test_a_claim_scores_at_most_what_the_card_is_worth(claim: int, given: int) -> None:
    state = in_play(KEPT, "2H2C4H4C", "9C", MANUAL)
    state, _ = play_cards(state, "9H 0", "TH 0", "7C 0")
    state, events = play_cards(state, f"5D {claim}")
    played = events[0]
    assert isinstance(played, Played)
    assert (played.points, played.claimed) == (given, claim)
    assert state.scores == (0, given)


def test_claims_of_thirty_and_negative_claims_are_refused() -> None:
    state = in_play(KEPT, "2H2C4H4C", "9C", MANUAL)
    for points in (30, -1):
        with pytest.raises(IllegalMove) as caught:
            make(state, Play(1, state.hand.held[1][0] if state.hand else 0, points))
        assert caught.value.code == "bad_claim"


def test_the_point_for_go_or_last_card_needs_no_claim() -> None:
    state = in_play(KEPT, "2H2C4H4C", "9C", MANUAL)
    state, events = play_cards(state, *ORDER)
    last = [event for event in events if isinstance(event, CountEnded)][-1]
    assert (last.seat, last.points) == (0, 1)


def test_without_muggins_missed_points_are_lost_without_an_event() -> None:
    state = in_play(KEPT, "2H2C4H4C", "9C", MANUAL)
    state, events = play_cards(state, "9H 0", "TH 0", "7C 0", "5D 0", "QC 0")
    assert not any(isinstance(event, Missed) for event in events)
    assert state.scores == (0, 0)
    assert state.window is None


def test_the_show_waits_for_each_claim_in_turn() -> None:
    state = at_show()
    assert (state.phase, waiting(state)) == (Phase.SHOW, (1,))
    assert legal(state, 1).action == "claim"
    assert legal(state, 0).action == "wait"
    assert list(legal_moves(state, 1)) == [Claim(1, points) for points in range(30)]
    state, events = make(state, "1 claim 4")
    assert isinstance(events[0], Counted)
    assert (events[0].points, events[0].total, events[0].claimed) == (4, 4, 4)
    assert waiting(state) == (0,)
    state, _ = make(state, "0 claim 5")
    assert waiting(state) == (0,)
    state, _ = make(state, "0 claim 12")
    assert (state.phase, state.scores) == (Phase.DEAL, (18, 6))


@pytest.mark.parametrize(("claim", "given"), [(0, 0), (3, 3), (4, 4), (5, 4), (29, 4)])
def test_a_claim_scores_at_most_what_the_hand_is_worth(claim: int, given: int) -> None:
    state, events = make(at_show(), f"1 claim {claim}")
    assert state.scores == (1, 2 + given)
    counted = events[0]
    assert isinstance(counted, Counted)
    assert (counted.points, counted.total, counted.claimed) == (given, 4, claim)
    assert counted.parts  # without muggins all players may see what was missed


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0 claim 5", "not_your_turn"),
        ("1 claim 30", "bad_claim"),
        ("1 play 9H 0", "wrong_phase"),
        ("1 pass", "no_claim_open"),
        ("0 muggins 2", "no_claim_open"),
        ("3 claim 2", "bad_seat"),
    ],
)
def test_only_the_awaited_claim_is_accepted_at_the_show(text: str, code: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        make(at_show(), text)
    assert caught.value.code == code


def test_a_claim_is_at_least_nothing() -> None:
    with pytest.raises(IllegalMove) as caught:
        apply(at_show(), Claim(1, -1))
    assert caught.value.code == "bad_claim"


def test_a_claim_can_win() -> None:
    state, _ = make(at_show((100, 116)), "1 claim 3")
    assert (state.winner, state.scores) == (1, (101, 121))


def test_points_not_claimed_do_not_win() -> None:
    state, _ = make(at_show((100, 116)), "1 claim 2")
    assert (state.phase, state.scores) == (Phase.SHOW, (101, 120))
