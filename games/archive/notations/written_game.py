"""Shared parts of the readers of other notations: a game in a file, its errors, numbered lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from games.engine.cards import NAMES, Card
from games.engine.faults import quoted


class NotationError(Exception):
    """A file that cannot be read as its notation.

    Attributes:
        key, params: what is wrong, for `games.text.fault_sentences`.
        line: line of the file, from 1.
        hand: the hand of the game, from 1; None outside of hands.
    """

    def __init__(self, key: str, line: int, **params: object) -> None:
        super().__init__(key)
        self.key = key
        self.line = line
        self.hand: int | None = None
        self.params = params


@dataclass(frozen=True, slots=True)
class WrittenGame:
    """A game of a file as a game record, before the rules have judged it.

    Attributes:
        line: the line of the file where the game starts, from 1.
        data: the record, for `games.engine.record.read_record`.
        hand_lines: the line of each hand.
    """

    line: int
    data: dict[str, Any]
    hand_lines: tuple[int, ...]


@contextmanager
def reading_hand(number: int) -> Iterator[None]:
    """Say in errors which hand of the game is read."""
    try:
        yield
    except NotationError as error:
        error.hand = number
        raise


def filled_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, without surrounding spaces, with their numbers from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        if stripped := line.strip():
            yield number, stripped


def holder(dealt: Sequence[Collection[Card]], card: Card, line: int) -> int:
    """Return the seat that was dealt a card.

    Raises:
        NotationError: if none was.
    """
    for seat, cards in enumerate(dealt):
        if card in cards:
            return seat
    raise NotationError("not_dealt", line, cards=NAMES[card])


def unexpected(found: str, allowed: str, line: int) -> NotationError:
    """Return the error of a word that does not belong where it is."""
    return NotationError("bad_word", line, found=quoted(found), allowed=allowed)


def names(cards: Sequence[Card]) -> list[str]:
    """Return the names of cards, as in records."""
    return [NAMES[card] for card in cards]
