"""Results as columns: the only input of the rating model."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import Constants


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """T results of games with n seats (2 or 3), in the order in which the games ended.

    Players and games are numbered from 0. The columns are read-only, so no fit can change a
    result.
    """

    players: Ints
    """(T, n): the player in each seat."""
    game: Ints
    """(T,): the standard game."""
    margin: Floats
    """(T, n): each seat's score minus the mean score of the other seats, points."""
    par: Floats | None
    """(T, n): mean relative margin of computer players in that seat, points; None: unknown."""
    key: Ints
    """(T,): permanent key of each row, for comparisons of two fits."""
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
        """Return zero results of games with `seats` seats."""
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
        """Build results of two players; `margin` and `par` are those of seat 0 (first dealer)."""
        both = None if par is None else mirrored(par)
        return cls.from_relative(
            np.column_stack([seat0, seat1]), game, mirrored(margin), par=both, key=key
        )

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
        """Build results from relative margins (T, n).

        Raises ValueError if a player holds two seats of one game, or if shapes differ.
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

    def adjusted_margins(self, constants: Constants) -> Floats:
        """(T, n): margins, clipped to the limit, minus seat and par; cards and skill remain.

        Raises ValueError if the constants need a par that is unknown, or are for another number
        of seats.
        """
        if self.players.shape[1] != constants.seats:
            raise ValueError(f"{constants.version} is for {constants.seats} seats")
        adjusted = self.margin
        if constants.margin_limit is not None:
            adjusted = clip_rows(adjusted, constants.margin_limit)
        adjusted = adjusted - np.array(constants.mu)
        if constants.beta:
            if self.par is None:
                raise ValueError(f"{constants.version} needs the par of each game")
            adjusted -= constants.beta * self.par
        return np.asarray(adjusted)

    def without(self, players: ArrayLike) -> "Results":
        """Return the results of games in which none of `players` sat."""
        return self.rows(~np.isin(self.players, np.asarray(players, np.intp)).any(axis=1))

    def rows(self, chosen: ArrayLike) -> "Results":
        """Return the chosen rows (a mask or an index), without renumbering players or games."""
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
    """(T, n): each seat's score minus the mean of the others, from scores (T, n)."""
    table = np.asarray(scores, np.float64)
    others = (table.sum(axis=-1, keepdims=True) - table) / (table.shape[-1] - 1)
    return np.asarray(table - others)


def clip_rows(margin: Floats, limit: float) -> Floats:
    """(T, n): margins with each row scaled down so that no seat exceeds the limit."""
    largest = np.abs(margin).max(axis=1, initial=limit, keepdims=True)
    return np.asarray(margin * (limit / largest))


def mirrored(margin: ArrayLike) -> Floats:
    """(T, 2): margins of both seats, from the margins of seat 0."""
    first = np.asarray(margin, np.float64)
    return np.stack([first, -first], axis=1)
