"""Type checks for untrusted JSON values; each error message says where in the record."""

from __future__ import annotations

from reprlib import Repr
from typing import Any

from games.engine.cards import Card, CardError, parse_card

Mapping = dict[str, Any]

_SHORT = Repr()
_SHORT.maxlist = _SHORT.maxdict = 8
_SHORT.maxstring = 60


class ShapeError(ValueError):
    """A value of the wrong type; the message says where it is and quotes it."""


def quoted(value: object) -> str:
    """Return the ``repr`` of a value for a message, shortened to one line."""
    shown = _SHORT.repr(value)
    return shown if len(shown) <= 80 else shown[:77] + "..."


def mapping(value: object, place: str) -> Mapping:
    """Return ``value`` if it is a JSON object.

    Raises:
        ShapeError: if not.
    """
    if not isinstance(value, dict):
        raise ShapeError(f"{place} must be an object, not {quoted(value)}")
    return value


def items(value: object, place: str, at_least: int = 0) -> list[Any]:
    """Return ``value`` if it is a list of at least ``at_least`` items.

    Raises:
        ShapeError: if not.
    """
    if not isinstance(value, list):
        raise ShapeError(f"{place} must be a list, not {quoted(value)}")
    if len(value) < at_least:
        raise ShapeError(f"{place} must have at least {at_least} items, not {quoted(value)}")
    return value


def number(value: object, place: str) -> int:
    """Return ``value`` if it is a whole number.

    Raises:
        ShapeError: if not.
    """
    if type(value) is not int:
        raise ShapeError(f"{place} must be a whole number, not {quoted(value)}")
    return value


def text(value: object, place: str) -> str:
    """Return ``value`` if it is a string.

    Raises:
        ShapeError: if not.
    """
    if not isinstance(value, str):
        raise ShapeError(f"{place} must be a text, not {quoted(value)}")
    return value


def card(value: object, place: str) -> Card:
    """Return the card named by ``value``.

    Raises:
        ShapeError: if it is not a card name.
    """
    try:
        return parse_card(text(value, place))
    except CardError as cause:
        raise ShapeError(f"{place}: {cause}") from cause


def cards(value: object, place: str) -> tuple[Card, ...]:
    """Return the cards named by a list.

    Raises:
        ShapeError: if it is not a list, or an item is not a card name.
    """
    return tuple(card(name, place) for name in items(value, place))
