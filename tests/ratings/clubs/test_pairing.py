"""Pairings and scores of club nights."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.clubs.acc_scoring import Score, places, score, total
from ratings.clubs.pairing import draw

EVEN = st.integers(1, 25).map(lambda half: 2 * half)


@given(number=EVEN, games=st.integers(1, 12))
def test_every_player_plays_each_game_once(number: int, games: int) -> None:
    drawn = draw(number=number, games=games)
    assert len(drawn) == games
    for pairs in drawn:
        assert sorted(one for pair in pairs for one in pair) == list(range(number))


@given(number=EVEN, games=st.integers(1, 12))
def test_every_player_meets_as_many_opponents_as_possible(number: int, games: int) -> None:
    met = Counter(frozenset(pair) for pairs in draw(number=number, games=games) for pair in pairs)
    for one in range(number):
        times = [met[frozenset((one, other))] for other in range(number) if other != one]
        assert sum(map(bool, times)) == min(games, number - 1)
        assert max(times) - min(times) <= 1


@given(number=EVEN, games=st.integers(1, 12))
def test_every_player_deals_first_in_half_of_the_games(number: int, games: int) -> None:
    firsts = Counter(pair[0] for pairs in draw(number=number, games=games) for pair in pairs)
    assert all(abs(2 * firsts[one] - games) <= 1 for one in range(number))


@pytest.mark.parametrize("number", [0, 1, 3, -2])
def test_an_odd_number_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="cannot be paired"):
        draw(number=number, games=9)


@pytest.mark.parametrize(
    ("won", "margin", "left", "worth"),
    [
        (True, 1, False, Score(2, 1)),
        (True, 30, False, Score(2, 30)),
        (True, 31, False, Score(3, 31)),
        (True, 61, False, Score(3, 61)),
        (False, -1, False, Score(0, -1)),
        (False, -31, False, Score(0, -31)),
        # The opponent left and their substitute won; it is still a win for the player who stayed.
        (True, -40, True, Score(2, 0)),
        (False, 40, True, Score(0, 0)),
        (True, 35, True, Score(3, 35)),
    ],
)
def test_game_points_follow_the_acc_rules(won: bool, margin: int, left: bool, worth: Score) -> None:
    assert score(won=won, margin=margin, left=left) == worth


def test_scores_add_up() -> None:
    card = total([Score(2, 12), Score(0, -20), Score(3, 40), Score(0, 0)])
    assert (card.points, card.won, card.lost, card.skunks) == (5, 2, 2, 1)
    assert (card.plus, card.minus, card.spread, card.played) == (52, 20, 32, 4)


def test_places_are_by_game_points_then_games_won_then_spread() -> None:
    three_wins = total([Score(2, 1), Score(2, 1), Score(2, 1)])
    two_skunks = total([Score(3, 40), Score(3, 40), Score(0, -5)])
    better_spread = total([Score(2, 9), Score(2, 9), Score(2, 9)])
    best = total([Score(3, 31), Score(2, 1), Score(2, 1)])
    nothing = total([])
    cards = [three_wins, two_skunks, better_spread, best, nothing, three_wins]
    assert places(cards) == [3, 5, 2, 1, 6, 3]
