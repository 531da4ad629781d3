"""The show: its order, and the game ending at the winning point."""

import pytest

from games.engine.cards import parse_cards
from games.engine.events import Counted, Event, GameWon
from games.engine.rules import start
from games.engine.state import Phase, Ruleset, State
from tests.support.positions import THREE, TWO, in_play, make, play_cards

# Seat 0 (dealer): 10-Q-8-6, no points. Seat 1: 9-7-5-3 with the K: nothing. Cards as in `played`.
KEPT = ("THQC8D6S", "9H7C5D3S")
ORDER = ("9H", "TH", "7C", "5D", "QC", "3S", "8D", "6S")
KEPT_THREE = ("9HKSQDJD", "KHTCTD8D", "KDTS9S7S")
ORDER_THREE = ("KH", "KD", "9H", "TC", "TS", "KS", "TD", "9S", "QD", "8D", "7S", "JD")


def counted(events: list[Event]) -> list[tuple[int, str, int]]:
    return [(e.seat, e.item, e.points) for e in events if isinstance(e, Counted)]


def shown(scores: tuple[int, int]) -> tuple[State, list[Event]]:
    """Play a hand: the dealer pegs 1, pone pegs 2; the show is pone 4, dealer 5, crib 12."""
    state = in_play(KEPT, "2H2C4H4C", "9C", scores=scores)
    return play_cards(state, *ORDER)


def test_pone_counts_first_then_dealer_then_crib() -> None:
    state, events = shown((0, 0))
    # 9-7-5-3 and a nine: a pair, 7+5+3; T-Q-8-6 and a nine: 8-9-T, 9+6; 2-2-4-4-9: pairs, 2+4+9s.
    assert counted(events) == [(1, "hand", 4), (0, "hand", 5), (0, "crib", 12)]
    assert state.scores == (1 + 5 + 12, 2 + 4)
    assert state.phase is Phase.DEAL


def test_with_three_players_seats_count_from_the_dealers_left_then_the_crib() -> None:
    state = in_play(KEPT_THREE, "5H5C6H6C", "7C", THREE)
    _, events = play_cards(state, *ORDER_THREE)
    assert [(seat, item) for seat, item, _ in counted(events)] == [
        (1, "hand"),
        (2, "hand"),
        (0, "hand"),
        (0, "crib"),
    ]


def test_a_count_lists_its_sorted_cards_and_its_parts() -> None:
    _, events = shown((0, 0))
    first = next(event for event in events if isinstance(event, Counted))
    assert first.cards == tuple(sorted(parse_cards(KEPT[1])))
    assert first.total == sum(part.points for part in first.parts) == 4


def test_the_crib_counts_no_flush_of_four() -> None:
    state = in_play(KEPT, "2S4STSKS", "9C")
    _, events = play_cards(state, *ORDER)
    assert counted(events)[-1] == (0, "crib", 2)  # 2+4+9 only


def test_the_crib_counts_a_flush_of_five_and_nobs() -> None:
    state = in_play(KEPT, "2S4SJSKS", "9S")
    _, events = play_cards(state, *ORDER)
    assert counted(events)[-1] == (0, "crib", 8)  # 2+4+9, flush, nobs


@pytest.mark.parametrize(
    ("scores", "counts", "final"),
    [
        ((100, 116), [(1, "hand", 4)], (101, 121)),  # 116 + 2 + 4: past the target, recorded as 121
        ((100, 115), [(1, "hand", 4)], (101, 121)),
        ((115, 100), [(1, "hand", 4), (0, "hand", 5)], (121, 106)),
        ((119, 100), [(1, "hand", 4), (0, "hand", 5)], (121, 106)),
        ((114, 100), [(1, "hand", 4), (0, "hand", 5), (0, "crib", 12)], (121, 106)),
        ((103, 100), [(1, "hand", 4), (0, "hand", 5), (0, "crib", 12)], (121, 106)),
    ],
)
def test_the_first_to_121_wins_and_nothing_more_is_counted(
    scores: tuple[int, int], counts: list[tuple[int, str, int]], final: tuple[int, int]
) -> None:
    state, events = shown(scores)
    assert counted(events) == counts
    assert state.scores == final
    assert state.phase is Phase.OVER
    won = next(event for event in events if isinstance(event, GameWon))
    assert (won.winner, won.scores) == (final.index(121), final)


def test_pone_wins_although_the_dealer_would_count_more() -> None:
    state, events = shown((120 - 1, 120 - 2))
    assert (state.winner, state.scores) == (1, (120, 121))
    assert len(counted(events)) == 1


def test_with_three_players_the_first_to_count_out_wins() -> None:
    state = in_play(KEPT_THREE, "5H5C6H6C", "7C", THREE, scores=(115, 100, 113))
    state, events = play_cards(state, *ORDER_THREE)
    # Seats 0 and 2 both stand at 119 after the play, and have 3 and 2 to count.
    assert counted(events) == [(1, "hand", 4), (2, "hand", 2)]
    assert (state.winner, state.scores) == (2, (119, 104, 121))


def test_the_deal_passes_to_the_left_after_the_show() -> None:
    state, _ = shown((0, 0))
    assert state.dealer == 1
    state, _ = make(state, "- deal AH2H3H4H5H6H AC2C3C4C5C6C")
    assert state.hand is not None
    assert (state.hand.number, state.hand.pone) == (2, 0)


def test_with_three_players_the_deal_passes_to_the_left() -> None:
    state = in_play(KEPT_THREE, "5H5C6H6C", "7C", THREE)
    state, _ = play_cards(state, *ORDER_THREE)
    assert state.dealer == 1


def test_the_points_of_a_finished_hand_add_up() -> None:
    state, _ = shown((30, 20))
    hand = state.hands[-1]
    assert hand.before == (30, 20)
    assert hand.pegged == (1, 2)
    assert hand.shown == (5, 4)
    assert hand.crib_points == 12
    assert state.scores == (30 + 1 + 5 + 12, 20 + 2 + 4)


def test_the_count_is_reset_after_a_finished_game() -> None:
    state = in_play(KEPT, "2H2C4H4C", "KC", Ruleset(first_dealer=0, games=2), scores=(0, 119))
    state, _ = play_cards(state, "9H", "TH", "7C", "5D")
    assert (state.phase, state.count, state.pile, state.gos) == (Phase.DEAL, 0, (), (False, False))


def test_a_match_starts_with_nothing() -> None:
    state = start(TWO)
    assert (state.scores, state.hands, state.results) == ((0, 0), (), ())
