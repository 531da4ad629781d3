"""Pages of the learning tools: the hand counter and the discard helper.

Both compute the answer within the request: counting takes microseconds, and ranking about a
millisecond once its loops are compiled.
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

from games.analysis.discard_value import DiscardValue
from games.engine.cards import NAMES, SUIT, Card, parse_cards
from games.engine.scoring import Breakdown, score_hand
from games.learn import analysis_access
from games.pages import card_svg
from games.pages.learn.forms import CounterForm, DiscardForm, names_of
from games.pages.site.visitor import player_of
from games.text import count_phrases

SUIT_ORDER = (3, 2, 0, 1)
"""Order of suits in the picker: spades, hearts, clubs, diamonds, so that colours alternate."""

EXAMPLES = (
    ("5H 5C 5S JD 5D", False),
    ("4H 5C 5D 6S 6H", False),
    ("6H 7C 7D 8S 8H", False),
    ("2H 6H 9H KH 4C", True),
)
"""Example hands of the counter, and whether each is a crib."""

HANDS_TO_PART = ("4H 5H 6S JC 9D KS", "AC 4D 7H 8S 8C QD", "5D 5S 7C JH QS")
"""Example hands of the discard helper; the last is for three players."""

SPARK_HEIGHT = 18
"""Height of the sparkline of a hand's spread, in units of the picture."""


@dataclass(frozen=True, slots=True)
class PickerCard:
    """A card of the picker: its name, suit and index, and its spoken name."""

    name: str
    suit: str
    index: str
    said: str


@dataclass(frozen=True, slots=True)
class CountLine:
    """A combination: card names, faces, name, points, running total."""

    names: str
    faces: list[SafeString]
    what: str
    points: int
    so_far: int


@dataclass(frozen=True, slots=True)
class ThrowLine:
    """A discard in the table: faces, and numbers as text in points and percent.

    `bars_below` and `bars_from` draw the spread below and from the chosen minimum of points.
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
    """Count four cards and the starter from the query string."""
    form = CounterForm(request.GET if "cards" in request.GET else None)
    context: dict[str, Any] = {"form": form, "pack": pack(), "examples": _examples()}
    if form.is_valid():
        address = form.address()
        if request.GET.dict() != address:
            return _redirect(request, address)
        context |= _counted(form.cleaned_data["cards"], form.cleaned_data["crib"])
        context["share"] = _shared(request, address)
    return render(request, "games/learn/counter.html", context, status=422 if form.errors else 200)


@require_safe
def discards(request: HttpRequest) -> HttpResponse:
    """Rank the discards of the cards from the query string."""
    form = DiscardForm.asked(request.GET.dict()) if "cards" in request.GET else DiscardForm()
    examples = [{"names": names, "address": _query({"cards": names})} for names in HANDS_TO_PART]
    context: dict[str, Any] = {"form": form, "pack": pack(), "examples": examples}
    if form.is_valid():
        address = form.address()
        if request.GET.dict() != address:
            return _redirect(request, address)
        text = analysis_access.refusal(
            form.cleaned_data["cards"], player_of(request), request.COOKIES
        )
        if text:
            form.add_error("cards", text)
        else:
            context |= _ranked(form)
            context["share"] = _shared(request, address)
    return render(request, "games/learn/discards.html", context, status=422 if form.errors else 200)


def _query(address: dict[str, str]) -> str:
    return f"?{urlencode(address)}"


def _redirect(request: HttpRequest, address: dict[str, str]) -> HttpResponse:
    """Redirect to the canonical address of a question."""
    return redirect(request.path + _query(address))


def _shared(request: HttpRequest, address: dict[str, str]) -> str:
    return request.build_absolute_uri(request.path + _query(address))


def pack() -> SafeString:
    """Return the picker's pack by suit, each from ace to king."""
    return _pack_in(get_language())


@cache
def _pack_in(_language: str | None) -> SafeString:
    suits = [[_picker_card(4 * rank + suit) for rank in range(13)] for suit in SUIT_ORDER]
    return render_to_string("games/learn/_pack.html", {"suits": suits})


def _picker_card(card: Card) -> PickerCard:
    name = NAMES[card]
    index = "10" if name[0] == "T" else name[0]
    return PickerCard(name, name[1], index, count_phrases.card_words(card))


def _examples() -> list[dict[str, Any]]:
    """Return the example hands, each with its count and address."""
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
        "points": count_phrases.points_words(breakdown.total),
        "said": count_phrases.count_words(breakdown),
        "parts": _lines(breakdown),
        "same_suit": _is_flush_in_hand_only(cards, crib),
    }


def _shown(card: Card) -> dict[str, Any]:
    return {
        "name": NAMES[card],
        "face": card_svg.face(card),
        "said": count_phrases.card_words(card),
    }


def _is_flush_in_hand_only(cards: tuple[Card, ...], crib: bool) -> bool:
    """Whether the cards are a flush in a hand but not in the crib."""
    suits = {SUIT[card] for card in cards[:4]}
    return crib and len(suits) == 1 and SUIT[cards[4]] not in suits


def _lines(breakdown: Breakdown) -> list[CountLine]:
    return [
        CountLine(
            names_of(line.cards),
            [card_svg.face(card, size="small") for card in line.cards],
            line.name,
            line.points,
            line.so_far,
        )
        for line in count_phrases.count_lines(breakdown)
    ]


def _ranked(form: DiscardForm) -> dict[str, Any]:
    from games.analysis.discards import evaluate_discards

    data = form.cleaned_data
    found = evaluate_discards(
        data["cards"], data["role"], form.scores, form.seats, target=data["target"]
    )
    shown = {card: card_svg.face(card, size="small") for card in data["cards"]}
    return {
        "throws": [_throw_line(value, data["least"], shown) for value in found],
        "least": data["least"],
        "seats": form.seats,
        "role": data["role"],
        "scores": form.scores,
        "has_more": not {"own", "target", "least"}.isdisjoint(form.address()),
    }


def row_of(shown: Iterable[SafeString]) -> SafeString:
    """Return the faces of cards in a row."""
    return format_html_join("", "{}", ((face,) for face in shown))


def _throw_line(value: DiscardValue, least: int, shown: dict[Card, SafeString]) -> ThrowLine:
    counts = [points for points, starters in enumerate(value.spread) if starters]
    starters = sum(value.spread)
    return ThrowLine(
        thrown=row_of(shown[card] for card in value.thrown),
        kept=row_of(shown[card] for card in value.kept),
        hand=number(value.hand, 2),
        low=counts[0],
        high=counts[-1],
        at_least=percent(sum(value.spread[least:]) / starters, 0),
        crib=number(value.crib, 2),
        pegging=signed(value.pegging),
        total=signed(value.total, plus=""),
        chance=percent(value.chance, 1),
        bars_below=_bars(value.spread, 0, least),
        bars_from=_bars(value.spread, least, len(value.spread)),
    )


def number(value: float, places: int) -> str:
    """Format a number; it is rounded first, since formatting truncates."""
    return number_format(round(value, places), places)


def signed(points: float, plus: str = "+") -> str:
    """Format points with two decimals and a true minus sign."""
    rounded = round(points, 2)
    sign = "−" if rounded < 0 else plus if rounded > 0 else ""
    return sign + number(abs(rounded), 2)


def percent(chance: float, places: int) -> str:
    """Format a chance or share (0 to 1) as a percentage."""
    text = gettext("%(number)s%%")
    return text % {"number": number(100 * chance, places)}


def _bars(spread: tuple[int, ...], start: int, stop: int) -> str:
    """Return a range of a distribution as an SVG path: a vertical stroke for each count."""
    highest = max(spread)
    strokes = []
    for points in range(start, stop):
        if spread[points]:
            height = max(1.5, SPARK_HEIGHT * spread[points] / highest)
            strokes.append(f"M{2 * points + 2} {SPARK_HEIGHT}v{-height:.1f}")
    return "".join(strokes)
