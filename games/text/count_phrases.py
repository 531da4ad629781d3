"""Cards and counts in words: "five of hearts", "fifteen two, fifteen four, and a pair is six".

The words are those of `games.text.count_table`. The browser puts them together in the same way
(static/js/text/count_phrases.js), and a test compares both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import ngettext

from games.engine.cards import RANK, SUIT, Card
from games.engine.scoring import Breakdown, Part
from games.text.count_table import CALLS, CARD, NAMES, NUMBERS, RANKS, SEVERAL_RUNS, SUITS


@dataclass(frozen=True, slots=True)
class CountLine:
    """One line of a count.

    Attributes:
        name: the combination by itself: "a double run of three".
        said: the words with the points so far: "double run of three is eight".
        parts: the combinations that it names.
        cards: the cards of these parts, each once.
        points: the points of the line.
        so_far: the points of this line and the lines before it.
    """

    name: str
    said: str
    parts: tuple[Part, ...]
    cards: tuple[Card, ...]
    points: int
    so_far: int


def number_words(number: int) -> str:
    """Return a number from 0 to 31 in words."""
    return str(NUMBERS[number])


def card_words(card: Card) -> str:
    """Return the spoken name of a card: "five of hearts"."""
    return str(CARD) % {"rank": RANKS[RANK[card]], "suit": SUITS[SUIT[card]]}


def part_words(part: Part) -> str:
    """Return the name of one combination, without its points."""
    return _name(part.kind, len(part.cards))


def count_lines(count: Breakdown) -> list[CountLine]:
    """Return the lines of a count, in the order in which players call them.

    Several runs and their pairs are one line: a double run, a triple run, a double double run.
    """
    groups = _groups(count.parts)
    lines: list[CountLine] = []
    so_far = 0
    for kind, parts in groups:
        points = sum(part.points for part in parts)
        so_far += points
        call = CALLS[kind]
        words = call.last if 0 < len(lines) == len(groups) - 1 else call.said
        size = len(parts[-1].cards)
        said = str(words) % {"total": number_words(so_far), "size": number_words(size)}
        lines.append(CountLine(_name(kind, size), said, parts, _cards(parts), points, so_far))
    return lines


def count_words(count: Breakdown) -> str:
    """Return the whole count as players say it, each line with the points so far.

    For example "fifteen two, fifteen four, and a pair is six", or "nothing" without points.
    """
    return ", ".join(line.said for line in count_lines(count)) or number_words(0)


def _name(kind: str, size: int) -> str:
    return str(NAMES[kind]) % {"size": number_words(size)}


def _cards(parts: tuple[Part, ...]) -> tuple[Card, ...]:
    """Return the cards of a line: a part's in its own order, several parts' by rank."""
    if len(parts) == 1:
        return parts[0].cards
    return tuple(sorted({card for part in parts for card in part.cards}))


def _groups(parts: Sequence[Part]) -> list[tuple[str, tuple[Part, ...]]]:
    """Return the parts of each line with its kind. With several runs, all pairs belong to them."""
    runs = [part for part in parts if part.kind == "run"]
    if len(runs) < 2:
        return [(part.kind, (part,)) for part in parts]
    together = tuple(part for part in parts if part.kind == "run" or "pair" in part.kind)
    return [
        (SEVERAL_RUNS[len(runs)], together) if part is together[0] else (part.kind, (part,))
        for part in parts
        if part is together[0] or part not in together
    ]


def points_words(points: int) -> str:
    """Return a number of points as text: "1 point", "12 points"."""
    return ngettext("%(n)d point", "%(n)d points", points) % {"n": points}
