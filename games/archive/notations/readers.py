"""The choice of a file's reader: each notation is recognised by its first line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from games.archive.notations.cribbage_zero import is_cribbage_zero, read_cribbage_zero
from games.archive.notations.halscrib import is_halscrib, read_halscrib
from games.archive.notations.openspiel import is_openspiel, read_openspiel
from games.archive.notations.written_game import WrittenGame

_READERS: tuple[tuple[Callable[[str], bool], Callable[[str], Iterator[WrittenGame]]], ...] = (
    (is_halscrib, read_halscrib),
    (is_openspiel, read_openspiel),
    (is_cribbage_zero, read_cribbage_zero),
)


def read_notation(text: str) -> Iterator[WrittenGame] | None:
    """Return the games of a file in one of the other notations; None if it is in none.

    A game is read when it is asked for, and may then raise NotationError: the file cannot be read
    as the notation that it starts with.
    """
    for is_notation, read in _READERS:
        if is_notation(text):
            return read(text)
    return None
