"""Pegging: turns, go, thirty-one, last card, and the game ending at the winning point."""

import pytest

from games.engine.cards import parse_card
from games.engine.events import Counted, CountEnded, Event, GameWon, Go, Played
from games.engine.illegal import IllegalMove
from games.engine.rules import legal
from games.engine.state import Phase
from tests.support.positions import THREE, in_play, make, play_cards

HIGH = ("THJC9D8S", "KHQCAS5D")
CRIB = "2H2C3H3C"


def ends(events: list[Event]) -> list[CountEnded]:
    return [event for event in events if isinstance(event, CountEnded)]


def gos(events: list[Event]) -> list[Go]:
    return [event for event in events if isinstance(event, Go)]


def test_pone_leads_and_only_the_seat_whose_turn_it_is_may_play() -> None:
    state = in_play(HIGH, CRIB, "7C")
    assert state.turn == 1
    assert legal(state, 0).action == "wait"
    with pytest.raises(IllegalMove) as caught:
        make(state, "0 play TH")
    assert caught.value.code == "not_your_turn"


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("1 play TH", "not_your_card", "TH is not held"),
        ("1 play 2S", "not_your_card", "2S is not held"),
        ("1 play KH 0", "claim_not_allowed", "the server counts"),
        ("0 discard THJC", "wrong_phase", "the phase is play"),
        ("1 claim 2", "wrong_phase", "the phase is play"),
        ("- starter 7D", "wrong_phase", "the phase is play"),
        ("- cut 7D 8C", "wrong_phase", "the phase is play"),
        ("1 muggins 2", "no_claim_open", "there is no open claim"),
    ],
)
def test_illegal_moves_are_refused_with_a_reason(text: str, code: str, message: str) -> None:
    with pytest.raises(IllegalMove, match=message) as caught:
        make(in_play(HIGH, CRIB, "7C"), text)
    assert caught.value.code == code


def test_matches_share_their_played_cards() -> None:
    """A process holds thousands of matches, and there are only some hundred such pairs."""
    one, two = (play_cards(in_play(HIGH, CRIB, "7C"), "KH")[0] for _ in range(2))
    assert one.pile[0] is two.pile[0]


def test_a_card_over_thirty_one_is_refused_and_playable_cards_are_listed() -> None:
    state, _ = play_cards(in_play(HIGH, CRIB, "7C"), "KH", "TH", "5D")
    assert (state.count, state.turn) == (25, 1)  # seat 0 has said go
    with pytest.raises(IllegalMove, match="QC on 25 would exceed 31; playable: AS") as caught:
        make(state, "1 play QC")
    assert caught.value.code == "over_31"
    assert legal(state, 1).cards == (parse_card("AS"),)


def test_after_a_go_the_other_player_continues_alone() -> None:
    state, events = play_cards(in_play(HIGH, CRIB, "7C"), "KH", "TH", "5D", "AS")
    assert gos(events) == [Go(0, 25)]
    assert ends(events) == [CountEnded(1, "go", 1, (0, 1))]
    assert (state.count, state.pile, state.turn) == (0, (), 0)


def test_a_go_is_announced_once_per_count() -> None:
    kept = ("KHKCQD9S", "KSAC2S3D")
    state, events = play_cards(in_play(kept, CRIB, "7C"), "KS", "KH", "3D", "2S", "AC")
    assert gos(events) == [Go(0, 23)]
    assert ends(events) == [CountEnded(1, "go", 1, (2, 4))]
    assert state.turn == 0


def test_thirty_one_scores_two_in_total() -> None:
    kept = ("THJC9D8S", "KHQCAS5D")
    state, events = play_cards(in_play(kept, CRIB, "7C"), "KH", "JC", "QC", "AS")
    last = [event for event in events if isinstance(event, Played)][-1]
    assert (last.count, last.points) == (31, 2)
    assert ends(events) == [CountEnded(1, "thirty_one", 0, last.scores)]
    assert (state.count, state.turn) == (0, 0)


def test_the_last_player_leads_again_when_the_other_has_no_cards() -> None:
    kept = ("THJC9D8S", "KHQCASTD")
    state, events = play_cards(in_play(kept, CRIB, "7C"), "KH", "TH", "QC", "AS", "JC", "TD", "9D")
    assert ends(events) == [
        CountEnded(1, "thirty_one", 0, (0, 2)),
        CountEnded(0, "go", 1, (4, 2)),  # J-T-9 and the go
    ]
    assert gos(events) == [Go(0, 30)]
    assert (state.turn, state.count) == (0, 0)
    state, events = play_cards(state, "8S")
    assert ends(events) == [CountEnded(0, "last_card", 1, (5, 2))]


def test_a_seat_without_cards_is_passed_over_silently() -> None:
    kept = ("KHQCJD9S", "AC2D3S4D")
    state = in_play(kept, "5H5C6H6C", "7C")
    state, events = play_cards(state, "AC", "KH", "2D", "QC", "3S", "4D")
    assert gos(events) == [Go(0, 26)]
    state, events = play_cards(state, "JD", "9S")
    assert gos(events) == []
    assert ends(events)[-1].reason == "last_card"


def test_the_last_card_of_the_hand_scores_one() -> None:
    kept = ("2S4S6D8S", "2D4D6C8D")
    state, events = play_cards(
        in_play(kept, "KHKCQHQC", "TC"), "2D", "4S", "6C", "8S", "4D", "6D", "8D", "2S"
    )
    *_, last = ends(events)
    assert (last.seat, last.reason, last.points) == (0, "last_card", 1)
    assert state.hand is None


def test_thirty_one_with_the_last_card_scores_two_and_not_three() -> None:
    kept = ("THJC9D2S", "KHQCASTD")
    state = in_play(kept, "5H5C6H6C", "7C")
    state, events = play_cards(state, "KH", "TH", "QC", "AS", "JC", "TD", "9D", "2S")
    last = [event for event in events if isinstance(event, Played)][-1]
    assert (last.count, last.points, last.scores) == (31, 2, (5, 2))
    assert ends(events)[-1] == CountEnded(0, "thirty_one", 0, (5, 2))
    assert state.hand is None


def test_pairs_and_runs_do_not_extend_across_counts() -> None:
    kept = ("KHKC5D6S", "KDKS7D8S")
    state, events = play_cards(in_play(kept, "2H2C3H3C", "TC"), "KD", "KH", "KS")
    assert [event.points for event in events if isinstance(event, Played)] == [0, 2, 6]
    assert state.turn == 0  # 30: no card can be added
    state, events = play_cards(state, "KC")
    assert [event.points for event in events if isinstance(event, Played)] == [0]


@pytest.mark.parametrize("score", [119, 120])
def test_a_card_wins_at_once_and_nothing_after_it_counts(score: int) -> None:
    kept = ("THJC9D8S", "KHQCAS5D")
    state, events = play_cards(in_play(kept, CRIB, "7C", scores=(score, 90)), "5D", "TH")
    assert state.phase is Phase.OVER
    assert state.scores == (121, 90)
    assert isinstance(events[-2], GameWon)
    assert not any(isinstance(event, CountEnded | Counted) for event in events)


def test_a_go_wins_from_120() -> None:
    state, events = play_cards(in_play(HIGH, CRIB, "7C", scores=(90, 120)), "KH", "TH", "5D", "AS")
    assert (state.winner, state.scores) == (1, (90, 121))
    assert not any(isinstance(event, Counted) for event in events)


def test_the_last_card_wins_from_120_before_any_hand_is_counted() -> None:
    kept = ("THQC8D6S", "9H7C5D3S")
    state = in_play(kept, "2H2C4H4C", "KC", scores=(120, 100))
    state, events = play_cards(state, "9H", "TH", "7C", "5D", "QC", "3S", "8D")
    assert (state.phase, state.scores) == (Phase.PLAY, (120, 102))
    state, events = play_cards(state, "6S")
    assert (state.winner, state.scores) == (0, (121, 102))
    assert not any(isinstance(event, Counted) for event in events)


# Three players: seat 0 deals, seat 1 leads.

HIGH_THREE = ("9HKSQDJD", "KHTCTD8D", "KDACQS7S")
CRIB_THREE = "5H5C6H6C"


def test_with_three_players_both_others_continue_after_a_go() -> None:
    kept = ("9HACQDJD", "KHTCTD8D", "KDASQS7S")
    state, events = play_cards(in_play(kept, CRIB_THREE, "7C", THREE), "KH", "KD", "9H")
    assert gos(events) == [Go(1, 29)]
    assert state.turn == 2
    state, events = play_cards(state, "AS")
    assert state.turn == 0
    state, events = play_cards(state, "AC")
    assert ends(events) == [CountEnded(0, "thirty_one", 0, (4, 0, 2))]
    assert state.turn == 1


def test_with_three_players_the_seat_left_of_the_last_player_leads() -> None:
    state, events = play_cards(in_play(HIGH_THREE, CRIB_THREE, "7C", THREE), "KH", "KD", "9H", "AC")
    assert gos(events) == [Go(1, 29), Go(0, 30)]
    assert ends(events) == [CountEnded(2, "go", 1, (0, 0, 3))]
    assert state.turn == 0


def test_with_three_players_one_may_play_several_cards_in_a_row() -> None:
    kept = ("9HKSQDJD", "KHTCTD8D", "KDACAS7S")
    state, events = play_cards(in_play(kept, CRIB_THREE, "7C", THREE), "KH", "KD", "9H", "AC", "AS")
    points = [event.points for event in events if isinstance(event, Played)]
    assert points == [0, 2, 0, 0, 4]  # the pair of aces and 31
    assert ends(events)[0].reason == "thirty_one"
    assert state.turn == 0


def test_with_three_players_a_go_scores_one_however_many_said_go() -> None:
    kept = ("9HKSQDJD", "KHTCTD8D", "KDTS9S7S")
    state, events = play_cards(in_play(kept, CRIB_THREE, "7C", THREE), "KH", "KD", "9H")
    assert gos(events) == [Go(1, 29), Go(2, 29)]
    assert ends(events) == [CountEnded(0, "go", 1, (1, 0, 2))]
    assert state.turn == 1


def test_with_three_players_a_whole_hand_ends_with_the_show() -> None:
    kept = ("9HKSQDJD", "KHTCTD8D", "KDTS9S7S")
    state = in_play(kept, CRIB_THREE, "7C", THREE)
    state, events = play_cards(
        state, "KH", "KD", "9H", "TC", "TS", "KS", "TD", "9S", "QD", "8D", "7S", "JD"
    )
    assert [end.reason for end in ends(events)] == ["go", "go", "go", "last_card"]
    assert [event.seat for event in events if isinstance(event, Counted)] == [1, 2, 0, 0]
