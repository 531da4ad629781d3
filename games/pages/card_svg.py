"""Card faces as SVG, composed of the pips in static/cards/pips.svg and the courts in deck.svg.

Most pages show small cards only: they need two kilobytes of pips, not 50 of courts.

Faces measure 100 x 140 units, like those that the table draws.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from games.engine.cards import JACK, NAMES, RANK, Card
from games.text.count_phrases import card_words

Size = Literal["full", "small"]

_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_LEFT, _MIDDLE, _RIGHT = 33, 50, 67
_FOUR = ((_LEFT, 28), (_RIGHT, 28), (_LEFT, 112), (_RIGHT, 112))
_SIX = (*_FOUR, (_LEFT, 70), (_RIGHT, 70))
_EIGHT = (*_FOUR, (_LEFT, 56), (_RIGHT, 56), (_LEFT, 84), (_RIGHT, 84))
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    0: ((_MIDDLE, 69),),
    1: ((_MIDDLE, 28), (_MIDDLE, 112)),
    2: ((_MIDDLE, 28), (_MIDDLE, 70), (_MIDDLE, 112)),
    3: _FOUR,
    4: (*_FOUR, (_MIDDLE, 70)),
    5: _SIX,
    6: (*_SIX, (_MIDDLE, 49)),
    7: (*_SIX, (_MIDDLE, 49), (_MIDDLE, 91)),
    8: (*_EIGHT, (_MIDDLE, 70)),
    9: (*_EIGHT, (_MIDDLE, 42), (_MIDDLE, 98)),
}
"""Positions of the pips by rank; the ace has one large pip."""


def face(card: Card, *, size: Size = "full", spoken: bool = True) -> SafeString:
    """Return a card as an SVG element, labelled with its name.

    Args:
        card: the card.
        size: "full" shows pips or the court; "small" a large index and one pip.
        spoken: False hides it from screen readers, for use next to text that names the card.
    """
    name = NAMES[card]
    label = (
        format_html('role="img" aria-label="{}"', card_words(card))
        if spoken
        else mark_safe('aria-hidden="true"')
    )
    return format_html(
        '<svg class="card-face card-{} suit-{}" viewBox="0 0 100 140" {}>'
        '<rect class="card-paper" x="1" y="1" width="98" height="138" rx="8"/>{}</svg>',
        size,
        name[1].lower(),
        label,
        _drawing(card, size),
    )


def plain(card: Card) -> str:
    """Return a card as text: "5♥", "10♦"."""
    name = NAMES[card]
    return _index(name) + _SIGNS[name[1]]


def chip(card: Card) -> SafeString:
    """Return a card as a text chip, with its name for screen readers."""
    return format_html(
        '<span class="chip suit-{}"><span aria-hidden="true">{}</span>'
        '<span class="visually-hidden">{}</span></span>',
        NAMES[card][1].lower(),
        plain(card),
        card_words(card),
    )


def back() -> SafeString:
    """Return the back of a card."""
    return format_html(
        '<svg class="card-face" viewBox="0 0 100 140" aria-hidden="true">'
        '<rect class="card-paper" x="1" y="1" width="98" height="138" rx="8"/>'
        '<use href="{}#back"/></svg>',
        static("cards/pips.svg"),
    )


@cache
def _drawing(card: Card, size: Size) -> SafeString:
    """Return what is drawn on a card: the same in every language, and a third of a page's work."""
    name = NAMES[card]
    return _small(name) if size == "small" else _full(card, name)


def _pip(suit: str, x: float, y: float, size: float, *, upside_down: bool = False) -> SafeString:
    turn = format_html(' transform="rotate(180 {} {})"', x, y) if upside_down else ""
    return format_html(
        '<use href="{}#pip-{}" x="{}" y="{}" width="{}" height="{}"{}/>',
        static("cards/pips.svg"),
        suit,
        x - size / 2,
        y - size / 2,
        size,
        size,
        turn,
    )


def _index(name: str) -> str:
    return "10" if name[0] == "T" else name[0]


def _small(name: str) -> SafeString:
    return format_html(
        '<text class="card-index card-index-large" x="50" y="66">{}</text>{}',
        _index(name),
        _pip(name[1], 50, 100, 62),
    )


def _full(card: Card, name: str) -> SafeString:
    corner = format_html(
        '<text class="{}" x="11.5" y="25">{}</text>{}',
        "card-index card-index-ten" if name[0] == "T" else "card-index",
        _index(name),
        _pip(name[1], 11.5, 37, 16),
    )
    return format_html(
        '{}<g transform="rotate(180 50 70)">{}</g>{}', corner, corner, _middle(card, name)
    )


def _middle(card: Card, name: str) -> SafeString:
    rank = RANK[card]
    if rank >= JACK:
        return format_html(
            '<use href="{}#court-{}" x="21.5" y="16" width="57" height="108"/>'
            '<rect class="card-frame" x="21.5" y="16" width="57" height="108"/>',
            static("cards/deck.svg"),
            name,
        )
    size = 52.0 if rank == 0 else 22.0
    return format_html_join(
        "",
        "{}",
        ((_pip(name[1], x, y, size, upside_down=y > 70),) for x, y in _PIPS[rank]),
    )
