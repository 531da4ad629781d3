"""``manage.py discard``: the value of each discard from a hand."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError

from games.engine.cards import Card, CardError, card_names, parse_card


class Command(BaseCommand):
    help = "Rank the discards from six cards (five with three players) by their average value."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "cards", nargs="+", metavar="CARD", help="six or five, such as 5H or TD"
        )
        role = parser.add_mutually_exclusive_group()
        role.add_argument("--dealer", action="store_true", help="the crib is yours (the default)")
        role.add_argument("--pone", action="store_true", help="the crib is the opponent's")
        parser.add_argument(
            "--scores", nargs="+", type=int, metavar="POINTS", help="your score, then the others'"
        )
        parser.add_argument("--target", type=int, choices=(121, 61), default=121)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        cards = _cards(options["cards"])
        scores = _scores(options["scores"], 3 if len(cards) == 5 else 2, options["target"])
        role = "pone" if options["pone"] else "dealer"
        found = _values(cards, role, scores, options["target"])
        if options["json"]:
            report = {"cards": card_names(cards), "role": role, "scores": scores, "throws": found}
            self.stdout.write(json.dumps(report))
        else:
            self.stdout.write(_table(found))


def _refuse(message: str) -> NoReturn:
    """Exit with status 2 and one line on standard error."""
    raise CommandError(message, returncode=2)


def _cards(words: list[str]) -> tuple[Card, ...]:
    try:
        cards = tuple(parse_card(word) for word in words)
    except CardError as problem:
        _refuse(str(problem))
    for at, card in enumerate(cards):
        if card in cards[:at]:
            _refuse(f"the card {words[at]!r} is given twice")
    if len(cards) not in (5, 6):
        _refuse(f"give six cards, or five for three players, not {len(cards)}")
    return cards


def _scores(scores: list[int] | None, seats: int, target: int) -> tuple[int, ...] | None:
    if scores is None:
        return None
    if len(scores) != seats:
        _refuse(f"--scores takes {seats} numbers with {seats} seats, not {len(scores)}")
    for score in scores:
        if not 0 <= score < target:
            _refuse(f"--scores: {score} is not a score during a game to {target}")
    return tuple(scores)


def _values(
    cards: tuple[Card, ...], role: str, scores: tuple[int, ...] | None, target: int
) -> list[dict[str, Any]]:
    from games.analysis.discards import evaluate_discards

    found = evaluate_discards(
        cards,
        "pone" if role == "pone" else "dealer",
        scores,
        seats=3 if len(cards) == 5 else 2,
        target=target,
    )
    return [_plain(asdict(value)) for value in found]


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a `DiscardValue` with names for cards."""
    spread = {points: number for points, number in enumerate(value.pop("spread")) if number}
    return {
        **value,
        "thrown": card_names(value["thrown"]),
        "kept": card_names(value["kept"]),
        "spread": spread,
        "low": min(spread),
        "high": max(spread),
    }


def _table(found: list[dict[str, Any]]) -> str:
    lines = ["throw   keep         hand  low-high    crib  pegging   total   wins"]
    for value in found:
        span = f"{value['low']}-{value['high']}"
        lines.append(
            f"{value['thrown']:7} {value['kept']:9} {value['hand']:7.2f} {span:>9} "
            f"{value['crib']:7.2f} {value['pegging']:8.2f} {value['total']:7.2f} "
            f"{100 * value['chance']:5.1f}%"
        )
    return "\n".join(lines)
