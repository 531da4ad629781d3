"""Rated plays read from the database for the model, as single rows or as columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

import numpy as np
from django.db import connection
from django.db.models import QuerySet

from ratings.model.arrays import Floats, Ints
from ratings.model.constants import CONSTANTS, Constants
from ratings.model.results import Results
from ratings.models import Attempt, Play, StandardGame
from ratings.standard import pars

READ_AT_ONCE = 10_000
"""Number of rows that are in memory as Python's values while all are read."""
MAX_QUERY_KEYS = 500
"""Maximum number of keys in one query; with more, all rows are read."""

_FIELDS = ("play_id", "play__sequence", "standard_game_id", "player_id", "counted", "pulled")


@dataclass(frozen=True, slots=True)
class RatedRow:
    """One play as input for the model: database keys, and margins from seat 0 on."""

    play: int
    sequence: int | None
    game: int
    players: tuple[int, ...]
    margins: tuple[float, ...]
    par: tuple[float, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """All T rated plays with n seats in the order of rating, with database keys."""

    play: Ints
    sequence: Ints
    game: Ints
    players: Ints
    """(T, n)."""
    counted: Floats
    """(T, n): margins that count, points."""
    used: Floats
    """(T, n): the same, winsorised by the last refit."""
    par: Floats | None
    """(T, n), if the constants use it."""


class Numbering:
    """Mapping of keys to 0, 1, 2 ...: the initial keys, then new ones in order of first use."""

    def __init__(self, keys: Iterable[int] = ()) -> None:
        self.keys: list[int] = list(keys)
        self._numbers = {key: number for number, key in enumerate(self.keys)}

    def of(self, key: int) -> int:
        """Return the number of a key."""
        number = self._numbers.setdefault(key, len(self.keys))
        if number == len(self.keys):
            self.keys.append(key)
        return number


class KeyMap:
    """Mapping of the database keys of players and games to the model's numbers."""

    def __init__(self, constants: Constants, columns: Columns) -> None:
        self.constants = constants
        players, self._player = np.unique(columns.players, return_inverse=True)
        games, self._game = np.unique(columns.game, return_inverse=True)
        self.players = Numbering(players.tolist())
        self.games = Numbering(games.tolist())
        self._columns: Columns | None = columns

    def all(self, margins: Floats) -> Results:
        """Return all plays of the columns as results with these margins."""
        columns = self._columns
        assert columns is not None, "the columns were dropped"  # noqa: S101 - a caller's mistake
        return Results.from_relative(
            self._player.reshape(columns.players.shape),
            self._game,
            margins,
            par=columns.par,
            key=columns.play,
        )

    def drop_columns(self) -> None:
        """Free the memory of the columns; `all` can't be called any more."""
        self._columns = None
        self._player = self._game = np.empty(0, np.intp)

    def one(self, row: RatedRow) -> Results:
        """Return one play as a result; new players and games get the next numbers."""
        return Results.from_relative(
            [[self.players.of(player) for player in row.players]],
            [self.games.of(row.game)],
            [row.margins],
            par=[row.par or (0.0,) * len(row.players)] if self.constants.beta else None,
            key=[row.play],
        )


def read_columns(*, seats: int, upto: int) -> Columns:
    """Return the rated plays with a sequence number up to ``upto``."""
    found = _counted_attempts(seats).filter(play__sequence__lte=upto)
    rows = found.order_by("play__sequence", "play_id", "seat").values_list(*_FIELDS)
    table = _as_table(rows.iterator(READ_AT_ONCE))
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


def _as_table(rows: Iterator[tuple[float | None, ...]]) -> Floats:
    """(rows, 6): the rows as numbers, never all of them as Python's values at once."""
    parts = [np.empty((0, 6))]
    while some := list(islice(rows, READ_AT_ONCE)):
        parts.append(np.array(some, np.float64))
    return np.concatenate(parts)


def _par_columns(game: Ints, seats: int) -> Floats:
    """(T, n): the par of each play's game."""
    games, which = np.unique(game, return_inverse=True)
    found = pars_of(games.tolist())
    return np.array([found[pk] for pk in games.tolist()]).reshape(-1, seats)[which]


def rated_rows(*, seats: int, after: int = 0, upto: int | None = None) -> list[RatedRow]:
    """Return the rated plays with ``after`` < sequence <= ``upto`` in the order of rating."""
    found = _counted_attempts(seats).filter(play__sequence__gt=after)
    if upto is not None:
        found = found.filter(play__sequence__lte=upto)
    return _as_rows(found, ("play__sequence", "seat"), seats)


def unrated_rows(*, seats: int) -> list[RatedRow]:
    """Return the unrated plays, in the order in which they ended."""
    found = _counted_attempts(seats).filter(play__sequence__isnull=True)
    few = list(_unrated_plays()[: MAX_QUERY_KEYS + 1])
    if len(few) <= MAX_QUERY_KEYS:
        found = found.filter(play_id__in=few)  # a join would scan all attempts
    return _as_rows(found, ("play__finished_at", "play_id", "seat"), seats)


def compute_missing_pars(*, seats: int) -> None:
    """Compute the pars that unrated plays need. It is slow: call it without holding a lock."""
    if CONSTANTS[seats].beta:
        games = StandardGame.objects.filter(seats=seats, par__isnull=True)
        wanted = games.filter(played__in=_unrated_plays()).values_list("pk", flat=True)
        pars_of(list(wanted))


def number_unrated(*, seats: int, after: int) -> int:
    """Assign sequence numbers to the unrated plays without rating them; return how many.

    The caller holds the lock.
    """
    unrated = unrated_rows(seats=seats)
    write_many(
        "UPDATE ratings_play SET sequence = %s WHERE id = %s",
        [(after + at, row.play) for at, row in enumerate(unrated, start=1)],
    )
    return len(unrated)


def write_many(statement: str, rows: Sequence[tuple[float | None, ...]]) -> None:
    """Execute a statement for each row; much faster than one UPDATE with many cases."""
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(statement, rows)


def _counted_attempts(seats: int) -> QuerySet[Attempt]:
    return Attempt.objects.filter(
        play__exclusion=Play.Exclusion.NONE,
        play__finished_at__isnull=False,
        standard_game__seats=seats,
    )


def _as_rows(found: QuerySet[Attempt], order: Sequence[str], seats: int) -> list[RatedRow]:
    """Group attempts into plays; plays with a missing seat are left out."""
    table = found.order_by(*order).values_list(*_FIELDS)
    grouped = [(key, list(rows)) for key, rows in groupby(table.iterator(), lambda row: row[:3])]
    known = pars_of({key[2] for key, _ in grouped}) if CONSTANTS[seats].beta else {}
    return [
        RatedRow(
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


def _unrated_plays() -> QuerySet[Play, int]:
    return Play.objects.filter(
        exclusion=Play.Exclusion.NONE, finished_at__isnull=False, sequence__isnull=True
    ).values_list("pk", flat=True)


def pars_of(games: Iterable[int]) -> dict[int, tuple[float, ...]]:
    """Return the par of each game, computing and storing missing ones."""
    wanted = set(games)
    found: dict[int, tuple[float, ...]] = {}
    rows = StandardGame.objects.filter(seats=2)
    if len(wanted) <= MAX_QUERY_KEYS:
        rows = rows.filter(pk__in=wanted)
    for pk, par in rows.values_list("pk", "par"):
        if par is not None:
            found[pk] = tuple(par)
    for pk in wanted - found.keys():
        game = StandardGame.objects.select_related("decks").get(pk=pk)
        found[pk] = tuple(pars.par_of(game=game))
    return found
