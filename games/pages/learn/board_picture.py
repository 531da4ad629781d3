"""The picture of a position: an SVG that needs no other file, for other sites and messages."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from django.conf import settings
from django.utils.translation import gettext as _

from games.engine.cards import NAMES, Card
from games.learn.analysis_board import Position, check
from games.learn.analysis_play import seat_name
from games.pages.learn.board_lines import asked

WIDTH, HEIGHT = 640, 360
CARD = (78, 110)
SMALL = (44, 62)

_FELT, _INK, _SOFT, _LINE = "#1f5f49", "#f6f0df", "#cfdcca", "#3f7d66"
_RED, _BLACK, _PAPER = "#c3242b", "#1c1a1c", "#fffdf7"
_TEXT = 'font-family="Figtree, Segoe UI, system-ui, sans-serif"'


def picture(position: Position) -> str:
    """Return a position as SVG, with a title for screen readers."""
    walk = check(position)
    question = asked(position, walk)
    hand = walk.held if walk else tuple(sorted(position.cards))
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="18" fill="{_FELT}"/>',
        *_seats(position),
    ]
    if position.starter is not None:
        parts += [_label(564, 96, _("Starter")), _card(position.starter, 560, 106, SMALL)]
    if walk is not None and walk.lines:
        parts += _played([(line.seat, line.card, line.count) for line in walk.lines])
    wide = len(hand) * (CARD[0] + 8) - 8
    left = (WIDTH - wide) / 2
    parts += [_card(card, left + at * (CARD[0] + 8), 196, CARD) for at, card in enumerate(hand)]
    parts.append(_words(WIDTH / 2, 338, question, size=20, anchor="middle"))
    said = escape(f"{_('Analysis board')}: {question}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img"><title>{said}</title>{"".join(parts)}</svg>'
    )


def _seats(position: Position) -> list[str]:
    parts = []
    for seat, score in enumerate(position.scores):
        name = seat_name(seat, position.players)
        deals = f" · {_('deals')}" if seat == position.dealer else ""
        left = 28 + seat * 200
        parts.append(_words(left, 40, f"{score}", size=26))
        parts.append(_words(left + 58, 38, f"{name}{deals}", size=15, colour=_SOFT))
    parts.append(f'<path d="M28 56h{WIDTH - 56}" stroke="{_LINE}"/>')
    return parts


def _played(lines: list[tuple[int, Card | None, int]]) -> list[str]:
    parts = []
    step = min(SMALL[0] + 6, 500 / len(lines))
    for at, (seat, card, count) in enumerate(lines):
        left = 28 + at * step
        top = 112 if seat == 0 else 92
        if card is None:
            parts.append(_words(left + 6, top + 36, _("go"), size=15, colour=_SOFT))
            continue
        parts.append(_card(card, left, top, SMALL))
        parts.append(_words(left + SMALL[0] / 2, 86, str(count), size=13, anchor="middle"))
    return parts


def _label(x: float, y: float, text: str) -> str:
    return _words(x + SMALL[0] / 2, y, text, size=13, colour=_SOFT, anchor="middle")


def _words(
    x: float, y: float, text: str, *, size: int, colour: str = _INK, anchor: str = "start"
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" {_TEXT} font-size="{size}" font-weight="600" '
        f'fill="{colour}" text-anchor="{anchor}">{escape(text)}</text>'
    )


def _card(card: Card, x: float, y: float, size: tuple[int, int]) -> str:
    name = NAMES[card]
    wide, high = size
    colour = _RED if name[1] in "DH" else _BLACK
    index = "10" if name[0] == "T" else name[0]
    pip = 0.42 * wide
    return (
        f'<g transform="translate({x:g} {y:g})"><rect width="{wide}" height="{high}" rx="7" '
        f'fill="{_PAPER}" stroke="#cbbd9f"/><text x="{wide / 2:g}" y="{0.46 * high:g}" '
        f'font-family="Fraunces, Georgia, serif" font-size="{0.4 * high:g}" font-weight="600" '
        f'fill="{colour}" text-anchor="middle">{index}</text>'
        f'<svg x="{(wide - pip) / 2:g}" y="{0.56 * high:g}" width="{pip:g}" height="{pip:g}" '
        f'viewBox="-600 -600 1200 1200" color="{colour}">{_pip(name[1])}</svg></g>'
    )


@cache
def _pip(suit: str) -> str:
    """Return the path of a suit's pip, from the deck."""
    deck = (Path(settings.BASE_DIR) / "static" / "cards" / "deck.svg").read_text()
    return deck.partition(f'<symbol id="pip-{suit}"')[2].partition(">")[2].partition("</symbol>")[0]
