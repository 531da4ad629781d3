"""Type checks for untrusted JSON values; each error says where in the record."""

from __future__ import annotations

from typing import Any

from games.engine.cards import SUIT_SIGNS, Card, CardError, parse_card
from games.engine.faults import EngineError, quoted

Mapping = dict[str, Any]

_LETTERS = str.maketrans(
    {sign: suit for suit, signs in SUIT_SIGNS.items() for sign in signs}
    | dict.fromkeys("\ufe0e\ufe0f", "")
)
"""The letters of suit signs; phones put a character without width after each."""


class ShapeError(EngineError, ValueError):
    """A value of the wrong type, or in the wrong place; ``place`` names it, ``found`` quotes it."""


def mapping(value: object, place: str) -> Mapping:
    """Return ``value`` if it is a JSON object.

    Raises:
        ShapeError: if not.
    """
    if not isinstance(value, dict):
        raise ShapeError("not_object", place=place, found=quoted(value))
    return value


def items(value: object, place: str, least: int = 0, most: int | None = None) -> list[Any]:
    """Return ``value`` if it is a list of at least ``least`` and at most ``most`` items.

    Raises:
        ShapeError: if not.
    """
    if not isinstance(value, list):
        raise ShapeError("not_list", place=place, found=quoted(value))
    if len(value) < least:
        raise ShapeError("not_list.short", place=place, number=least, found=quoted(value))
    if most is not None and len(value) > most:
        raise ShapeError("not_list.long", place=place, number=most, found=quoted(value))
    return value


def number(value: object, place: str) -> int:
    """Return ``value`` if it is a whole number.

    Raises:
        ShapeError: if not.
    """
    if type(value) is not int:
        raise ShapeError("not_number", place=place, found=quoted(value))
    return value


def text(value: object, place: str) -> str:
    """Return ``value`` if it is a string.

    Raises:
        ShapeError: if not.
    """
    if not isinstance(value, str):
        raise ShapeError("not_text", place=place, found=quoted(value))
    return value


def card(value: object, place: str) -> Card:
    """Return the card named by ``value``, whose suit may be a sign: ``5♥``.

    Raises:
        ShapeError: if it is not a card name.
    """
    try:
        return parse_card(text(value, place).translate(_LETTERS))
    except CardError as cause:
        raise ShapeError("not_card", place=place, found=cause.params["found"]) from cause


def cards(value: object, place: str) -> tuple[Card, ...]:
    """Return the cards named by a list.

    Raises:
        ShapeError: if it is not a list, or an item is not a card name.
    """
    return tuple(card(name, f"{place}[{at}]") for at, name in enumerate(items(value, place)))
