"""``manage.py count``: count a hand with each combination, e.g. ``count 5H 5C 5S JD 5D``."""

import io
import json
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.cards import NAMES, PACK, Card, CardError, parse_cards
from games.engine.scoring import count_hand, score_hand
from games.text.count_phrases import count_lines, count_words

_CARDS = {name: card for card, name in enumerate(NAMES)}


class CountError(CommandError):
    """A hand that cannot be counted; ends the command with status 2."""

    def __init__(self, message: str) -> None:
        super().__init__(message, returncode=2)


class Command(BaseCommand):
    help = (
        "Count four cards and the starter, such as 5H 5C 5S JD 5D; without cards, a random hand. "
        "With -, read one hand per line from standard input (`crib` may end a line) and write one "
        "total per line."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "cards", nargs="*", help="four cards, then the starter; - reads hands from input"
        )
        parser.add_argument("--crib", action="store_true", help="count as a crib")
        parser.add_argument("--json", action="store_true", help="write JSON")

    def handle(self, *, cards: list[str], crib: bool, json: bool, **options: Any) -> None:
        if cards == ["-"]:
            self._count_lines(crib, json)
            return
        five = _parse(" ".join(cards)) if cards else tuple(random.sample(PACK, 5))
        self.stdout.write(_as_json(five, crib) if json else _as_text(five, crib))

    def _count_lines(self, crib: bool, as_json: bool) -> None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            # Invalid bytes are then reported as an unknown card.
            sys.stdin.reconfigure(errors="replace")
        for number, line in enumerate(sys.stdin, start=1):
            words = line.split()
            if not words:
                continue
            is_crib = crib
            if words[-1] == "crib":
                words.pop()
                is_crib = True
            try:
                five = _five(words)
            except CountError as cause:
                raise CountError(f"line {number}: {cause}") from cause
            if as_json:
                self.stdout.write(_as_json(five, is_crib))
            else:
                self.stdout.write(str(count_hand(five[:4], five[4], is_crib)))


def _five(words: list[str]) -> tuple[Card, ...]:
    """Return the cards of a line: the usual form by a fast path, others by `_parse`."""
    try:
        five = tuple([_CARDS[word] for word in words])
    except KeyError:
        return _parse(" ".join(words))
    return five if len(set(five)) == len(five) == 5 else _parse(" ".join(words))


def _parse(text: str) -> tuple[Card, ...]:
    try:
        cards = parse_cards(text)
    except CardError as cause:
        raise CountError(str(cause)) from cause
    for twice in _repeated(cards):
        raise CountError(f"{NAMES[twice]} is there twice")
    if len(cards) != 5:
        noun = "card" if len(cards) == 1 else "cards"
        raise CountError(f"{len(cards)} {noun} given: give the four in the hand and the starter")
    return cards


def _repeated(cards: Sequence[Card]) -> Iterator[Card]:
    return (card for at, card in enumerate(cards) if card in cards[:at])


def _as_text(five: Sequence[Card], crib: bool) -> str:
    counted = score_hand(five[:4], five[4], crib)
    lines = [
        f"{'Crib' if crib else 'Hand'} {_names(five[:4])}, starter {NAMES[five[4]]}",
        *(
            f"  {line.name:26} {_names(line.cards):14} {line.points:2}"
            for line in count_lines(counted)
        ),
        f"  {'total':26} {'':14} {counted.total:2}",
        count_words(counted),
    ]
    return "\n".join(lines)


def _as_json(five: Sequence[Card], crib: bool) -> str:
    counted = score_hand(five[:4], five[4], crib)
    return json.dumps(
        {
            "hand": [NAMES[card] for card in five[:4]],
            "starter": NAMES[five[4]],
            "crib": crib,
            "total": counted.total,
            "words": count_words(counted),
            "parts": [
                {
                    "kind": part.kind,
                    "cards": [NAMES[card] for card in part.cards],
                    "points": part.points,
                }
                for part in counted.parts
            ],
        }
    )


def _names(cards: Sequence[Card]) -> str:
    return " ".join(NAMES[card] for card in cards)
