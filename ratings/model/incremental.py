"""Incremental update of ratings after each new result.

A new result changes the skills of its players. These change the effects of the other games they
have played, and those change the skills of further players. The update follows this chain to
every player whose rating changes by more than UPDATE_THRESHOLD_ELO. Smaller changes are kept and
add up until they exceed it.
"""

from dataclasses import dataclass, replace

import numpy as np

from ratings.model.arrays import Floats, Ints, with_capacity
from ratings.model.constants import Constants
from ratings.model.explain import Breakdown, Part, explain
from ratings.model.fit import Fit, fit, forgetting_weights, mean_of_others
from ratings.model.ledger import Ledger
from ratings.model.results import Results
from ratings.model.scale import deviation, rating
from ratings.model.uncertainty import approximate_variances, information_share, result_variance

UPDATE_THRESHOLD_ELO = 0.1
"""Smallest pending change, in Elo, that updates a player."""


@dataclass(frozen=True, slots=True, eq=False)
class RatingShift:
    """One player's rating before and after a result, and the reasons."""

    player: int
    before: Breakdown
    after: Breakdown

    @property
    def was(self) -> float:
        """Rating before, Elo."""
        return rating(self.before.skill, self.before.constants)

    @property
    def now(self) -> float:
        """Rating after, Elo."""
        return rating(self.after.skill, self.after.constants)

    def parts(self) -> tuple[Part, ...]:
        """Return the parts that sum to the change."""
        return explain(self.before, self.after)


class IncrementalRatings:
    """All results and ratings in memory, updated with each new result.

    Not thread-safe. It starts from a full fit, and the ratings stay within 0.2 Elo of a full fit
    for tens of thousands of results.
    """

    def __init__(self, results: Results, constants: Constants, start: Fit | None = None) -> None:
        self.constants = constants
        self._threshold = UPDATE_THRESHOLD_ELO / constants.elo_per_point
        self._ratio = constants.player_ratio
        others = constants.seats - 1
        self._response = np.eye(others + 1) * (1.0 + 1.0 / others) - 1.0 / others
        """(n, n): change of the second seat's margin per point of the first seat's skill."""
        self.ledger = Ledger(results, constants)
        found = start or fit(results, constants)
        self._skill = np.array(found.skill)
        self._effect_sum = np.zeros((results.game_count, constants.seats))
        """(games, n): sum of the margins of each game, adjusted for seat, par and skill."""
        self._plays = np.bincount(results.game, minlength=results.game_count)
        self._effect_sum += found.effect * (self._plays + constants.game_ratio)[:, np.newaxis]
        self._sum_results(results)

    def _sum_results(self, results: Results) -> None:
        """Compute the sums of each player over all results."""
        weight = forgetting_weights(results, self.constants)
        players, count = results.players.ravel(), results.player_count
        held = self._skill[results.players]
        effect = self._effect(results.game)
        self.ledger.known_effect[:] = effect
        self.ledger.known_others[:] = mean_of_others(held)
        skill = weight * (self.ledger.adjusted - effect + self.ledger.known_others)
        self._weight_sum = np.bincount(players, weight.ravel(), count).astype(np.float64)
        self._skill_sum = np.bincount(players, skill.ravel(), count).astype(np.float64)
        """(players,): weighted sum of the skills that the results imply, points."""
        self._known_variance = approximate_variances(results, self.constants, weight)
        """(players,): variance of each skill that the information of opponents is based on."""
        self._information = 1.0 / self._known_variance - 1.0 / self.constants.tau2
        """(players,): information (inverse variance) from the results of each player."""

    def skill(self, player: int) -> float:
        """Return the skill of `player`, points."""
        return float(self._skill[player])

    def rating(self, player: int) -> float:
        """Return the rating of `player`, Elo."""
        return rating(float(self._skill[player]), self.constants)

    def rd(self, player: int) -> float:
        """Return the rating deviation of `player`, Elo."""
        return deviation(self._variance(player), self.constants)

    def breakdown(self, player: int) -> Breakdown:
        """Return the results behind the rating of `player`, as of its last update."""
        ledger = self.ledger
        places = ledger.places(player)
        rows = places // self.constants.seats
        return Breakdown(
            constants=self.constants,
            skill=float(self._skill[player]),
            key=ledger.key[rows],
            game=ledger.game(rows),
            weight=ledger.weight(rows).ravel()[_own(places, self.constants.seats)],
            adjusted=ledger.adjusted.ravel()[places],
            effect=ledger.known_effect.ravel()[places],
            others=ledger.known_others.ravel()[places],
        )

    def add(self, result: Results) -> tuple[RatingShift, ...]:
        """Add one result (one row). Return all changes, those of its players first.

        New players and games must have the next numbers. Raises ValueError for any other number
        of rows.
        """
        if len(result) != 1:
            raise ValueError(f"expected one result, got {len(result)}")
        seated = result.players[0].tolist()
        self._make_room(result.player_count, result.game_count)
        before = {player: self.breakdown(player) for player in seated}
        after: dict[int, Breakdown] = {}
        pending = dict.fromkeys(self._add_row(result))

        def update(player: int) -> None:
            known = after.get(player) or self.breakdown(player)
            before.setdefault(player, known)
            after[player], due = self._update_player(player, known)
            pending.update(dict.fromkeys(due))

        for player in seated:
            update(player)
        while pending:
            batch = list(pending)
            pending.clear()
            for player in filter(self._is_due, batch):
                update(player)
        return tuple(RatingShift(player, before[player], after[player]) for player in before)

    def _make_room(self, players: int, games: int) -> None:
        """Grow the arrays to at least `players` and `games`; new entries have no results."""
        self.ledger.make_room(players, games)
        self._skill = with_capacity(self._skill, players)
        self._weight_sum = with_capacity(self._weight_sum, players)
        self._skill_sum = with_capacity(self._skill_sum, players)
        self._information = with_capacity(self._information, players)
        self._known_variance = with_capacity(self._known_variance, players, self.constants.tau2)
        self._effect_sum = with_capacity(self._effect_sum, games)
        self._plays = with_capacity(self._plays, games)

    def _effect(self, games: Ints) -> Floats:
        """(games, n): value of each seat of these games, points."""
        shrunk = self._plays[games] + self.constants.game_ratio
        return np.asarray(self._effect_sum[games] / shrunk[:, np.newaxis])

    def _due_players(self, players: Ints) -> list[int]:
        """Return the `players` whose pending change exceeds the threshold, perhaps repeated."""
        target = self._skill_sum[players] / (self._weight_sum[players] + self._ratio)
        due: list[int] = players[np.abs(target - self._skill[players]) > self._threshold].tolist()
        return due

    def _is_due(self, player: int) -> bool:
        """Whether the pending change of `player` exceeds the threshold."""
        target = self._skill_sum[player] / (self._weight_sum[player] + self._ratio)
        return bool(abs(target - self._skill[player]) > self._threshold)

    def _add_row(self, result: Results) -> list[int]:
        """Add the row to the ledger and all sums; return the other players who are due."""
        seated, game = result.players[0], result.game
        adjusted = result.adjusted_margins(self.constants)[0]
        earlier = self.ledger.rows_of_games(game.tolist())
        self._add_information(earlier, -1.0)
        effect_before = self._effect(game)
        others = mean_of_others(self._skill[seated])
        self._effect_sum[game] += adjusted - self._skill[seated] + others
        self._plays[game] += 1
        effect = self._effect(game)
        row = self.ledger.append(seated, int(game[0]), adjusted, int(result.key[0]))
        for sums in (self._information, self._skill_sum, self._weight_sum):
            sums[seated] *= self.constants.fading
        self._weight_sum[seated] += 1.0
        self._skill_sum[seated] += adjusted - effect[0] + others
        lost = self.ledger.weight(earlier) * (effect - effect_before)
        np.subtract.at(self._skill_sum, self.ledger.players(earlier), lost)
        self._add_information(np.append(earlier, row), 1.0)
        for player in seated.tolist():
            self._publish_variance(player)
        return self._due_players(self.ledger.players(earlier).ravel())

    def _add_information(self, rows: Ints, sign: float) -> None:
        """Add the information of these rows to that of their players; subtract with sign -1."""
        players = self.ledger.players(rows)
        held = self._known_variance[players]
        others = held.sum(axis=1, keepdims=True) - held
        share = information_share(self._plays[self.ledger.game(rows)], self.constants)
        weight = self.ledger.weight(rows) * share[:, np.newaxis]
        np.add.at(
            self._information, players, sign * weight / result_variance(others, self.constants)
        )

    def _publish_variance(self, player: int) -> None:
        """Update the information of the opponents of `player` with the current variance."""
        rows = self.ledger.places(player) // self.constants.seats
        variance = self._variance(player)
        self._add_information(rows, -1.0)
        self._known_variance[player] = variance
        self._add_information(rows, 1.0)

    def _variance(self, player: int) -> float:
        """Return the variance of a player's skill, points squared."""
        return 1.0 / (1.0 / self.constants.tau2 + float(self._information[player]))

    def _update_player(self, player: int, known: Breakdown) -> tuple[Breakdown, list[int]]:
        """Set a player's skill to its fixed point; return the new breakdown and who is then due.

        `known` is the breakdown so far. The effects of the player's games respond to the step at
        once, so the step is solved together with their response.
        """
        ledger, n = self.ledger, self.constants.seats
        places = ledger.places(player)
        rows, seats = np.divmod(places, n)
        games, which = np.unique(known.game, return_inverse=True)
        plays = self._plays[games]
        shrunk = (plays + self.constants.game_ratio)[:, np.newaxis]
        response = self._response[seats]
        game_response = np.zeros((len(games), n))
        np.add.at(game_response, which, response)
        effect_response = game_response / shrunk
        effect = self._effect_sum[games] / shrunk
        own = which * n + seats
        skill = float(self._skill[player])
        others = (self._skill[ledger.players(rows)].sum(axis=1) - skill) / (n - 1)
        skill_sum = float(known.weight @ (known.adjusted - effect.ravel()[own] + others))
        own_response = float(known.weight @ effect_response.ravel()[own])
        total = float(self._weight_sum[player]) + self._ratio
        step = (skill_sum - total * skill) / (total - own_response)

        self._skill[player] = skill + step
        self._effect_sum[games] -= game_response * step
        touched = ledger.rows_of_games(games.tolist())
        gain = ledger.weight(touched) * np.repeat(effect_response * step, plays, axis=0)
        np.add.at(self._skill_sum, ledger.players(touched), gain)
        np.add.at(self._skill_sum, ledger.players(rows), -step * response * ledger.weight(rows))
        self._skill_sum[player] = skill_sum + own_response * step
        effect -= effect_response * step
        now = replace(known, skill=skill + step, effect=effect.ravel()[own], others=others)
        ledger.known_effect.ravel()[places] = now.effect
        ledger.known_others.ravel()[places] = now.others
        return now, self._due_players(ledger.players(touched).ravel())


def _own(places: Ints, seats: int) -> Ints:
    """Return the flat index of each place in an array (rows, n) of the rows of these places."""
    return np.asarray(np.arange(len(places)) * seats + places % seats)
