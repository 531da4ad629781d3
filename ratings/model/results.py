"""Results as columns: what the rating model reads, and nothing else it can depend on."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import Constants


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """T results of games with n seats (2 or 3); rows are in the order in which they ended.

    Players and games are numbered from 0. The columns are read-only: no fit can change a
    result, and so neither a win nor a loss.
    """

    players: Ints
    """(T, n): who held each seat."""
    game: Ints
    """(T,): which standard game."""
    margin: Floats
    """(T, n): each seat's score minus the mean score of the other seats, points."""
    par: Floats | None
    """(T, n): what computer players got there, measured as `margin` is; None: not known."""
    key: Ints
    """(T,): names a row for good, so that two fits can be compared."""
    player_count: int
    game_count: int

    def __post_init__(self) -> None:
        for column in (self.players, self.game, self.margin, self.par, self.key):
            if column is not None:
                column.flags.writeable = False

    def __len__(self) -> int:
        return len(self.game)

    @classmethod
    def empty(cls, seats: int) -> "Results":
        """No results yet, of games for so many seats."""
        nothing = np.empty((0, seats))
        return cls.from_relative(nothing, [], nothing, par=nothing)

    @classmethod
    def from_margins(
        cls,
        seat0: ArrayLike,
        seat1: ArrayLike,
        game: ArrayLike,
        margin: ArrayLike,
        *,
        par: ArrayLike | None = None,
        key: ArrayLike | None = None,
    ) -> "Results":
        """Results of two players: `margin` and `par` as seat 0 (the first dealer) sees them."""
        both = None if par is None else mirrored(par)
        return cls.from_relative(
            np.column_stack([seat0, seat1]), game, mirrored(margin), par=both, key=key
        )

    @classmethod
    def from_scores(
        cls,
        players: ArrayLike,
        game: ArrayLike,
        scores: ArrayLike,
        *,
        par: ArrayLike | None = None,
        key: ArrayLike | None = None,
    ) -> "Results":
        """Results from the final scores (T, n) of each seat; `par` (T, n) as relative margins."""
        return cls.from_relative(players, game, relative_margins(scores), par=par, key=key)

    @classmethod
    def from_relative(
        cls,
        players: ArrayLike,
        game: ArrayLike,
        margin: ArrayLike,
        *,
        par: ArrayLike | None = None,
        key: ArrayLike | None = None,
    ) -> "Results":
        """Results from relative margins (T, n).

        Raises ValueError where a player holds two seats of one game, or the shapes differ.
        """
        who = np.array(players, np.intp, order="C")
        games = np.array(game, np.intp)
        margins = np.array(margin, np.float64, order="C")
        if who.ndim != 2 or who.shape != margins.shape or len(games) != len(who):
            raise ValueError(f"players {who.shape}, margins {margins.shape}, games {games.shape}")
        if np.any(np.diff(np.sort(who, axis=1), axis=1) == 0):
            raise ValueError("a player holds two seats of one game")
        return cls(
            players=who,
            game=games,
            margin=margins,
            par=None if par is None else np.array(par, np.float64).reshape(who.shape),
            key=np.arange(len(games)) if key is None else np.array(key, np.intp),
            player_count=int(who.max(initial=-1)) + 1,
            game_count=int(games.max(initial=-1)) + 1,
        )

    def unexplained(self, constants: Constants) -> Floats:
        """(T, n): margins, cut off at the limit, less seat and par: left for cards and skill.

        Raises ValueError where the constants need a par that is not known, or other seats.
        """
        if self.players.shape[1] != constants.seats:
            raise ValueError(f"{constants.version} is for {constants.seats} seats")
        left = self.margin
        if constants.margin_limit is not None:
            left = pulled_in(left, constants.margin_limit)
        left = left - np.array(constants.mu)
        if constants.beta:
            if self.par is None:
                raise ValueError(f"{constants.version} needs the par of each game")
            left -= constants.beta * self.par
        return np.asarray(left)

    def without(self, players: ArrayLike) -> "Results":
        """The same results as if `players` had never sat down: none of their rows."""
        return self.rows(~np.isin(self.players, np.asarray(players, np.intp)).any(axis=1))

    def rows(self, chosen: ArrayLike) -> "Results":
        """The chosen rows (a mask or an index), with players and games numbered as before."""
        index = np.asarray(chosen)
        return replace(
            self,
            players=self.players[index],
            game=self.game[index],
            margin=self.margin[index],
            par=None if self.par is None else self.par[index],
            key=self.key[index],
        )


def relative_margins(scores: ArrayLike) -> Floats:
    """(T, n): each seat's score minus the mean of the others', from scores (T, n)."""
    table = np.asarray(scores, np.float64)
    others = (table.sum(axis=-1, keepdims=True) - table) / (table.shape[-1] - 1)
    return np.asarray(table - others)


def pulled_in(margin: Floats, limit: float) -> Floats:
    """(T, n): each row shrunk as a whole, so that none of its seats is beyond the limit."""
    largest = np.abs(margin).max(axis=1, initial=limit, keepdims=True)
    return np.asarray(margin * (limit / largest))


def mirrored(margin: ArrayLike) -> Floats:
    """(T, 2): a margin as both seats see it."""
    seen = np.asarray(margin, np.float64)
    return np.stack([seen, -seen], axis=1)
