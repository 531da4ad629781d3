"""Places in a game record, in words: "Card 4 of the play" for ``plays[3]``.

Seats, cards and lines count from 1, as on pages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

PLACES: Mapping[str, Promise] = {
    "record": pgettext_lazy("record", "The record"),
    "players": pgettext_lazy("record", "The number of players"),
    "target": pgettext_lazy("record", "The number of points to win"),
    "first_dealer": pgettext_lazy("record", "The first dealer"),
    "rules": pgettext_lazy("record", "The rules"),
    "hands": pgettext_lazy("record", "The list of hands"),
    "hand": pgettext_lazy("record", "The hand"),
    "dealer": pgettext_lazy("record", "The dealer"),
    "dealt": pgettext_lazy("record", "The deal"),
    "dealt[]": pgettext_lazy("record", "The hand of seat %(n)s"),
    "dealt[][]": pgettext_lazy("record", "Card %(m)s of seat %(n)s"),
    "crib_card": pgettext_lazy("record", "The card dealt to the crib"),
    "discards": pgettext_lazy("record", "The list of discards"),
    "discards[]": pgettext_lazy("record", "The discard of seat %(n)s"),
    "discards[][]": pgettext_lazy("record", "Card %(m)s that seat %(n)s discards"),
    "crib": pgettext_lazy("record", "The crib"),
    "starter": pgettext_lazy("record", "The starter"),
    "heels": pgettext_lazy("record", "The score for his heels"),
    "plays": pgettext_lazy("record", "The list of cards played"),
    "play": pgettext_lazy("record", "The card played"),
    "plays[]": pgettext_lazy("record", "Card %(n)s of the play"),
    "plays[][0]": pgettext_lazy("record", "The seat that plays card %(n)s"),
    "plays[][1]": pgettext_lazy("record", "Card %(n)s of the play"),
    "seat": pgettext_lazy("record", "The seat"),
    "card": pgettext_lazy("record", "The card"),
    "count": pgettext_lazy("record", "The count"),
    "points": pgettext_lazy("record", "The number of points"),
    "go": pgettext_lazy("record", "The score for go or last card"),
    "log": pgettext_lazy("record", "The log"),
    "log[]": pgettext_lazy("record", "Line %(n)s of the log"),
    "show": pgettext_lazy("record", "The show"),
    "scores": pgettext_lazy("record", "The score"),
    "resigned": pgettext_lazy("record", "The seat that resigns"),
    "winner": pgettext_lazy("record", "The winner"),
    "final": pgettext_lazy("record", "The final score"),
    "started_at": pgettext_lazy("record", "The start of the game"),
    "finished_at": pgettext_lazy("record", "The end of the game"),
}
"""Each place that the engine or the imports name; ``[]`` stands for a number."""

_SEATS = {"dealer", "seat", "winner"}
"""Places that hold a seat."""

_PATH = re.compile(r"(\w+)(?:\[(\d+)\](?:\[(\d+)\])?)?")


def place_words(place: str) -> str:
    """Return a place at the start of a sentence; as it is if it is not known."""
    found = _PATH.fullmatch(place)
    if found is None:
        return place
    name, first, second = found.groups()
    general = name + "[]" * (first is not None) + "[]" * (second is not None)
    words = PLACES.get(f"{name}[][{second}]", PLACES.get(general))
    if words is None:
        return place
    numbers = {"n": int(first or 0) + 1, "m": int(second or 0) + 1}
    return str(words) % numbers


def value_words(place: str, value: object) -> str:
    """Return a quoted value of a record; a seat by its number on pages."""
    text = str(value)
    if place in _SEATS and text.isascii() and text.isdigit():
        return _("seat %(n)s") % {"n": int(text) + 1}
    return text
