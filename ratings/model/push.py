"""The incremental push: what a new result changes, and nothing else.

A new result moves the players of its game, they move the other games they have played, those
move their players. The push follows this to whoever it moves by more than PUSHED_ELO and
leaves the rest for later: what they are owed is kept, and adds up until it is worth a move.
"""

from dataclasses import dataclass, replace

import numpy as np

from ratings.model.arrays import Floats, Ints, grown
from ratings.model.constants import Constants
from ratings.model.doubt import blur, passed_variances, told_share
from ratings.model.explain import Account, Part, explain
from ratings.model.fit import Fit, fit, forgetting_weights, mean_of_others
from ratings.model.ledger import Ledger
from ratings.model.results import Results
from ratings.model.scale import deviation, rating

PUSHED_ELO = 0.1
"""A player whom the news moves by less than this waits."""


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """One player's rating before and after a result, Elo, and why."""

    player: int
    before: Account
    after: Account

    @property
    def was(self) -> float:
        """Rating before, Elo."""
        return rating(self.before.skill, self.before.constants)

    @property
    def now(self) -> float:
        """Rating after, Elo."""
        return rating(self.after.skill, self.after.constants)

    def parts(self) -> tuple[Part, ...]:
        """Why it moved: parts that sum to the change."""
        return explain(self.before, self.after)


class Push:
    """All results and ratings in memory, kept up with each new result.

    Not safe for several threads at once. Starts from a full fit and is as good as one: the
    ratings stay within 0.2 Elo of it for tens of thousands of results.
    """

    def __init__(self, results: Results, constants: Constants, start: Fit | None = None) -> None:
        self.constants = constants
        self._threshold = PUSHED_ELO / constants.elo_per_point
        self._ratio = constants.player_ratio
        others = constants.seats - 1
        self._pull = np.eye(others + 1) * (1.0 + 1.0 / others) - 1.0 / others
        """(n, n): how a point of skill of the first seat shows in the margin of the second."""
        self.ledger = Ledger(results, constants)
        found = start or fit(results, constants)
        self._skill = np.array(found.skill)
        self._effect_sum = np.zeros((results.game_count, constants.seats))
        """(games, n): summed margin less seat, par and skill of each game's results."""
        self._plays = np.bincount(results.game, minlength=results.game_count)
        self._effect_sum += found.effect * (self._plays + constants.game_ratio)[:, np.newaxis]
        self._take_stock(results)

    def _take_stock(self, results: Results) -> None:
        """The sums of each player, over all results."""
        weight = forgetting_weights(results, self.constants)
        players, count = results.players.ravel(), results.player_count
        held = self._skill[results.players]
        effect = self._effect(results.game)
        self.ledger.effect_known[:] = effect
        self.ledger.others_known[:] = mean_of_others(held)
        said = weight * (self.ledger.left - effect + self.ledger.others_known)
        self._weight_sum = np.bincount(players, weight.ravel(), count).astype(np.float64)
        self._said_sum = np.bincount(players, said.ravel(), count).astype(np.float64)
        self._doubt = passed_variances(results, self.constants, weight)
        """(players,): variance of skill as the opponents of each player know it."""
        self._news = 1.0 / self._doubt - 1.0 / self.constants.tau2
        """(players,): inverse variance that the results of each player bring."""

    def skill(self, player: int) -> float:
        """Points."""
        return float(self._skill[player])

    def rating(self, player: int) -> float:
        """Elo."""
        return rating(float(self._skill[player]), self.constants)

    def rd(self, player: int) -> float:
        """Elo."""
        return deviation(self._variance(player), self.constants)

    def account(self, player: int) -> Account:
        """What the rating of `player` rests on, as of the last time that it moved."""
        ledger = self.ledger
        places = ledger.places(player)
        rows = places // self.constants.seats
        return Account(
            constants=self.constants,
            skill=float(self._skill[player]),
            key=ledger.key[rows],
            game=ledger.game[rows],
            weight=ledger.weight(rows).ravel()[_own(places, self.constants.seats)],
            left=ledger.left.ravel()[places],
            effect=ledger.effect_known.ravel()[places],
            others=ledger.others_known.ravel()[places],
        )

    def add(self, result: Results) -> tuple[Move, ...]:
        """Take in one result (one row); say who moved, the seated players first.

        Players and games that were not there before must be the next numbers. Raises
        ValueError for any other number of rows.
        """
        if len(result) != 1:
            raise ValueError(f"one result at a time, not {len(result)}")
        seated = result.players[0].tolist()
        self._make_room(result.player_count, result.game_count)
        before = {player: self.account(player) for player in seated}
        after: dict[int, Account] = {}
        waiting = dict.fromkeys(self._enter(result))

        def settle(player: int) -> None:
            known = after.get(player) or self.account(player)
            before.setdefault(player, known)
            after[player], owed = self._settle(player, known)
            waiting.update(dict.fromkeys(owed))

        for player in seated:
            settle(player)
        while waiting:
            this_time = list(waiting)
            waiting.clear()
            for player in filter(self._is_owed, this_time):
                settle(player)
        return tuple(Move(player, before[player], after[player]) for player in before)

    def _make_room(self, players: int, games: int) -> None:
        """Room for so many players and games; new ones know and are known for nothing."""
        self.ledger.make_room(players, games)
        self._skill = grown(self._skill, players)
        self._weight_sum = grown(self._weight_sum, players)
        self._said_sum = grown(self._said_sum, players)
        self._news = grown(self._news, players)
        self._doubt = grown(self._doubt, players, self.constants.tau2)
        self._effect_sum = grown(self._effect_sum, games)
        self._plays = grown(self._plays, games)

    def _effect(self, games: Ints) -> Floats:
        """(games, n): what each seat of these games is worth, points."""
        shrunk = self._plays[games] + self.constants.game_ratio
        return np.asarray(self._effect_sum[games] / shrunk[:, np.newaxis])

    def _owed(self, players: Ints) -> list[int]:
        """Those of `players`, some perhaps twice, to whom the results owe a move."""
        due = self._said_sum[players] / (self._weight_sum[players] + self._ratio)
        owed: list[int] = players[np.abs(due - self._skill[players]) > self._threshold].tolist()
        return owed

    def _is_owed(self, player: int) -> bool:
        """Whether the results owe a move to `player`."""
        due = self._said_sum[player] / (self._weight_sum[player] + self._ratio)
        return bool(abs(due - self._skill[player]) > self._threshold)

    def _enter(self, result: Results) -> list[int]:
        """Take the row into all sums; return who is owed a move by it."""
        seated, game = result.players[0], result.game
        left = result.unexplained(self.constants)[0]
        earlier = self.ledger.rows_of_games(game.tolist())
        self._add_news(earlier, -1.0)
        effect_before = self._effect(game)
        others = mean_of_others(self._skill[seated])
        self._effect_sum[game] += left - self._skill[seated] + others
        self._plays[game] += 1
        effect = self._effect(game)
        row = self.ledger.append(seated, int(game[0]), left, int(result.key[0]))
        for sums in (self._news, self._said_sum, self._weight_sum):
            sums[seated] *= self.constants.fading
        self._weight_sum[seated] += 1.0
        self._said_sum[seated] += left - effect[0] + others
        lost = self.ledger.weight(earlier) * (effect - effect_before)
        np.subtract.at(self._said_sum, self.ledger.players[earlier], lost)
        self._add_news(np.append(earlier, row), 1.0)
        for player in seated.tolist():
            self._tell_doubt(player)
        return self._owed(self.ledger.players[earlier].ravel())

    def _add_news(self, rows: Ints, sign: float) -> None:
        """Add to (or take from) each player's news what these rows tell."""
        players = self.ledger.players[rows]
        held = self._doubt[players]
        others = held.sum(axis=1, keepdims=True) - held
        told = told_share(self._plays[self.ledger.game[rows]], self.constants)[:, np.newaxis]
        news = self.ledger.weight(rows) * told / blur(others, self.constants)
        np.add.at(self._news, players, sign * news)

    def _tell_doubt(self, player: int) -> None:
        """Let the opponents of `player` know how sure that rating now is."""
        rows = self.ledger.places(player) // self.constants.seats
        variance = self._variance(player)
        self._add_news(rows, -1.0)
        self._doubt[player] = variance
        self._add_news(rows, 1.0)

    def _variance(self, player: int) -> float:
        """Of a player's skill, points squared."""
        return 1.0 / (1.0 / self.constants.tau2 + float(self._news[player]))

    def _settle(self, player: int, known: Account) -> tuple[Account, list[int]]:
        """Move a player to what the results say; the new account, and who is owed a move by it.

        `known` is the account so far. The games follow the player at once, so the step allows
        for their answer.
        """
        ledger, n = self.ledger, self.constants.seats
        places = ledger.places(player)
        rows, seats = np.divmod(places, n)
        games, which = np.unique(known.game, return_inverse=True)
        plays = self._plays[games]
        shrunk = (plays + self.constants.game_ratio)[:, np.newaxis]
        pull = self._pull[seats]
        reach = np.zeros((len(games), n))
        np.add.at(reach, which, pull)
        answer = reach / shrunk
        effect = self._effect_sum[games] / shrunk
        own = which * n + seats
        skill = float(self._skill[player])
        others = (self._skill[ledger.players[rows]].sum(axis=1) - skill) / (n - 1)
        said_sum = float(known.weight @ (known.left - effect.ravel()[own] + others))
        answered = float(known.weight @ answer.ravel()[own])
        total = float(self._weight_sum[player]) + self._ratio
        step = (said_sum - total * skill) / (total - answered)

        self._skill[player] = skill + step
        self._effect_sum[games] -= reach * step
        touched = ledger.rows_of_games(games.tolist())
        gain = ledger.weight(touched) * np.repeat(answer * step, plays, axis=0)
        np.add.at(self._said_sum, ledger.players[touched], gain)
        np.add.at(self._said_sum, ledger.players[rows], -step * pull * ledger.weight(rows))
        self._said_sum[player] = said_sum + answered * step
        effect -= answer * step
        now = replace(known, skill=skill + step, effect=effect.ravel()[own], others=others)
        ledger.effect_known.ravel()[places] = now.effect
        ledger.others_known.ravel()[places] = now.others
        return now, self._owed(ledger.players[touched].ravel())


def _own(places: Ints, seats: int) -> Ints:
    """Where each place stands in an array (rows, n) that has only the rows of these places."""
    return np.asarray(np.arange(len(places)) * seats + places % seats)
