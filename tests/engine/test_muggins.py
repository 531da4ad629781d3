"""Muggins: points missing from a claim go to the opponent who calls them first."""

import pytest

from games.engine.events import Counted, Missed, Mugged, Played
from games.engine.illegal import IllegalMove
from games.engine.moves import Muggins, Pass
from games.engine.rules import legal, legal_moves, waiting
from games.engine.state import Phase, State
from tests.support.positions import MUGGINS, MUGGINS_THREE, in_play, make, play_cards

KEPT = ("THQC8D6S", "9H7C5D3S")
KEPT_THREE = ("9HKSQDJD", "KHTCTD8D", "KDTS9S7S")
ORDER = ("9H 0", "TH 0", "7C 0", "5D 2", "QC 0", "3S 0", "8D 0", "6S 0")


def missed_thirty_one(scores: tuple[int, int] = (0, 0)) -> State:
    """Return the state after seat 1 made thirty-one and claimed nothing; seat 0 leads."""
    state = in_play(KEPT, "2H2C4H4C", "9C", MUGGINS, scores=scores)
    state, _ = play_cards(state, "9H 0", "TH 0", "7C 0", "5D 0")
    return state


def at_show(scores: tuple[int, int] = (0, 0)) -> State:
    """Return the show: pone has 4, the dealer 5, the crib 12; pegged 1 and 2."""
    state = in_play(KEPT, "2H2C4H4C", "9C", MUGGINS, scores=scores)
    state, _ = play_cards(state, *ORDER)
    return state


# The pegging.


def test_points_missed_in_the_pegging_can_be_called() -> None:
    state, events = make(missed_thirty_one(), "0 muggins 2")
    assert events == [Mugged(0, 1, "play", 2, (2, 0))]
    assert state.scores == (2, 0)
    assert state.window is None
    assert state.turn == 0


def test_a_call_scores_at_most_what_was_missed() -> None:
    state, events = make(missed_thirty_one(), "0 muggins 29")
    assert events == [Mugged(0, 1, "play", 2, (2, 0))]
    assert state.hand is not None
    assert state.hand.mugged == (2, 0)


def test_points_left_out_of_a_call_are_lost() -> None:
    state, events = make(missed_thirty_one(), "0 muggins 1")
    assert events == [Mugged(0, 1, "play", 1, (1, 0)), Missed(1, "play", 1)]
    with pytest.raises(IllegalMove) as caught:
        make(state, "0 muggins 1")
    assert caught.value.code == "no_claim_open"


def test_a_wrong_call_scores_nothing_and_cannot_be_repeated() -> None:
    state = in_play(KEPT, "2H2C4H4C", "9C", MUGGINS)
    state, _ = play_cards(state, "9H 0")
    state, events = make(state, "0 muggins 2")
    assert events == [Mugged(0, 1, "play", 0, (0, 0))]
    with pytest.raises(IllegalMove):
        make(state, "0 muggins 2")
    assert state.turn == 0


def test_the_next_card_closes_the_window_and_reveals_the_missed_points() -> None:
    state, events = play_cards(missed_thirty_one(), "QC 0")
    assert events[0] == Missed(1, "play", 2)
    assert isinstance(events[1], Played)
    assert state.scores == (0, 0)


def test_players_cannot_call_muggins_on_themselves() -> None:
    with pytest.raises(IllegalMove) as caught:
        make(missed_thirty_one(), "1 muggins 2")
    assert caught.value.code == "not_asked"


def test_there_is_nothing_to_pass_in_the_pegging() -> None:
    with pytest.raises(IllegalMove) as caught:
        make(missed_thirty_one(), "0 pass")
    assert caught.value.code == "nothing_to_pass"


@pytest.mark.parametrize("points", [0, 30])
def test_a_call_of_zero_or_thirty_points_is_refused(points: int) -> None:
    with pytest.raises(IllegalMove) as caught:
        make(missed_thirty_one(), f"0 muggins {points}")
    assert caught.value.code == "bad_claim"


def test_muggins_in_the_pegging_can_win() -> None:
    state, events = make(missed_thirty_one((119, 100)), "0 muggins 2")
    assert (state.phase, state.winner, state.scores) == (Phase.OVER, 0, (121, 100))
    assert events[0] == Mugged(0, 1, "play", 2, (121, 100))


def test_an_excessive_claim_leaves_nothing_to_call() -> None:
    state = in_play(KEPT, "2H2C4H4C", "9C", MUGGINS)
    state, _ = play_cards(state, "9H 5")
    assert state.scores == (0, 0)
    state, events = make(state, "0 muggins 5")
    assert events == [Mugged(0, 1, "play", 0, (0, 0))]


def test_with_muggins_a_played_card_does_not_reveal_its_points() -> None:
    state = in_play(KEPT, "2H2C4H4C", "9C", MUGGINS)
    state, _ = play_cards(state, "9H 0", "TH 0", "7C 0")
    _, events = play_cards(state, "5D 0")
    assert isinstance(events[0], Played)
    assert (events[0].points, events[0].parts) == (0, ())


def test_heels_cannot_be_called() -> None:
    state = in_play(KEPT, "2H2C4H4C", "JC", MUGGINS)
    assert state.scores == (2, 0)
    with pytest.raises(IllegalMove) as caught:
        make(state, "1 muggins 2")
    assert caught.value.code == "no_claim_open"


def test_the_seat_whose_turn_it_is_may_play_or_call() -> None:
    state = missed_thirty_one()
    options = legal(state, 0)
    assert (options.action, options.muggins, options.claims) == ("play", True, True)
    assert Muggins(0, 2) in list(legal_moves(state, 0))
    assert not legal(state, 1).muggins


def test_the_last_card_can_be_called_until_the_first_count() -> None:
    state = in_play(("THJC9D2S", "KHQCASTD"), "5H5C6H6C", "7C", MUGGINS)
    order = ("KH 0", "TH 0", "QC 0", "AS 2", "JC 0", "TD 0", "9D 3", "2S 0")
    state, _ = play_cards(state, *order)
    assert (state.phase, waiting(state)) == (Phase.SHOW, (1,))
    called, events = make(state, "1 muggins 2")
    assert events == [Mugged(1, 0, "play", 2, (3, 4))]
    assert waiting(called) == (1,)
    _, events = make(state, "1 claim 0")
    assert events[0] == Missed(0, "play", 2)
    assert isinstance(events[1], Counted)


# The show.


def test_a_claim_at_the_show_waits_for_the_opponents_answer() -> None:
    state, events = make(at_show(), "1 claim 2")
    counted = events[0]
    assert isinstance(counted, Counted)
    assert (counted.points, counted.total, counted.parts) == (2, None, ())
    assert waiting(state) == (0,)
    assert legal(state, 0).action == "answer"
    assert legal(state, 1).action == "wait"
    assert list(legal_moves(state, 0)) == [Pass(0), *(Muggins(0, n) for n in range(1, 30))]
    with pytest.raises(IllegalMove) as caught:
        make(state, "0 claim 5")
    assert caught.value.code == "claim_open"


def test_a_correct_claim_also_waits_so_that_nothing_is_revealed() -> None:
    state, _ = make(at_show(), "1 claim 4")
    assert waiting(state) == (0,)
    state, events = make(state, "0 pass")
    assert events == []
    assert waiting(state) == (0,)
    assert legal(state, 0).action == "claim"


def test_an_excessive_claim_is_reduced_and_waits_for_no_answer() -> None:
    state, events = make(at_show(), "1 claim 10")
    counted = events[0]
    assert isinstance(counted, Counted)
    assert (counted.points, counted.total, counted.claimed) == (4, 4, 10)
    assert counted.parts
    assert legal(state, 0).action == "claim"


def test_missed_points_at_the_show_go_to_the_caller() -> None:
    state, _ = make(at_show(), "1 claim 1")
    state, events = make(state, "0 muggins 3")
    assert events == [Mugged(0, 1, "hand", 3, (4, 3))]
    assert waiting(state) == (0,)
    assert legal(state, 0).action == "claim"


def test_missed_points_that_are_not_called_are_lost_and_revealed() -> None:
    state, _ = make(at_show(), "1 claim 1")
    state, events = make(state, "0 pass")
    assert events == [Missed(1, "hand", 3)]
    assert state.scores == (1, 3)


def test_a_wrong_call_at_the_show_counts_as_the_answer() -> None:
    state, _ = make(at_show(), "1 claim 4")
    state, events = make(state, "0 muggins 2")
    assert events == [Mugged(0, 1, "hand", 0, (1, 6))]
    assert legal(state, 0).action == "claim"


def test_the_crib_can_be_called_and_the_hand_ends_afterwards() -> None:
    state, _ = make(at_show(), "1 claim 4", "0 pass", "0 claim 5", "1 pass", "0 claim 2")
    assert waiting(state) == (1,)
    state, events = make(state, "1 muggins 10")
    assert events == [Mugged(1, 0, "crib", 10, (8, 16))]
    assert state.phase is Phase.DEAL
    hand = state.hands[-1]
    assert (hand.mugged, hand.crib_points, hand.shown) == ((0, 10), 2, (5, 4))


def test_passing_on_the_crib_ends_the_hand() -> None:
    state, _ = make(at_show(), "1 claim 4", "0 pass", "0 claim 5", "1 pass", "0 claim 2")
    state, events = make(state, "1 pass")
    assert events == [Missed(0, "crib", 10)]
    assert state.phase is Phase.DEAL


def test_muggins_at_the_show_can_win_before_the_next_count() -> None:
    state, _ = make(at_show((116, 100)), "1 claim 0")
    state, events = make(state, "0 muggins 4")
    assert (state.winner, state.scores) == (0, (121, 102))
    assert events[0] == Mugged(0, 1, "hand", 4, (121, 102))


def test_a_winning_claim_waits_for_no_answer() -> None:
    state, _ = make(at_show((100, 118)), "1 claim 1")
    assert (state.phase, state.winner, state.window) == (Phase.OVER, 1, None)


# Three players.


def three_at_play() -> State:
    state = in_play(KEPT_THREE, "5H5C6H6C", "7C", MUGGINS_THREE)
    state, _ = play_cards(state, "KH 0", "KD 0")
    return state


def test_with_three_players_the_first_caller_gets_the_points() -> None:
    state, events = make(three_at_play(), "1 muggins 2")
    assert events == [Mugged(1, 2, "play", 2, (0, 2, 0))]
    with pytest.raises(IllegalMove):
        make(state, "0 muggins 2")


def test_with_three_players_a_wrong_call_leaves_the_chance_to_the_third() -> None:
    state = in_play(KEPT_THREE, "5H5C6H6C", "7C", MUGGINS_THREE)
    state, _ = play_cards(state, "KH 0")
    state, _ = make(state, "0 muggins 2")
    assert state.window is not None
    assert state.window.asked == (2,)
    with pytest.raises(IllegalMove) as caught:
        make(state, "0 muggins 2")
    assert caught.value.code == "not_asked"


def test_with_three_players_the_show_waits_for_both_answers_in_any_order() -> None:
    state = three_at_play()
    order = ("9H 0", "TC 0", "TS 2", "KS 0", "TD 0", "9S 0", "QD 0", "8D 0", "7S 0", "JD 0")
    state, _ = play_cards(state, *order)
    state, _ = make(state, "1 claim 0")
    assert waiting(state) == (0, 2)
    one, _ = make(state, "2 pass", "0 pass")
    other, _ = make(state, "0 pass", "2 pass")
    assert waiting(one) == waiting(other) == (2,)
    called, _ = make(state, "0 muggins 1")
    assert waiting(called) == (2,)
    assert legal(called, 2).action == "claim"
