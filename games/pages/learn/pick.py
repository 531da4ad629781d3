"""Card picker for drills and puzzles: a form that needs no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.analysis.review import Item, options
from games.engine.cards import NAMES, Card, CardError, parse_cards
from games.engine.view import View
from games.pages import card_svg
from games.pages.learn import review_sheet as sheet
from games.text.count_phrases import card_words


@dataclass(frozen=True, slots=True)
class Pick:
    """A card of the picker: name, face, spoken name, and whether it may be chosen."""

    name: str
    face: Any
    said: str
    allowed: bool


def question(view: View) -> dict[str, Any]:
    """Return the template context that asks what to discard or play."""
    seat, players = view.seat or 0, view.ruleset.players
    others = [(seat + step) % players for step in range(1, players)]
    throws = view.legal.action == "discard"
    return {
        "throws": throws,
        "number": view.legal.number,
        "picks": [
            Pick(
                NAMES[card],
                card_svg.face(card, size="small", spoken=False),
                card_words(card),
                card in view.legal.cards,
            )
            for card in sorted(view.cards)
        ],
        "asked": _asked(view),
        "dealer": view.dealer == seat,
        "own": view.scores[seat],
        "others": [view.scores[other] for other in others],
        "target": view.ruleset.target,
        "starter": "" if view.starter is None else NAMES[view.starter],
        "pile": " ".join(NAMES[card] for _who, card in view.pile),
        "before": " ".join(NAMES[card] for _who, card in view.plays[: -len(view.pile) or None]),
        "count": view.count,
    }


def _asked(view: View) -> str:
    if view.legal.action == "play":
        return _("Which card do you lead?") if not view.pile else _("Which card do you play?")
    number = view.legal.number
    if view.seat == view.dealer:
        return ngettext(
            "Which card goes to your crib?",
            "Which %(n)d cards go to your crib?",
            number,
        ) % {"n": number}
    return ngettext(
        "Which card goes to their crib?",
        "Which %(n)d cards go to their crib?",
        number,
    ) % {"n": number}


def cards_of(request: HttpRequest) -> tuple[Card, ...]:
    """Return the submitted cards; empty if any is invalid, so that the answer is refused."""
    return cards_in(request.POST)


def cards_in(data: QueryDict) -> tuple[Card, ...]:
    """Return the cards of a form or an address, as `cards_of`."""
    try:
        return parse_cards(" ".join(data.getlist("cards")))
    except CardError:
        return ()


def answer_address(asked: str, cards: Sequence[Card], **more: str) -> str:
    """Return the address that shows an answer to the question at an address.

    A page that were the response to the form could not be shown again by the Back button.
    """
    query = {"cards": " ".join(NAMES[card] for card in cards), **more}
    return f"{asked}?{urlencode(query)}"


def every_option(view: View, item: Item) -> list[sheet.OptionLine]:
    """Return all choices, best first, with the chosen one marked."""
    return [sheet.option_line(one, item) for one in options(view, item.chosen)]
