"""Texts and number formats of a review."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.analysis.review import Item
from games.analysis.review_verdicts import Part, Verdict
from games.engine.cards import NAMES, Card
from games.learn import habits
from games.models import Player
from games.text import reason_sentences
from games.text.numbers import decimal_form

VERDICTS: dict[Verdict, object] = {
    "best": _("best"),
    "fine": _("fine"),
    "close": _("close"),
    "inaccuracy": _("inaccuracy"),
    "mistake": _("mistake"),
    "blunder": _("blunder"),
}

PARTS: dict[Part, object] = {
    "discard_dealer": _("Throws as dealer"),
    "discard_pone": _("Throws as pone"),
    "lead": _("Leads"),
    "response": _("Later cards"),
    "endgame": _("Near the end"),
}

KINDS: dict[str, object] = {
    "deal": _("deal"),
    "starter": _("starter"),
    "discard": _("throw"),
    "play": _("card"),
    "count": _("count"),
    "resign": _("resigned"),
}

MINUS = "\N{MINUS SIGN}"


def names_of(cards: tuple[Card, ...]) -> str:
    """Return cards as text for templates: "5H TD"."""
    return " ".join(NAMES[card] for card in cards)


def reason(item: Item) -> str:
    """Return why the best choice is better, or that the decision is close; "" if there is none."""
    if item.verdict == "close":
        return str(reason_sentences.CLOSE_LOSS if item.loss else reason_sentences.CLOSE)
    return reason_sentences.sentence(item.reason)


@dataclass(frozen=True, slots=True)
class HabitCost:
    """The costliest habit in words: its key, name, number of mistakes, and wins they cost."""

    habit: str
    name: str
    words: str
    wins: str


def costliest(player: Player | None) -> HabitCost | None:
    """Return the habit that cost a player most in the last weeks, in words."""
    found = None if player is None else habits.costliest(player=player)
    if found is None:
        return None
    number = ngettext("%(n)d mistake", "%(n)d mistakes", found.mistakes) % {"n": found.mistakes}
    name = str(reason_sentences.HABITS[found.habit])
    return HabitCost(found.habit, name, number, _wins(found.loss))


def _wins(number: float) -> str:
    """Return a number of wins in words: "30% of a win", "1.3 wins"."""
    if number < 1:
        return gettext("%(share)s of a win") % {"share": percent(number, 0)}
    return gettext("%(number)s wins") % {"number": points(number)}


def points(value: float) -> str:
    """Format points with one decimal: "8.3", "−1.2"."""
    # `number_format` truncates, so the value is rounded first.
    shown: str = number_format(round(abs(value), 1), 1)
    return f"{MINUS}{shown}" if round(value, 1) < 0 else shown


def percent(chance: float, places: int = 1) -> str:
    """Format a chance as a percentage, with one decimal unless told."""
    number = number_format(round(100 * abs(chance), places), places)
    shown = gettext("%(number)s%%") % {"number": number}
    return f"{MINUS}{shown}" if round(100 * chance, places) < 0 else shown


def whole(points: int) -> str:
    """Return points as text: "12", "−3"."""
    return f"{MINUS}{-points}" if points < 0 else str(points)


def signed(chance: float) -> str:
    """Format a change of a chance with its sign: "+3.1%", "−0.4%"."""
    text = percent(chance)
    return text if text.startswith(MINUS) else f"+{text}"


def lost(value: float, write: Callable[[float], str]) -> str:
    """Format a loss as a negative number, a negative loss as a gain ("+0.3"), or "0.0"."""
    text = write(abs(value))
    if text == write(0.0):
        return text
    return f"{MINUS if value > 0 else '+'}{text}"


def loss(*, points_lost: float, chance_lost: float) -> str:
    """Return what a decision cost: "−2.8% chance to win, −0.4 points"; "" if both round to nothing.

    Amounts that round to nothing are left out. A choice may score more and still win less often.
    """
    values = {"points": lost(points_lost, points), "chance": lost(chance_lost, percent)}
    form = decimal_form(points_lost)
    has_points, has_chance = values["points"] != points(0.0), values["chance"] != percent(0.0)
    if has_points and has_chance:
        if (points_lost > 0) == (chance_lost > 0):
            text = ngettext(
                "%(chance)s chance to win, %(points)s point",
                "%(chance)s chance to win, %(points)s points",
                form,
            )
        else:
            text = ngettext(
                "%(chance)s chance to win, though %(points)s point",
                "%(chance)s chance to win, though %(points)s points",
                form,
            )
        return text % values
    if has_chance:
        return gettext("%(chance)s chance to win") % values
    return ngettext("%(points)s point", "%(points)s points", form) % values if has_points else ""
