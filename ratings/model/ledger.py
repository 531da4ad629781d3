"""Append-only columns of results, indexed by player and by game."""

from collections.abc import Sequence

import numpy as np

from ratings.model.arrays import Floats, Ints, with_capacity
from ratings.model.constants import Constants
from ratings.model.fit import own_games_since
from ratings.model.groups import Groups, Small
from ratings.model.results import Results


class Ledger:
    """Rows of results in growing arrays; `adjusted` holds `Results.adjusted_margins`.

    A process keeps all rated results in one: about 80 bytes for each result of two players.
    """

    def __init__(self, results: Results, constants: Constants) -> None:
        self.constants = constants
        self.size = len(results)
        self._players: Small = results.players.astype(np.int32)
        self._game: Small = results.game.astype(np.int32)
        self.key = results.key.copy()
        self.adjusted = results.adjusted_margins(constants)
        self.known_effect = np.zeros(self.adjusted.shape)
        """(T, n): value of each seat at the last update of its player, points."""
        self.known_others = np.zeros(self.adjusted.shape)
        """(T, n): mean skill of the others at the last update of each seat's player, points."""
        held = np.bincount(results.players.ravel(), minlength=results.player_count)
        self.games_of_player = held
        self._fades = constants.fading != 1.0
        shape = self._players.shape if self._fades else (0, constants.seats)
        self._ordinal: Small = np.zeros(shape, np.int32)
        """(T, n): number of earlier results of each player of a result; empty without fading."""
        if self._fades:
            self._ordinal[:] = held[results.players] - 1 - own_games_since(results)
        self._places_of_player = Groups(self._players.ravel(), results.player_count)
        self._rows_of_game = Groups(self._game, results.game_count)

    def append(self, players: Ints, game: int, adjusted: Floats, key: int) -> int:
        """Append one result and return its row; call `make_room` for it first."""
        row = self.size
        self._make_row()
        self._players[row], self._game[row] = players, game
        self.adjusted[row], self.key[row] = adjusted, key
        if self._fades:
            self._ordinal[row] = self.games_of_player[players]
        self.games_of_player[players] += 1
        for seat, player in enumerate(players.tolist()):
            self._places_of_player.add(player, row * len(players) + seat)
        self._rows_of_game.add(game, row)
        self.size += 1
        return row

    def players(self, rows: Ints) -> Ints:
        """(rows, n): the players of these rows."""
        return self._players[rows].astype(np.intp)

    def game(self, rows: Ints) -> Ints:
        """(rows,): the games of these rows."""
        return self._game[rows].astype(np.intp)

    def rows_of_games(self, games: Sequence[int]) -> Ints:
        """Return the rows of `games`."""
        return self._rows_of_game.of(*games)

    def places(self, player: int) -> Ints:
        """Return row * n + seat for each result of `player`, in the order of rows."""
        return self._places_of_player.of(player)

    def weight(self, rows: Ints) -> Floats:
        """(rows, n): current weight of each row for each of its players."""
        if not self._fades:
            return np.ones((len(rows), self.constants.seats))
        since = self.games_of_player[self.players(rows)] - 1 - self._ordinal[rows]
        return np.asarray(self.constants.fading ** since.astype(np.float64))

    def make_room(self, players: int, games: int) -> None:
        """Grow the indices to at least `players` and `games`."""
        self._places_of_player.make_room(players)
        self._rows_of_game.make_room(games)
        self.games_of_player = with_capacity(self.games_of_player, players)

    def _make_row(self) -> None:
        """Grow the columns by one row."""
        rows = self.size + 1
        self._players = with_capacity(self._players, rows)
        self._game = with_capacity(self._game, rows)
        self.key = with_capacity(self.key, rows)
        self.adjusted = with_capacity(self.adjusted, rows)
        if self._fades:
            self._ordinal = with_capacity(self._ordinal, rows)
        self.known_effect = with_capacity(self.known_effect, rows)
        self.known_others = with_capacity(self.known_others, rows)
