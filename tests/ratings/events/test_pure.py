"""Pairing, brackets and scoring of tournaments: pure functions, on known values."""

import random
from typing import Any

import pytest

from ratings.events import brackets, scoring, swiss
from ratings.events.formats import RULES, TieBreak, qualifiers
from ratings.events.scoring import Result


def result(number: int, one: int | None, other: int | None, margin: int, **more: Any) -> Result:
    scores = (121, 121 - margin) if margin > 0 else (121 + margin, 121)
    values: dict[str, Any] = {"winner": 0 if margin > 0 else 1, **more}
    return Result(number, (one, other), 0, scores, (float(margin), -float(margin)), **values)


class TestPairing:
    def test_nobody_meets_twice_while_that_is_possible(self) -> None:
        rng, keys = random.Random(1), list(range(8))
        met: dict[int, set[int]] = {key: set() for key in keys}
        for _ in range(7):
            rng.shuffle(keys)
            for one, other in swiss.pair(keys, met, {}):
                assert other not in met[one]
                met[one].add(other)
                met[other].add(one)
        assert all(len(found) == 7 for found in met.values())
        assert len(swiss.pair(keys, met, {})) == 4

    def test_neighbours_in_the_standings_meet(self) -> None:
        assert sorted(swiss.pair([3, 1, 0, 2], {}, {})) == [(0, 2), (3, 1)]

    @pytest.mark.parametrize("shunned", [{1: {2}}, {2: {1}}])
    def test_whom_one_of_two_shuns_they_meet_only_if_there_is_no_one_else(
        self, shunned: dict[int, set[int]]
    ) -> None:
        """The other one may have played somebody else since."""
        assert swiss.pair_some([1, 2, 3, 4], {}, shunned) == [(1, 3), (2, 4)]
        assert swiss.pair_some([1, 2], {}, shunned) == [(1, 2)]

    def test_of_several_last_opponents_one_is_met_who_is_not_shunned_by_both(self) -> None:
        """As by computers, whom only the one person in an arena plays."""
        both = {1: {2}, 2: {1}, 3: {1}}
        assert swiss.pair_some([1, 2, 3], {2: {3}, 3: {2}}, both) == [(1, 3)]

    def test_who_dealt_first_less_deals_first(self) -> None:
        assert swiss.seat([(1, 2), (3, 4)], {1: 1, 2: -1}, {3: 1, 4: -1}) == [(2, 1), (4, 3)]

    def test_the_last_with_the_fewest_byes_sits_out(self) -> None:
        assert swiss.sits_out([5, 6, 7], {7: 1}) == 6

    def test_threes_who_have_not_met(self) -> None:
        met = {1: [2], 2: [1]}
        assert swiss.group([1, 2, 3, 4, 5, 6, 7], met) == [(1, 3, 4), (2, 5, 6), (7,)]

    def test_an_odd_number_cannot_be_paired(self) -> None:
        with pytest.raises(ValueError, match="3 players"):
            swiss.pair([1, 2, 3], {}, {})


class TestBrackets:
    def test_the_best_two_can_only_meet_in_the_final(self) -> None:
        assert brackets.first_round([1, 2, 3, 4, 5, 6, 7, 8]) == [(1, 8), (4, 5), (2, 7), (3, 6)]

    def test_the_best_have_byes(self) -> None:
        assert brackets.first_round([1, 2, 3]) == [(1, None), (2, 3)]
        assert brackets.next_round([1, None, 2, 3]) == [(1, None), (2, 3)]

    @pytest.mark.parametrize(("players", "number"), [(4, 2), (8, 2), (9, 3), (60, 15)])
    def test_a_quarter_goes_on(self, players: int, number: int) -> None:
        assert qualifiers(players) == number


class TestScoring:
    def test_matchpoints_compare_those_with_the_same_cards(self) -> None:
        results = [result(1, 1, 2, 10), result(1, 3, 4, 20), result(1, 5, 6, 20)]
        found = scoring.totals(range(1, 7), results, duplicate=True)
        assert [found[key].matchpoints for key in range(1, 7)] == [0, 1, 0.75, 0.25, 0.75, 0.25]

    def test_who_left_has_nothing_and_the_other_at_least_half(self) -> None:
        gone = result(1, 1, 2, -30, gone=frozenset({1}), winner=0)
        found = scoring.totals(range(1, 5), [gone, result(1, 3, 4, 5)], duplicate=True)
        assert [found[key].matchpoints for key in (1, 2, 3, 4)] == [0.5, 0, 0.5, 0.5]
        assert found[1].won == 1

    def test_game_points_and_byes(self) -> None:
        bye = Result(2, (2,), 0, None, (), winner=0)
        found = scoring.totals([1, 2], [result(1, 1, 2, 31), bye], duplicate=False)
        assert (found[1].points, found[1].skunks, found[1].spread) == (3, 1, 31)
        assert (found[2].points, found[2].byes, found[2].played) == (2, 1, 1)

    def test_the_order_is_that_of_the_rules_and_the_absent_come_last(self) -> None:
        assert RULES["robin"].order == (TieBreak.POINTS, TieBreak.WON, TieBreak.SPREAD)
        keys = {1: (4.0, 2.0), 2: (4.0, 1.0), 3: (6.0, 2.0), 4: (4.0, 2.0)}
        assert scoring.places(keys, {3}) == {1: 1, 4: 1, 2: 3, 3: 4}

    def test_three_seats(self) -> None:
        game = Result(1, (1, 2, 3), 1, (121, 90, 100), (26.0, -20.5, -5.5), winner=0)
        found = scoring.totals([1, 2, 3], [game], duplicate=True)
        assert [found[key].points for key in (1, 2, 3)] == [2, 0, 1]
        assert [found[key].spread for key in (1, 2, 3)] == [21, -31, -21]
        assert [game.seat(place) for place in range(3)] == [2, 0, 1]

    def test_a_win_since_another_of_three_left_costs_no_spread(self) -> None:
        margins = (26.0, -5.5, -20.5)
        game = Result(1, (1, 2, 3), 0, (61, 40, 30), margins, frozenset({0}), winner=1)
        scores = [scoring.game_score(game, place)[:2] for place in range(3)]
        assert scores == [(0, 0), (2, 0), (1, -31)]
