"""Incremental ratings agree with a full fit, and every change is explained."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from benchmarks.ratings import fixtures
from benchmarks.ratings.leagues import even_league, random_league
from ratings.model.constants import THREE_SEATS, TWO_SEATS, Constants
from ratings.model.explain import Cause
from ratings.model.fit import fit, forgetting_weights
from ratings.model.incremental import UPDATE_THRESHOLD_ELO, IncrementalRatings, RatingShift
from ratings.model.results import Results
from ratings.model.scale import deviation
from ratings.model.uncertainty import approximate_variances


def two_seat_league(rows: int = 200) -> Results:
    rng = np.random.default_rng(11)
    return random_league(TWO_SEATS, rng, players=30, rows=rows, games=50).results


def three_seat_league() -> Results:
    rng = np.random.default_rng(12)
    return even_league(THREE_SEATS, rng, players=24, rounds=15, plays=6).results


@dataclass(frozen=True)
class Fed:
    """Ratings after adding all results one by one, and every change returned."""

    results: Results
    constants: Constants
    ratings: IncrementalRatings
    moves: list[RatingShift]


def feed(results: Results, constants: Constants) -> Fed:
    ratings = IncrementalRatings(Results.empty(constants.seats), constants)
    moves = [move for row in range(len(results)) for move in ratings.add(results.rows([row]))]
    return Fed(results, constants, ratings, moves)


@pytest.fixture(scope="module", params=["two seats", "forgetting", "three seats"])
def fed(request: pytest.FixtureRequest) -> Fed:
    if request.param == "three seats":
        return feed(three_seat_league(), THREE_SEATS)
    half_life = 20.0 if request.param == "forgetting" else None
    return feed(two_seat_league(), replace(TWO_SEATS, half_life=half_life))


def test_results_added_one_by_one_give_the_ratings_of_a_full_fit(fed: Fed) -> None:
    refit = fit(fed.results, fed.constants)
    weight = forgetting_weights(fed.results, fed.constants)
    doubt = deviation(approximate_variances(fed.results, fed.constants, weight), fed.constants)
    people = range(fed.results.player_count)
    assert [fed.ratings.rating(p) for p in people] == pytest.approx(refit.rating, abs=0.3)
    assert [fed.ratings.rd(p) for p in people] == pytest.approx(doubt, rel=0.01)


def test_the_parts_of_every_change_add_up_to_it(fed: Fed) -> None:
    for move in fed.moves[-500:]:
        assert sum(part.elo for part in move.parts()) == pytest.approx(
            move.now - move.was, abs=1e-6
        )


def test_changes_connect_without_gaps_up_to_the_rating(fed: Fed) -> None:
    last: dict[int, float] = {}
    for move in fed.moves:
        assert move.was == pytest.approx(last.get(move.player, 1500.0))
        last[move.player] = move.now
    for player, rating in last.items():
        assert fed.ratings.rating(player) == pytest.approx(rating)


def test_a_rating_equals_the_sum_of_its_breakdown(fed: Fed) -> None:
    weight = forgetting_weights(fed.results, fed.constants)
    total = np.bincount(fed.results.players.ravel(), weight.ravel())
    for player in range(fed.results.player_count):
        breakdown = fed.ratings.breakdown(player)
        assert breakdown.weight.sum() == pytest.approx(total[player])
        assert len(breakdown.key) == np.count_nonzero(fed.results.players == player)
        gain = (breakdown.weight @ breakdown.implied_skill) * breakdown.elo_per_weighted_point
        assert fed.ratings.rating(player) == pytest.approx(1500.0 + gain, abs=1e-6)


def test_updates_continue_from_a_full_fit() -> None:
    results = two_seat_league()
    updated = IncrementalRatings(results.rows(np.arange(120)), TWO_SEATS)
    for row in range(120, 200):
        updated.add(results.rows([row]))
    ratings = [updated.rating(player) for player in range(results.player_count)]
    assert ratings == pytest.approx(fit(results, TWO_SEATS).rating, abs=0.3)


def test_later_plays_of_a_game_change_earlier_players_ratings() -> None:
    results = fixtures.pairs(-13, -24)
    fed = feed(results, fixtures.CONSTANTS)
    bystander = next(move for move in fed.moves[2:] if move.player == 0)
    assert bystander.now > bystander.was
    assert bystander.parts()[0].cause is Cause.EFFECT
    assert fed.ratings.rating(0) == pytest.approx(
        fit(results, fixtures.CONSTANTS).rating[0], abs=0.1
    )


def test_players_whose_rating_hardly_changes_are_not_updated() -> None:
    far_apart = fixtures.results_of([(0, 1, 0, 9), (2, 3, 1, 9)])
    updated = IncrementalRatings(far_apart.rows([0]), fixtures.CONSTANTS)
    assert {move.player for move in updated.add(far_apart.rows([1]))} == {2, 3}


def test_nobody_else_is_updated_for_less_than_the_threshold() -> None:
    results = two_seat_league()
    updated = IncrementalRatings(results.rows(np.arange(120)), TWO_SEATS)
    steps = []
    for row in range(120, 200):
        result = results.rows([row])
        moves = updated.add(result)
        steps += [abs(move.now - move.was) for move in moves if move.player not in result.players]
    assert len(steps) > 1000
    assert min(steps) > UPDATE_THRESHOLD_ELO


def test_only_one_result_can_be_added_at_a_time() -> None:
    with pytest.raises(ValueError, match="expected one result, got 2"):
        IncrementalRatings(Results.empty(2), TWO_SEATS).add(fixtures.pairs(-13, -15))
