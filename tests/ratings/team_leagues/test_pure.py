"""Schedule and table of a team league: known small leagues, and properties of all sizes."""

from collections import Counter

import pytest

from ratings.team_leagues import schedule
from ratings.team_leagues.scoring import Result, Total, points_of, table


@pytest.mark.parametrize("number", range(2, 17))
@pytest.mark.parametrize("double", [False, True])
def test_everyone_meets_everyone_as_often_as_agreed(number: int, double: bool) -> None:
    rounds = schedule.rounds(number=number, double=double)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert set(met.values()) == {2 if double else 1}
    assert len(met) == number * (number - 1) // 2
    for pairs in rounds:
        playing = [team for pair in pairs for team in pair]
        assert len(playing) == len(set(playing)) >= number - 1


@pytest.mark.parametrize("number", range(2, 17))
def test_twice_means_once_at_home(number: int) -> None:
    pairs = [pair for row in schedule.rounds(number=number, double=True) for pair in row]
    assert len(set(pairs)) == len(pairs) == number * (number - 1)


@pytest.mark.parametrize(("margin", "points"), [(3.5, (2, 0)), (0.0, (1, 1)), (-1.0, (0, 2))])
def test_the_margin_decides_the_match_points(margin: float, points: tuple[int, int]) -> None:
    assert points_of(margin) == points


def results(*rows: tuple[int, int, float]) -> list[Result]:
    return [Result(home, away, *points_of(margin), margin) for home, away, margin in rows]


def places(found: list[Total]) -> dict[int, int]:
    return {total.team: total.place for total in found}


def test_a_table_of_three() -> None:
    first, second, third = table([1, 2, 3], results((1, 2, 10), (3, 1, 0), (2, 3, 4)), last=[])
    assert (first.team, first.played, first.won, first.drawn, first.points) == (1, 2, 1, 1, 3)
    assert (second.team, second.won, second.lost, second.points, second.spread) == (2, 1, 1, 2, -6)
    assert (third.team, third.drawn, third.points, third.spread) == (3, 1, 1, -4)


def test_of_equal_points_more_wins_are_ahead_then_the_better_spread() -> None:
    # All have 2 points: 1 by two draws, 2 and 3 by a win each.
    rows = results((1, 4, 0), (1, 5, 0), (2, 4, 1), (3, 5, 30))
    found = places(table([1, 2, 3], rows, last=[]))
    assert found == {3: 1, 2: 2, 1: 3}


def test_the_direct_match_decides_between_teams_that_are_level() -> None:
    # 1 and 2 have a win and a spread of 0 each; 1 has beaten 2.
    rows = results((1, 2, 5), (3, 1, 5), (2, 3, 5))
    found = places(table([1, 2], rows, last=[]))
    assert found == {1: 1, 2: 2}


def test_teams_that_are_level_in_everything_share_a_place() -> None:
    rows = results((1, 2, 5), (2, 3, 5), (3, 1, 5))
    assert places(table([1, 2, 3], rows, last=[])) == {1: 1, 2: 1, 3: 1}


def test_a_match_that_nobody_played_counts_for_nobody() -> None:
    (first, second) = table([1, 2], [Result(1, 2, 0, 0, 0.0)], last=[])
    assert (first.played, first.drawn, second.lost) == (0, 0, 0)
    assert first.place == second.place == 1


def test_withdrawn_teams_come_last() -> None:
    assert places(table([1, 2], results((1, 2, 5)), last=[1])) == {2: 1, 1: 2}
