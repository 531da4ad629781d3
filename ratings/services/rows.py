"""Rated plays read from the database for the model, one by one or all at once as columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from django.db import connection
from django.db.models import QuerySet

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import THREE_SEATS, TWO_SEATS_PAR, Constants
from ratings.model.results import Results
from ratings.models import Attempt, Play, StandardGame
from ratings.services import pars

CONSTANTS = {2: TWO_SEATS_PAR, 3: THREE_SEATS}
FEW = 500
"""Rows that are asked for by their keys."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rated play as the model wants it: keys of the database, margins from seat 0 on."""

    play: int
    sequence: int | None
    game: int
    players: tuple[int, ...]
    margins: tuple[float, ...]
    par: tuple[float, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """All T rated plays of n seats in the order of rating, under the keys of the database."""

    play: Ints
    sequence: Ints
    game: Ints
    players: Ints
    """(T, n)."""
    counted: Floats
    """(T, n): margins as they count, points."""
    used: Floats
    """(T, n): the same as the last refit has pulled them in."""
    par: Floats | None
    """(T, n), where the constants use it."""


class Numbers:
    """Numbers 0, 1, 2 ... for keys: those given first, then others as they are met."""

    def __init__(self, keys: Iterable[int] = ()) -> None:
        self.keys: list[int] = list(keys)
        self._numbers = {key: number for number, key in enumerate(self.keys)}

    def of(self, key: int) -> int:
        """Return the number of a key."""
        number = self._numbers.setdefault(key, len(self.keys))
        if number == len(self.keys):
            self.keys.append(key)
        return number


class Rows:
    """Keys of the database as the model's numbers."""

    def __init__(self, constants: Constants, columns: Columns) -> None:
        self.constants = constants
        players, self._player = np.unique(columns.players, return_inverse=True)
        games, self._game = np.unique(columns.game, return_inverse=True)
        self.players = Numbers(players.tolist())
        self.games = Numbers(games.tolist())
        self._columns = columns

    def all(self, margins: Floats) -> Results:
        """Return all plays of the columns, with these margins."""
        columns = self._columns
        return Results.from_relative(
            self._player.reshape(columns.players.shape),
            self._game,
            margins,
            par=columns.par,
            key=columns.play,
        )

    def one(self, row: Row) -> Results:
        """Return one play more."""
        return Results.from_relative(
            [[self.players.of(player) for player in row.players]],
            [self.games.of(row.game)],
            [row.margins],
            par=[row.par or (0.0,) * len(row.players)] if self.constants.beta else None,
            key=[row.play],
        )


def read_all(*, seats: int, upto: int) -> Columns:
    """Return the rated plays whose number is at most ``upto``."""
    found = Attempt.objects.filter(
        play__exclusion=Play.Exclusion.NONE,
        play__finished_at__isnull=False,
        play__sequence__lte=upto,
        standard_game__seats=seats,
    )
    table = np.array(
        list(
            found.order_by("play__sequence", "play_id", "seat").values_list(
                *("play_id", "play__sequence", "standard_game_id"),
                *("player_id", "counted", "pulled"),
            )
        ),
        np.float64,
    ).reshape(-1, 6)
    _, play, held = np.unique(table[:, 0], return_inverse=True, return_counts=True)
    table = table[held[play] == seats].reshape(-1, seats, 6)
    keys = table[:, :, :4].astype(np.intp)
    counted = np.nan_to_num(table[:, :, 4])
    game = keys[:, 0, 2]
    return Columns(
        play=keys[:, 0, 0],
        sequence=keys[:, 0, 1],
        game=game,
        players=keys[:, :, 3],
        counted=counted,
        used=np.where(np.isnan(table[:, :, 5]), counted, table[:, :, 5]),
        par=_par_columns(game, seats) if CONSTANTS[seats].beta else None,
    )


def _par_columns(game: Ints, seats: int) -> Floats:
    """Return (T, n): the par of each play's game."""
    games, which = np.unique(game, return_inverse=True)
    found = pars_of(games.tolist())
    return np.array([found[pk] for pk in games.tolist()]).reshape(-1, seats)[which]


def rows_of(*, seats: int, after: int = 0, upto: int | None = None) -> list[Row]:
    """Return rated plays in the order of rating, those numbered ``after`` < number <= ``upto``."""
    found = _that_count(seats).filter(play__sequence__gt=after)
    if upto is not None:
        found = found.filter(play__sequence__lte=upto)
    return _as_rows(found, ("play__sequence", "seat"), seats)


def fresh_rows(*, seats: int) -> list[Row]:
    """Return the plays that are not rated yet, in the order in which they ended."""
    found = _that_count(seats).filter(play__sequence__isnull=True)
    few = list(_fresh_plays()[: FEW + 1])
    if len(few) <= FEW:
        found = found.filter(play_id__in=few)  # a join would walk through all attempts
    return _as_rows(found, ("play__finished_at", "play_id", "seat"), seats)


def prepare_pars(*, seats: int) -> None:
    """Work out the pars that the fresh plays need, while nobody is kept waiting for it."""
    if CONSTANTS[seats].beta:
        games = StandardGame.objects.filter(seats=seats, par__isnull=True)
        wanted = games.filter(played__in=_fresh_plays()).values_list("pk", flat=True)
        pars_of(list(wanted))


def number_fresh(*, seats: int, after: int) -> int:
    """Give the plays that are not rated yet their numbers, without rating them; return how many.

    With the lock held.
    """
    fresh = fresh_rows(seats=seats)
    write_many(
        "UPDATE ratings_play SET sequence = %s WHERE id = %s",
        [(after + at, row.play) for at, row in enumerate(fresh, start=1)],
    )
    return len(fresh)


def write_many(statement: str, rows: Sequence[tuple[float | None, ...]]) -> None:
    """Run one statement for each of many rows: much cheaper than as many cases of one update."""
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(statement, rows)


def _that_count(seats: int) -> QuerySet[Attempt]:
    return Attempt.objects.filter(
        play__exclusion=Play.Exclusion.NONE,
        play__finished_at__isnull=False,
        standard_game__seats=seats,
    )


def _as_rows(found: QuerySet[Attempt], order: Sequence[str], seats: int) -> list[Row]:
    """Return attempts as whole plays."""
    table = found.order_by(*order).values_list(
        "play_id", "play__sequence", "standard_game_id", "player_id", "counted", "pulled"
    )
    grouped = [(key, list(rows)) for key, rows in groupby(table.iterator(), lambda row: row[:3])]
    known = pars_of({key[2] for key, _ in grouped}) if CONSTANTS[seats].beta else {}
    return [
        Row(
            play,
            sequence,
            game,
            tuple(row[3] for row in rows),
            tuple(float((row[4] if row[5] is None else row[5]) or 0.0) for row in rows),
            known.get(game),
        )
        for (play, sequence, game), rows in grouped
        if len(rows) == seats
    ]


def _fresh_plays() -> QuerySet[Play, int]:
    return Play.objects.filter(
        exclusion=Play.Exclusion.NONE, finished_at__isnull=False, sequence__isnull=True
    ).values_list("pk", flat=True)


def pars_of(games: Iterable[int]) -> dict[int, tuple[float, ...]]:
    """Return the par of each game, worked out where that has not been done yet."""
    wanted = set(games)
    found: dict[int, tuple[float, ...]] = {}
    rows = StandardGame.objects.filter(seats=2)
    if len(wanted) <= FEW:
        rows = rows.filter(pk__in=wanted)
    for pk, par in rows.values_list("pk", "par"):
        if par is not None:
            found[pk] = tuple(par)
    for pk in wanted - found.keys():
        game = StandardGame.objects.select_related("decks").get(pk=pk)
        found[pk] = tuple(pars.par_of(game=game))
    return found
