"""Append-only columns of results, indexed by player and by game."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ratings.model.arrays import Floats, Ints, with_capacity
from ratings.model.constants import Constants
from ratings.model.fit import own_games_since
from ratings.model.results import Results


class Ledger:
    """Rows of results in growing arrays; `adjusted` holds `Results.adjusted_margins`."""

    def __init__(self, results: Results, constants: Constants) -> None:
        self.constants = constants
        self.size = len(results)
        self.players = results.players.copy()
        self.game = results.game.copy()
        self.key = results.key.copy()
        self.adjusted = results.adjusted_margins(constants)
        self.known_effect = np.zeros(self.adjusted.shape)
        """(T, n): value of each seat at the last update of its player, points."""
        self.known_others = np.zeros(self.adjusted.shape)
        """(T, n): mean skill of the others at the last update of each seat's player, points."""
        held = np.bincount(results.players.ravel(), minlength=results.player_count)
        self.games_of_player = held
        since = own_games_since(results)
        self.ordinal = held[results.players] - 1 - since
        """(T, n): number of earlier results of each player of a result."""
        self.places_of_player = _groups(results.players.ravel(), results.player_count)
        self.rows_of_game = _groups(results.game, results.game_count)

    def append(self, players: Ints, game: int, adjusted: Floats, key: int) -> int:
        """Append one result and return its row; call `make_room` for it first."""
        row = self.size
        self._make_row()
        self.players[row], self.game[row] = players, game
        self.adjusted[row], self.key[row] = adjusted, key
        self.ordinal[row] = self.games_of_player[players]
        self.games_of_player[players] += 1
        for seat, player in enumerate(players.tolist()):
            self.places_of_player[player].append(row * len(players) + seat)
        self.rows_of_game[game].append(row)
        self.size += 1
        return row

    def rows_of_games(self, games: Sequence[int]) -> Ints:
        """Return the rows of `games`."""
        return np.array([row for game in games for row in self.rows_of_game[game]], np.intp)

    def places(self, player: int) -> Ints:
        """Return row * n + seat for each result of `player`, in the order of rows."""
        return np.array(self.places_of_player[player], np.intp)

    def weight(self, rows: Ints) -> Floats:
        """(rows, n): current weight of each row for each of its players."""
        fading = self.constants.fading
        if fading == 1.0:
            return np.ones((len(rows), self.constants.seats))
        since = self.games_of_player[self.players[rows]] - 1 - self.ordinal[rows]
        return np.asarray(fading ** since.astype(np.float64))

    def make_room(self, players: int, games: int) -> None:
        """Grow the indices to at least `players` and `games`."""
        self.places_of_player += [[] for _ in range(players - len(self.places_of_player))]
        self.rows_of_game += [[] for _ in range(games - len(self.rows_of_game))]
        self.games_of_player = with_capacity(self.games_of_player, players)

    def _make_row(self) -> None:
        """Grow the columns by one row."""
        rows = self.size + 1
        self.players = with_capacity(self.players, rows)
        self.game = with_capacity(self.game, rows)
        self.key = with_capacity(self.key, rows)
        self.adjusted = with_capacity(self.adjusted, rows)
        self.ordinal = with_capacity(self.ordinal, rows)
        self.known_effect = with_capacity(self.known_effect, rows)
        self.known_others = with_capacity(self.known_others, rows)


def _groups(member: Ints, count: int) -> list[list[int]]:
    """Return the indices of the members of each of `count` groups; `member[i]` is i's group."""
    order = np.argsort(member, kind="stable").tolist()
    ends = np.cumsum(np.bincount(member, minlength=count)).tolist()
    return [order[start:end] for start, end in pairwise([0, *ends])]
