"""The season score: hand-computed games, and simulated players whose skill is known."""

import random
from collections import defaultdict

import pytest

from ratings.model.constants import TWO_SEATS_PAR, Constants
from ratings.seasons.scoring import AVERAGE_GAMES, Held, Total, add_game, medals, places

PLAIN = Constants("test", 2, sigma2=10.0, tau2=5.0, omega2=10.0, mu=(2.0, -2.0))
"""The cards' worth is the sum of the residuals over their number and one more."""


def table(number: int, players: tuple[int, int], margin: float, scored: bool = True) -> list[Held]:
    """Return both attempts of a table; the margin is that of the first dealer."""
    return [
        Held(number, 0, players[0], margin, scored),
        Held(number, 1, players[1], -margin, scored),
    ]


def total_of(attempts: list[Held], skills: dict[int, float]) -> dict[int, Total]:
    totals: dict[int, Total] = defaultdict(Total)
    add_game(totals, attempts, constants=PLAIN, par=None, skills=skills)
    return totals


def test_alone_a_margin_is_compared_with_the_seats_mean() -> None:
    totals = total_of(table(1, (1, 2), 12.0), {})
    assert totals[1].average == pytest.approx(10.0)
    assert totals[2].average == pytest.approx(-10.0)


def test_good_cards_are_taken_off_as_others_show_what_they_were_worth() -> None:
    attempts = table(1, (1, 2), 12.0) + table(2, (3, 4), 12.0, scored=False)
    totals = total_of(attempts, {})
    assert totals[1].average == pytest.approx(10.0 - 10.0 / 2)
    assert set(totals) == {1, 2}


def test_the_strength_of_opponents_and_of_the_others_is_allowed_for() -> None:
    attempts = table(1, (1, 2), 12.0) + table(2, (3, 4), 12.0, scored=False)
    totals = total_of(attempts, {2: 4.0, 3: 6.0, 4: 1.0})
    # Against an opponent 4 points above average; the other made 10 with a skill of 6 against 1.
    assert totals[1].average == pytest.approx(10.0 + 4.0 - (10.0 - 6.0 + 1.0) / 2)


def test_ones_own_rating_does_not_enter_ones_score() -> None:
    attempts = table(1, (1, 2), 12.0) + table(2, (3, 4), 5.0)
    assert total_of(attempts, {1: 9.0})[1] == total_of(attempts, {1: -9.0})[1]


def test_more_games_of_one_average_make_a_higher_score() -> None:
    few, many = Total(points=30.0, games=10), Total(points=90.0, games=30)
    assert few.average == many.average == 3.0
    assert few.score == 30.0 / (10 + AVERAGE_GAMES)
    assert many.score > few.score


def test_equal_scores_share_a_place_and_medals_follow_the_number_of_players() -> None:
    assert places([1.0, 3.0, 3.0, 2.0]) == [4, 1, 1, 3]
    assert [medals(number) for number in (0, 1, 3, 4, 7, 8, 500)] == [0, 1, 1, 2, 2, 3, 3]


def test_the_score_orders_simulated_players_by_skill_better_than_their_margins() -> None:
    rng = random.Random(5)
    constants = TWO_SEATS_PAR
    skill = {player: 8.0 * (player / 39 - 0.5) for player in range(40)}
    totals: dict[int, Total] = defaultdict(Total)
    raw: dict[int, list[float]] = defaultdict(list)
    for game in range(400):
        par = rng.gauss(0.0, 14.0)
        cards = constants.mu[0] + constants.beta * par + rng.gauss(0.0, constants.omega2**0.5)
        attempts: list[Held] = []
        sitting = rng.sample(range(40), 4)
        for number, (one, other) in enumerate((sitting[:2], sitting[2:])):
            margin = cards + skill[one] - skill[other] + rng.gauss(0.0, constants.sigma2**0.5)
            attempts += table(2 * game + number, (one, other), margin)
            raw[one].append(margin)
            raw[other].append(-margin)
        add_game(totals, attempts, constants=constants, par=(par, -par), skills=skill)

    def misplaced(value: dict[int, float]) -> int:
        order = sorted(value, key=lambda player: value[player])
        return sum(abs(place - player) for place, player in enumerate(order))

    by_score = misplaced({player: total.score for player, total in totals.items()})
    by_margin = misplaced({player: sum(found) / len(found) for player, found in raw.items()})
    assert by_score < by_margin
