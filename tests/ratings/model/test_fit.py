"""The full fit: printed fixtures, brute force, and invariances."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.ratings import fixtures
from benchmarks.ratings.leagues import even_league, random_league
from ratings.model import uncertainty
from ratings.model.constants import THREE_SEATS, TWO_SEATS, TWO_SEATS_PAR, Constants
from ratings.model.fit import fit, forgetting_weights
from ratings.model.results import Results
from tests.support.dense import three_seat_posterior, two_seat_solution

PRINTED = 0.0051
"""Half of the last printed digit, plus a little for rounding."""


def small_league(seed: int = 1) -> Results:
    rng = np.random.default_rng(seed)
    return random_league(TWO_SEATS, rng, players=12, rows=150, games=20).results


def test_one_result_moves_both_players_and_the_game() -> None:
    found = fit(fixtures.pairs(-13), fixtures.CONSTANTS)
    assert found.rating == pytest.approx([1494.27, 1505.73], abs=PRINTED)
    assert found.rd == pytest.approx([48.70, 48.70], abs=PRINTED)
    assert found.effect[0] == pytest.approx([-8.05, 8.05], abs=PRINTED)


@pytest.mark.parametrize(("others", "expected"), list(enumerate(fixtures.F2)))
def test_a_rating_changes_when_others_play_the_same_game(others: int, expected: float) -> None:
    found = fit(fixtures.pairs(-13, *range(-15, -15 - others, -1)), fixtures.CONSTANTS)
    assert found.rating[0] == pytest.approx(expected, abs=PRINTED)


def test_losing_by_less_than_the_field_gains_rating() -> None:
    found = fit(fixtures.pairs(*[-15] * 10, -13), fixtures.CONSTANTS)
    assert found.rating[20:] == pytest.approx([1500.49, 1499.51], abs=PRINTED)


def test_losing_by_as_much_as_the_field_costs_a_little() -> None:
    found = fit(fixtures.pairs(*[-15] * 11), fixtures.CONSTANTS)
    assert found.rating[20] == pytest.approx(1498.98, abs=PRINTED)


def test_one_winner_in_the_same_seat_makes_the_loss_look_worse() -> None:
    found = fit(fixtures.pairs(*[-15] * 10, -13, 5), fixtures.CONSTANTS)
    assert found.rating[20:22] == pytest.approx([1499.30, 1500.70], abs=PRINTED)


def test_twelve_interlinked_results_have_the_printed_solution() -> None:
    found = fit(fixtures.results_of(fixtures.F5_ROWS), fixtures.CONSTANTS)
    assert found.rating == pytest.approx(fixtures.F5_RATING, abs=PRINTED)
    assert found.rd == pytest.approx(fixtures.F5_RD, abs=PRINTED)
    assert found.effect[:, 0] == pytest.approx(fixtures.F5_EFFECT, abs=PRINTED)


def test_the_fit_solves_the_two_printed_equations() -> None:
    results = small_league()
    constants = replace(TWO_SEATS, margin_limit=None)
    found = fit(results, constants)
    expected = two_seat_solution(results, constants)
    assert np.append(found.skill, found.effect[:, 0]) == pytest.approx(expected, abs=1e-4)


def test_the_fit_with_par_solves_the_equations_with_par() -> None:
    plain = small_league()
    par = np.random.default_rng(2).normal(0.0, 15.0, plain.game_count)[plain.game]
    results = Results.from_margins(*plain.players.T, plain.game, plain.margin[:, 0], par=par)
    constants = replace(TWO_SEATS_PAR, margin_limit=None)
    expected = two_seat_solution(results, constants)[: results.player_count]
    assert fit(results, constants).skill == pytest.approx(expected, abs=1e-4)


def test_the_fit_with_forgetting_solves_the_weighted_equations() -> None:
    results = small_league()
    constants = replace(TWO_SEATS, half_life=10.0, margin_limit=None)
    weight = forgetting_weights(results, constants)
    expected = two_seat_solution(results, constants, weight)[: results.player_count]
    assert fit(results, constants).skill == pytest.approx(expected, abs=1e-4)


def test_a_result_counts_half_after_a_half_life_of_the_players_games() -> None:
    results = Results.from_margins([0, 1, 0, 0], [1, 2, 2, 3], [0, 1, 2, 3], [9, 9, 9, 9])
    weight = forgetting_weights(results, replace(TWO_SEATS, half_life=2.0))
    root = 0.5**0.5
    assert weight == pytest.approx(np.array([[0.5, root], [1.0, root], [root, 1.0], [1.0, 1.0]]))


def test_three_players_get_the_posterior_of_the_helmert_contrasts() -> None:
    rng = np.random.default_rng(3)
    league = even_league(THREE_SEATS, rng, players=15, rounds=8, plays=4)
    scores = league.results.margin * 2.0 / 3.0
    mean, variance = three_seat_posterior(league.results, scores, THREE_SEATS)
    found = fit(league.results, THREE_SEATS)
    assert found.skill == pytest.approx(mean, abs=1e-4)
    assert found.variance == pytest.approx(variance, rel=1e-6)


def test_three_players_are_ranked_by_skill_after_fifty_games() -> None:
    league = even_league(THREE_SEATS, np.random.default_rng(4), players=90, rounds=50, plays=10)
    found = fit(league.results, THREE_SEATS)
    first, second = (
        np.argsort(np.argsort(skill)).astype(float) for skill in (found.skill, league.skill)
    )
    assert np.corrcoef(first, second)[0, 1] > 0.70


def test_a_newcomer_has_the_same_rd_with_three_seats() -> None:
    nobody = Results.from_relative(np.empty((0, 3)), [], np.empty((0, 3)))
    newcomer = replace(nobody, player_count=1)
    assert fit(newcomer, THREE_SEATS).rd == pytest.approx([49.40], abs=0.01)


def test_the_order_of_rows_and_the_numbering_do_not_matter() -> None:
    results = small_league()
    rng = np.random.default_rng(5)
    order = rng.permutation(len(results))
    people, games = rng.permutation(results.player_count), rng.permutation(results.game_count)
    shuffled = Results.from_margins(
        *people[results.players[order]].T, games[results.game[order]], results.margin[order, 0]
    )
    plain, other = fit(results, TWO_SEATS), fit(shuffled, TWO_SEATS)
    assert other.rating[people] == pytest.approx(plain.rating, abs=1e-3)
    assert other.rd[people] == pytest.approx(plain.rd, abs=1e-3)


def test_a_warm_start_saves_sweeps_without_changing_the_result() -> None:
    results = small_league()
    cold = fit(results, TWO_SEATS)
    again = fit(results, TWO_SEATS, cold)
    assert again.sweeps == 1
    assert again.rating == pytest.approx(cold.rating, abs=1e-3)


def test_a_warm_start_may_know_fewer_players() -> None:
    results = small_league()
    found = fit(results, TWO_SEATS, fit(fixtures.pairs(-13), TWO_SEATS))
    assert found.rating == pytest.approx(fit(results, TWO_SEATS).rating, abs=1e-3)


def test_a_deleted_player_leaves_no_trace() -> None:
    results = small_league()
    cheat = 4
    never = [t for t in range(len(results)) if cheat not in results.players[t]]
    without = fit(results.without([cheat]), TWO_SEATS)
    expected = two_seat_solution(results.rows(never), replace(TWO_SEATS, margin_limit=None))
    assert without.skill == pytest.approx(expected[: results.player_count], abs=1e-4)
    assert without.rating[cheat] == 1500.0


def test_deleting_a_player_changes_the_others_ratings() -> None:
    results = small_league()
    change = fit(results.without([4]), TWO_SEATS).rating - fit(results, TWO_SEATS).rating
    assert np.abs(np.delete(change, 4)).min() > 0.01


def test_two_friends_who_meet_a_thousand_times_do_not_stall_the_fit() -> None:
    results = Results.from_margins([0] * 1000, [1] * 1000, np.arange(1000), [7] * 1000)
    found = fit(results, TWO_SEATS)
    assert found.sweeps < 20
    expected = two_seat_solution(results, TWO_SEATS)[:2]
    assert found.skill == pytest.approx(expected, abs=1e-4)


def test_margins_are_capped_at_the_limit() -> None:
    assert fit(fixtures.pairs(-95), TWO_SEATS).rating == pytest.approx(
        fit(fixtures.pairs(-60), TWO_SEATS).rating
    )


def test_approximate_uncertainty_is_within_three_percent_of_exact() -> None:
    results = random_league(
        TWO_SEATS, np.random.default_rng(6), players=100, rows=2000, games=200
    ).results
    exact = uncertainty.exact_variances(results, TWO_SEATS)
    passed = uncertainty.approximate_variances(results, TWO_SEATS, np.ones(results.players.shape))
    assert np.sqrt(passed / exact) == pytest.approx(np.ones(100), abs=0.03)


@pytest.mark.parametrize("constants", [TWO_SEATS, THREE_SEATS])
@pytest.mark.parametrize("games", [3, 30, 200])
def test_the_exact_uncertainty_is_that_of_the_full_posterior(
    constants: Constants, games: int
) -> None:
    """The reference inverts the full matrix of all players and all seats of all games."""
    seats, people = constants.seats, 12
    results = random_league(
        constants, np.random.default_rng(7), players=people, rows=200, games=games
    ).results
    centring = np.eye(seats) - 1.0 / seats
    design = np.zeros((len(results), seats, people + games * seats))
    for row, (who, game) in enumerate(zip(results.players, results.game, strict=True)):
        design[row][:, who] = centring
        design[row][:, people + game * seats : people + (game + 1) * seats] = centring
    flat = design.reshape(-1, design.shape[-1])
    contrast_noise = constants.noise * (seats - 1) / seats
    of_games = contrast_noise / constants.game_ratio
    prior = np.repeat([constants.tau2, of_games], [people, games * seats])
    posterior = np.linalg.inv(np.diag(1.0 / prior) + flat.T @ flat / contrast_noise)
    assert uncertainty.exact_variances(results, constants) == pytest.approx(
        np.diagonal(posterior)[:people], rel=1e-9
    )


def test_results_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        small_league().margin[0] = 3.0


def test_a_player_cannot_hold_two_seats() -> None:
    with pytest.raises(ValueError, match="two seats"):
        Results.from_margins([3], [3], [0], [10])


def test_constants_with_par_refuse_results_without() -> None:
    with pytest.raises(ValueError, match="needs the par"):
        fit(fixtures.pairs(-13), TWO_SEATS_PAR)


def test_three_seat_constants_refuse_two_seat_results() -> None:
    with pytest.raises(ValueError, match="for 3 seats"):
        fit(fixtures.pairs(-13), THREE_SEATS)


def test_constants_refuse_a_tau2_that_is_too_large() -> None:
    with pytest.raises(ValueError, match="below"):
        replace(TWO_SEATS, tau2=3.9)
