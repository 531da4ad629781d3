"""Cards to choose from in a form that needs no script, as the drills and the puzzle ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import faces
from games.analysis.review import Item, options
from games.engine.cards import NAMES, Card, CardError, parse_cards
from games.engine.view import View
from games.views import review_sheet as sheet
from games.words import card_words


@dataclass(frozen=True, slots=True)
class Pick:
    """A card of the form: its name, its face, how it is said, whether it may be chosen."""

    name: str
    face: Any
    said: str
    allowed: bool


def question(view: View) -> dict[str, Any]:
    """Return what a template needs to ask what to throw or play."""
    seat, players = view.seat or 0, view.ruleset.players
    others = [(seat + step) % players for step in range(1, players)]
    throws = view.legal.action == "discard"
    return {
        "throws": throws,
        "number": view.legal.number,
        "picks": [
            Pick(
                NAMES[card],
                faces.face(card, size="small", spoken=False),
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
            "Which card do you throw to your own crib?",
            "Which %(n)d cards do you throw to your own crib?",
            number,
        ) % {"n": number}
    return ngettext(
        "Which card do you throw to the other's crib?",
        "Which %(n)d cards do you throw to the other's crib?",
        number,
    ) % {"n": number}


def cards_of(request: HttpRequest) -> tuple[Card, ...]:
    """Return the cards that a form sent; what is no card is left out, so that it is refused."""
    try:
        return parse_cards(" ".join(request.POST.getlist("cards")))
    except CardError:
        return ()


def every_option(view: View, item: Item) -> list[sheet.OptionLine]:
    """Return all choices, the best first, the chosen one marked."""
    return [sheet.option_line(one, item) for one in options(view, item.chosen)]
