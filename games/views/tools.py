"""Tools to learn with: what a hand counts, and which cards to throw.

Both answer what their address asks, in a thread of the request's own: counting takes microseconds,
ranking about a millisecond once its loops are compiled.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.formats import number_format
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from games import faces, words
from games.analysis.discards import DiscardValue
from games.engine.cards import NAMES, SUIT, Card, parse_cards
from games.engine.scoring import Breakdown, score_hand
from games.forms_tools import CounterForm, DiscardForm, names_of

SUIT_ORDER = (3, 2, 0, 1)
"""Suits as the picker shows them: spades, hearts, clubs, diamonds, black and red in turn."""

EXAMPLES = (
    ("5H 5C 5S JD 5D", False),
    ("4H 5C 5D 6S 6H", False),
    ("6H 7C 7D 8S 8H", False),
    ("2H 6H 9H KH 4C", True),
)
"""Hands to begin with, each with whether it is a crib."""

HANDS_TO_PART = ("4H 5H 6S JC 9D KS", "AC 4D 7H 8S 8C QD", "5D 5S 7C JH QS")
"""Hands to begin with at the discard helper; the last is of three players."""

SPARK_WIDTH, SPARK_HEIGHT = 62, 18
"""Size of the little chart of a hand's spread, in the units of its picture."""


@dataclass(frozen=True, slots=True)
class PickerCard:
    """A card that can be picked: its name as it is typed, as it is shown and as it is said."""

    name: str
    suit: str
    index: str
    said: str


@dataclass(frozen=True, slots=True)
class CountLine:
    """One combination: its cards' names, their faces, what it is, its points, the total so far."""

    names: str
    faces: list[SafeString]
    what: str
    points: int
    so_far: int


@dataclass(frozen=True, slots=True)
class ThrowLine:
    """One throw as the table shows it: faces of cards; numbers as text, in points and percent.

    `bars_below` and `bars_from` draw the spread, below and from the points asked for.
    """

    thrown: SafeString
    kept: SafeString
    hand: str
    low: int
    high: int
    at_least: str
    crib: str
    pegging: str
    total: str
    chance: str
    bars_below: str
    bars_from: str


@require_safe
def counter(request: HttpRequest) -> HttpResponse:
    """Count four cards and the starter that the address names."""
    form = CounterForm(request.GET if "cards" in request.GET else None)
    context: dict[str, Any] = {"form": form, "pack": _pack(), "examples": _examples()}
    if form.is_valid():
        address = form.address()
        if request.GET.dict() != address:
            return _to(request, address)
        context |= _counted(form.cleaned_data["cards"], form.cleaned_data["crib"])
        context["share"] = _shared(request, address)
    return render(request, "games/counter.html", context, status=422 if form.errors else 200)


@require_safe
def discards(request: HttpRequest) -> HttpResponse:
    """Rank the throws of the cards that the address names."""
    form = DiscardForm.asked(request.GET.dict()) if "cards" in request.GET else DiscardForm()
    examples = [{"names": names, "address": _query({"cards": names})} for names in HANDS_TO_PART]
    context: dict[str, Any] = {"form": form, "pack": _pack(), "examples": examples}
    if form.is_valid():
        address = form.address()
        if request.GET.dict() != address:
            return _to(request, address)
        context |= _ranked(form)
        context["share"] = _shared(request, address)
    return render(request, "games/discards.html", context, status=422 if form.errors else 200)


def _query(address: dict[str, str]) -> str:
    return f"?{urlencode(address)}"


def _to(request: HttpRequest, address: dict[str, str]) -> HttpResponse:
    """Send a question that is put in other words to the one address of its answer."""
    return redirect(request.path + _query(address))


def _shared(request: HttpRequest, address: dict[str, str]) -> str:
    return request.build_absolute_uri(request.path + _query(address))


def _pack() -> SafeString:
    """Return the pack to pick from, suit by suit, each from ace to king."""
    return _pack_in(get_language())


@cache
def _pack_in(_language: str | None) -> SafeString:
    suits = [[_picker_card(4 * rank + suit) for rank in range(13)] for suit in SUIT_ORDER]
    return render_to_string("games/_pack.html", {"suits": suits})


def _picker_card(card: Card) -> PickerCard:
    name = NAMES[card]
    index = "10" if name[0] == "T" else name[0]
    return PickerCard(name, name[1], index, words.card_words(card))


def _examples() -> list[dict[str, Any]]:
    """Return the hands to begin with, each with its count and its address."""
    return [_example(names, crib) for names, crib in EXAMPLES]


def _example(names: str, crib: bool) -> dict[str, Any]:
    *hand, starter = parse_cards(names)
    address = {"cards": names} | ({"crib": "1"} if crib else {})
    total = score_hand(hand, starter, crib).total
    return {"names": names, "crib": crib, "total": total, "address": _query(address)}


def _counted(cards: tuple[Card, ...], crib: bool) -> dict[str, Any]:
    breakdown = score_hand(cards[:4], cards[4], crib)
    return {
        "hand": [_shown(card) for card in cards[:4]],
        "starter": _shown(cards[4]),
        "total": breakdown.total,
        "points": words.points_words(breakdown.total),
        "said": words.count_words(breakdown),
        "parts": _lines(breakdown),
        "same_suit": _flush_that_is_none(cards, crib),
    }


def _shown(card: Card) -> dict[str, Any]:
    return {"name": NAMES[card], "face": faces.face(card), "said": words.card_words(card)}


def _flush_that_is_none(cards: tuple[Card, ...], crib: bool) -> bool:
    """Whether these would be a flush in the hand and are none in the crib."""
    suits = {SUIT[card] for card in cards[:4]}
    return crib and len(suits) == 1 and SUIT[cards[4]] not in suits


def _lines(breakdown: Breakdown) -> list[CountLine]:
    lines, so_far = [], 0
    for part in breakdown.parts:
        so_far += part.points
        shown = [faces.face(card, size="small") for card in part.cards]
        names = names_of(part.cards)
        lines.append(CountLine(names, shown, words.part_words(part), part.points, so_far))
    return lines


def _ranked(form: DiscardForm) -> dict[str, Any]:
    from games.analysis.discards import evaluate_discards

    told = form.cleaned_data
    found = evaluate_discards(
        told["cards"], told["role"], form.scores, form.seats, target=told["target"]
    )
    shown = {card: faces.face(card, size="small") for card in told["cards"]}
    return {
        "throws": [_throw_line(value, told["least"], shown) for value in found],
        "least": told["least"],
        "seats": form.seats,
        "role": told["role"],
        "scores": form.scores,
        "has_more": not {"own", "target", "least"}.isdisjoint(form.address()),
    }


def _row(shown: Iterable[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((face,) for face in shown))


def _throw_line(value: DiscardValue, least: int, shown: dict[Card, SafeString]) -> ThrowLine:
    counts = [points for points, starters in enumerate(value.spread) if starters]
    starters = sum(value.spread)
    return ThrowLine(
        thrown=_row(shown[card] for card in value.thrown),
        kept=_row(shown[card] for card in value.kept),
        hand=_number(value.hand, 2),
        low=counts[0],
        high=counts[-1],
        at_least=_percent(sum(value.spread[least:]) / starters, 0),
        crib=_number(value.crib, 2),
        pegging=_signed(value.pegging),
        total=_signed(value.total, plus=""),
        chance=_percent(value.chance, 1),
        bars_below=_bars(value.spread, 0, least),
        bars_from=_bars(value.spread, least, len(value.spread)),
    )


def _number(number: float, places: int) -> str:
    """Return a number as it is written here; it is rounded first, since formatting only cuts."""
    return number_format(round(number, places), places)


def _signed(points: float, plus: str = "+") -> str:
    """Return points to two places, with a proper minus sign."""
    rounded = round(points, 2)
    sign = "−" if rounded < 0 else plus if rounded > 0 else ""
    return sign + _number(abs(rounded), 2)


def _percent(chance: float, places: int) -> str:
    text = gettext("%(number)s%%")
    return text % {"number": _number(100 * chance, places)}


def _bars(spread: tuple[int, ...], start: int, stop: int) -> str:
    """Return the bars of some counts as an SVG path: one upward stroke for each, by starters."""
    highest = max(spread)
    strokes = []
    for points in range(start, stop):
        if spread[points]:
            height = max(1.5, SPARK_HEIGHT * spread[points] / highest)
            strokes.append(f"M{2 * points + 2} {SPARK_HEIGHT}v{-height:.1f}")
    return "".join(strokes)
