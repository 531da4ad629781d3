"""The kinds of texts in markup, from the elements and attributes around them.

Templates and scripts are first turned into plain markup, with a mark in the place of each text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html.parser import HTMLParser

from games.text.sources.texts import Found, Kind

_MARK = re.compile("\ue000(\\d+)\ue001")
_VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "legend", "caption", "th", "dt"})
_SPOKEN = frozenset({"aria-label", "alt", "title", "placeholder", "label"})

DIALOG = "x-dialog"
"""The element of a dialog: that of `static/js/ui/dialog.js` in the markup of a script."""
EMPTY = "x-empty"
"""The element around what a template shows instead of a list without entries."""

_KINDS: Mapping[str, Kind] = {
    "button": "button",
    "a": "link",
    "label": "label",
    "option": "label",
    "x-block-title": "title",
    "x-block-description": "description",
    EMPTY: "empty",
    **dict.fromkeys(_HEADINGS, "heading"),
}

Element = tuple[str, str]
"""A tag and the value of its attribute ``class``."""


def mark(number: int) -> str:
    """Return the mark that stands for the text with this index."""
    return f"\ue000{number}\ue001"


def with_kinds(markup: str, found: Sequence[Found]) -> list[Found]:
    """Return the texts in the order of the markup, with their kinds and dialogs.

    Args:
        markup: markup with a `mark` for each text; it may lack end tags, as a template's does.
        found: the texts, by the numbers of their marks. Those without a mark come last.
    """
    reader = _Reader(found)
    reader.feed(markup)
    reader.close()
    unseen = [one for number, one in enumerate(found) if number not in reader.seen]
    return [*reader.kinds, *unseen]


class _Reader(HTMLParser):
    """Reads markup, and notes the elements around each mark."""

    def __init__(self, found: Sequence[Found]) -> None:
        super().__init__()
        self.found = found
        self.kinds: list[Found] = []
        self.seen: set[int] = set()
        self.open: list[Element] = []
        self.dialogs = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        element = tag, given.get("class", "")
        if tag == DIALOG:
            self.dialogs += 1
        for name, value in given.items():
            self._note(value, _kind_of_attribute(element, name), [*self.open, element])
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        tags = [name for name, _class in self.open]
        if tag in tags:
            del self.open[len(tags) - 1 - tags[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        self._note(data, _kind_of_content(self.open), self.open)

    def _note(self, text: str, kind: Kind, around: Iterable[Element]) -> None:
        dialog = any(tag == DIALOG for tag, _class in around)
        for number in _MARK.findall(text):
            found = self.found[int(number)]
            self.seen.add(int(number))
            table = f"dialog {self.dialogs}" if dialog else found.table
            self.kinds.append(replace(found, kind=kind, table=table))


def _kind_of_content(around: Sequence[Element]) -> Kind:
    for tag, classes in reversed(around):
        words = classes.split()
        if tag == "a" and any(word.startswith("button") for word in words):
            return "button"
        if any(word == "empty" or word.endswith("-empty") for word in words):
            return "empty"
        if any(word.endswith("error") for word in words):
            return "error"
        if tag in _KINDS:
            return _KINDS[tag]
    return "text"


def _kind_of_attribute(element: Element, name: str) -> Kind:
    tag, _classes = element
    if tag == DIALOG and name == "title":
        return "heading"
    if tag == "input" and name == "value":
        return "button"
    return "label" if name in _SPOKEN else "text"
