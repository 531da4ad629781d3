"""The incremental push: as good as a refit, and each move told in full."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from benchmarks.ratings import fixtures
from benchmarks.ratings.leagues import even_league, random_league
from ratings.model.constants import THREE_SEATS, TWO_SEATS, Constants
from ratings.model.doubt import passed_variances
from ratings.model.explain import Cause
from ratings.model.fit import fit, forgetting_weights
from ratings.model.push import Move, Push
from ratings.model.results import Results
from ratings.model.scale import deviation


def two_seat_league(rows: int = 200) -> Results:
    rng = np.random.default_rng(11)
    return random_league(TWO_SEATS, rng, players=30, rows=rows, games=50).results


def three_seat_league() -> Results:
    rng = np.random.default_rng(12)
    return even_league(THREE_SEATS, rng, players=24, rounds=15, plays=6).results


@dataclass(frozen=True)
class Fed:
    """A push that was given all results one by one, and every move it made."""

    results: Results
    constants: Constants
    push: Push
    moves: list[Move]


def feed(results: Results, constants: Constants) -> Fed:
    push = Push(Results.empty(constants.seats), constants)
    moves = [move for row in range(len(results)) for move in push.add(results.rows([row]))]
    return Fed(results, constants, push, moves)


@pytest.fixture(scope="module", params=["two seats", "forgetting", "three seats"])
def fed(request: pytest.FixtureRequest) -> Fed:
    if request.param == "three seats":
        return feed(three_seat_league(), THREE_SEATS)
    half_life = 20.0 if request.param == "forgetting" else None
    return feed(two_seat_league(), replace(TWO_SEATS, half_life=half_life))


def test_rows_fed_one_by_one_end_where_a_refit_does(fed: Fed) -> None:
    refit = fit(fed.results, fed.constants)
    weight = forgetting_weights(fed.results, fed.constants)
    doubt = deviation(passed_variances(fed.results, fed.constants, weight), fed.constants)
    people = range(fed.results.player_count)
    assert [fed.push.rating(p) for p in people] == pytest.approx(refit.rating, abs=0.3)
    assert [fed.push.rd(p) for p in people] == pytest.approx(doubt, rel=0.01)


def test_the_parts_of_every_move_sum_to_it(fed: Fed) -> None:
    for move in fed.moves[-500:]:
        assert sum(part.elo for part in move.parts()) == pytest.approx(
            move.now - move.was, abs=1e-6
        )


def test_moves_join_up_to_the_rating(fed: Fed) -> None:
    last: dict[int, float] = {}
    for move in fed.moves:
        assert move.was == pytest.approx(last.get(move.player, 1500.0))
        last[move.player] = move.now
    for player, rating in last.items():
        assert fed.push.rating(player) == pytest.approx(rating)


def test_a_rating_is_what_its_account_adds_up_to(fed: Fed) -> None:
    weight = forgetting_weights(fed.results, fed.constants)
    total = np.bincount(fed.results.players.ravel(), weight.ravel())
    for player in range(fed.results.player_count):
        account = fed.push.account(player)
        assert account.weight.sum() == pytest.approx(total[player])
        assert len(account.key) == np.count_nonzero(fed.results.players == player)
        said = (account.weight @ account.said) * account.elo_per_said
        assert fed.push.rating(player) == pytest.approx(1500.0 + said, abs=1e-6)


def test_a_push_goes_on_from_a_full_fit() -> None:
    results = two_seat_league()
    push = Push(results.rows(np.arange(120)), TWO_SEATS)
    for row in range(120, 200):
        push.add(results.rows([row]))
    ratings = [push.rating(player) for player in range(results.player_count)]
    assert ratings == pytest.approx(fit(results, TWO_SEATS).rating, abs=0.3)


def test_others_who_play_the_game_move_those_who_played_it_before() -> None:
    results = fixtures.pairs(-13, -24)
    fed = feed(results, fixtures.CONSTANTS)
    bystander = next(move for move in fed.moves[2:] if move.player == 0)
    assert bystander.now > bystander.was
    assert bystander.parts()[0].cause is Cause.EFFECT
    assert fed.push.rating(0) == pytest.approx(fit(results, fixtures.CONSTANTS).rating[0], abs=0.1)


def test_whom_the_news_hardly_moves_is_left_alone() -> None:
    far_apart = fixtures.results_of([(0, 1, 0, 9), (2, 3, 1, 9)])
    push = Push(far_apart.rows([0]), fixtures.CONSTANTS)
    assert {move.player for move in push.add(far_apart.rows([1]))} == {2, 3}


def test_a_push_takes_one_result_at_a_time() -> None:
    with pytest.raises(ValueError, match="one result at a time, not 2"):
        Push(Results.empty(2), TWO_SEATS).add(fixtures.pairs(-13, -15))
