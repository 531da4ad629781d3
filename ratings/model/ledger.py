"""Results that grow row by row, and who and which game is in which."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ratings.model.arrays import Floats, Ints, grown
from ratings.model.constants import Constants
from ratings.model.fit import own_games_since
from ratings.model.results import Results


class Ledger:
    """Rows of results in arrays with room to grow. `left` is what `unexplained` left."""

    def __init__(self, results: Results, constants: Constants) -> None:
        self.constants = constants
        self.size = len(results)
        self.players = results.players.copy()
        self.game = results.game.copy()
        self.key = results.key.copy()
        self.left = results.unexplained(constants)
        self.effect_known = np.zeros(self.left.shape)
        """(T, n): what each seat's player was last told that the seat is worth."""
        self.others_known = np.zeros(self.left.shape)
        """(T, n): what each seat's player was last told of the mean skill of the others."""
        held = np.bincount(results.players.ravel(), minlength=results.player_count)
        self.games_of_player = held
        since = own_games_since(results)
        self.ordinal = held[results.players] - 1 - since
        """(T, n): how many earlier results each player of a result has."""
        self.places_of_player = _groups(results.players.ravel(), results.player_count)
        self.rows_of_game = _groups(results.game, results.game_count)

    def append(self, players: Ints, game: int, left: Floats, key: int) -> int:
        """Add one result, for whose players and game there is room, and return its row."""
        row = self.size
        self._make_row()
        self.players[row], self.game[row] = players, game
        self.left[row], self.key[row] = left, key
        self.ordinal[row] = self.games_of_player[players]
        self.games_of_player[players] += 1
        for seat, player in enumerate(players.tolist()):
            self.places_of_player[player].append(row * len(players) + seat)
        self.rows_of_game[game].append(row)
        self.size += 1
        return row

    def rows_of_games(self, games: Sequence[int]) -> Ints:
        """All rows of some games."""
        return np.array([row for game in games for row in self.rows_of_game[game]], np.intp)

    def places(self, player: int) -> Ints:
        """Where a player sat: row * n + seat, for each row, in the order of rows."""
        return np.array(self.places_of_player[player], np.intp)

    def weight(self, rows: Ints) -> Floats:
        """(rows, n): what each row now counts for each of its players."""
        fading = self.constants.fading
        if fading == 1.0:
            return np.ones((len(rows), self.constants.seats))
        since = self.games_of_player[self.players[rows]] - 1 - self.ordinal[rows]
        return np.asarray(fading ** since.astype(np.float64))

    def make_room(self, players: int, games: int) -> None:
        """Have room for so many players and games."""
        self.places_of_player += [[] for _ in range(players - len(self.places_of_player))]
        self.rows_of_game += [[] for _ in range(games - len(self.rows_of_game))]
        self.games_of_player = grown(self.games_of_player, players)

    def _make_row(self) -> None:
        """Have room for one more row."""
        rows = self.size + 1
        self.players = grown(self.players, rows)
        self.game = grown(self.game, rows)
        self.key = grown(self.key, rows)
        self.left = grown(self.left, rows)
        self.ordinal = grown(self.ordinal, rows)
        self.effect_known = grown(self.effect_known, rows)
        self.others_known = grown(self.others_known, rows)


def _groups(member: Ints, count: int) -> list[list[int]]:
    """For each of `count` groups the indices of its members, where `member[i]` is i's group."""
    order = np.argsort(member, kind="stable").tolist()
    ends = np.cumsum(np.bincount(member, minlength=count)).tolist()
    return [order[start:end] for start, end in pairwise([0, *ends])]
