"""Taking a JSON value apart: every wrong type ends in one sentence that names the place."""

from __future__ import annotations

from reprlib import Repr
from typing import Any

from games.engine.cards import Card, CardError, parse_card

Mapping = dict[str, Any]

_SHORT = Repr()
_SHORT.maxlist = _SHORT.maxdict = 8
_SHORT.maxstring = 60


class ShapeError(ValueError):
    """A value that is not of the form expected; the message names the place and quotes it."""


def quoted(value: object) -> str:
    """Return the value for a message, cut to a length that fits a line."""
    shown = _SHORT.repr(value)
    return shown if len(shown) <= 80 else shown[:77] + "..."


def mapping(value: object, place: str) -> Mapping:
    """Return ``value`` if it is an object of JSON.

    Raises:
        ShapeError: if not.
    """
    if not isinstance(value, dict):
        raise ShapeError(f"{place} is an object, not {quoted(value)}")
    return value


def items(value: object, place: str, at_least: int = 0) -> list[Any]:
    """Return ``value`` if it is a list of at least so many items.

    Raises:
        ShapeError: if not.
    """
    if not isinstance(value, list):
        raise ShapeError(f"{place} is a list, not {quoted(value)}")
    if len(value) < at_least:
        raise ShapeError(f"{place} has at least {at_least} items, not {quoted(value)}")
    return value


def number(value: object, place: str) -> int:
    """Return ``value`` if it is a whole number.

    Raises:
        ShapeError: if not.
    """
    if type(value) is not int:
        raise ShapeError(f"{place} is a number, not {quoted(value)}")
    return value


def text(value: object, place: str) -> str:
    """Return ``value`` if it is a text.

    Raises:
        ShapeError: if not.
    """
    if not isinstance(value, str):
        raise ShapeError(f"{place} is a text, not {quoted(value)}")
    return value


def card(value: object, place: str) -> Card:
    """Return the card that ``value`` names.

    Raises:
        ShapeError: if it names none.
    """
    try:
        return parse_card(text(value, place))
    except CardError as cause:
        raise ShapeError(f"{place}: {cause}") from cause


def cards(value: object, place: str) -> tuple[Card, ...]:
    """Return the cards that a list names.

    Raises:
        ShapeError: if it is no list, or one of them is no card.
    """
    return tuple(card(name, place) for name in items(value, place))
