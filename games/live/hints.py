"""Hints: what the strongest computer would discard or play, and why, in words.

A hint is made from the same View that the player sees, so it cannot disclose hidden cards. The
computer chooses the cards; the reasons come from the analysis that it uses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from games.analysis import discards, plays, three
from games.analysis.discard_value import DiscardValue, Role
from games.analysis.positions import hidden_from
from games.bots import levels
from games.engine.cards import PIPS, RANK, Card
from games.engine.pegging import LIMIT, score_play
from games.engine.scoring import Part
from games.engine.view import View
from games.text.count_phrases import card_words, part_words, points_words
from games.text.numbers import decimal_form
from games.wire.refusals import Refused

MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Hint:
    """The computer's suggestion.

    Attributes:
        action: "discard" or "play".
        cards: the cards to discard, or the card to play.
        advice: the same as a sentence.
        reasons: sentences, the most important first.
    """

    action: str
    cards: tuple[Card, ...]
    advice: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Worth:
    """The value of playing a rank: the points to come, and the chance of winning the game."""

    points: float
    chance: float


def hint(view: View, names: Sequence[str]) -> Hint:
    """Return what the strongest computer would do in this seat; ``names`` has the seats' names.

    Raises:
        Refused: ``not_your_turn``, or ``no_hint`` for anything but a discard or a card to play.
    """
    match view.legal.action:
        case "discard":
            return _throw(view, names)
        case "play":
            return _card(view)
        case "claim" | "answer":
            raise Refused("no_hint")
        case _:
            raise Refused("not_your_turn")


def _throw(view: View, names: Sequence[str]) -> Hint:
    thrown = tuple(sorted(levels()[-1].discard(view)))
    values = _throws(view)
    chosen = next(value for value in values if value.thrown == thrown)
    others = [value for value in values if value is not chosen]
    after = max(others, key=lambda value: (value.chance, value.total))
    reasons = (
        _hand_average(chosen),
        _crib_average(chosen, view, names),
        _in_the_play(chosen.pegging, view),
        ngettext(
            "%(points)s point in all, %(chance)s%% to win.",
            "%(points)s points in all, %(chance)s%% to win.",
            decimal_form(chosen.total),
        )
        % {"points": _decimal(chosen.total), "chance": _percent(chosen.chance)},
        ngettext(
            "Next best: %(cards)s, with %(points)s point, %(chance)s%% to win.",
            "Next best: %(cards)s, with %(points)s points, %(chance)s%% to win.",
            decimal_form(after.total),
        )
        % {
            "cards": _listed(after.thrown),
            "points": _decimal(after.total),
            "chance": _percent(after.chance),
        },
    )
    advice = gettext("Throw %(cards)s.") % {"cards": _listed(thrown)}
    return Hint("discard", thrown, advice, reasons)


def _throws(view: View) -> Sequence[DiscardValue]:
    """Return the values of the discards, with three seats of those that the computer compares."""
    if view.ruleset.players == 3:
        return three.evaluate_by_deals(view)
    seat = view.seat or 0
    role: Role = "dealer" if seat == view.dealer else "pone"
    scores = view.scores[seat], view.scores[1 - seat]
    return discards.evaluate_discards(view.cards, role, scores, target=view.ruleset.target)


def _hand_average(value: DiscardValue) -> str:
    counts = [points for points, times in enumerate(value.spread) if times]
    text = ngettext(
        "Your hand averages %(points)s point (%(low)d to %(high)d).",
        "Your hand averages %(points)s points (%(low)d to %(high)d).",
        decimal_form(value.hand),
    )
    return text % {"points": _decimal(value.hand), "low": counts[0], "high": counts[-1]}


def _crib_average(value: DiscardValue, view: View, names: Sequence[str]) -> str:
    points = {"points": _decimal(value.crib)}
    if view.dealer is None or view.dealer == view.seat:
        return gettext("Your crib averages %(points)s.") % points
    name = names[view.dealer]
    return gettext("%(name)s's crib averages %(points)s.") % {"name": name, **points}


def _in_the_play(points: float, view: View) -> str:
    if view.ruleset.players == 2:
        text = gettext("Pegging: %(points)s, your points minus your opponent's.")
    else:
        text = gettext("Pegging: %(points)s, your points minus half of the others'.")
    told = _decimal(points)
    return text % {"points": told if told.startswith(MINUS) else f"+{told}"}


def _card(view: View) -> Hint:
    card = levels()[-1].play(view)
    legal = {RANK[other]: other for other in sorted(view.legal.cards, reverse=True)}
    reasons = [*_makes(view, card), *_lasting(view, card)]
    if len(legal) == 1:
        reasons.append(gettext("Your only playable card."))
    else:
        worth = _worths(view)
        rest = [other for rank, other in legal.items() if rank != RANK[card]]
        after = max(rest, key=lambda other: worth[RANK[other]].chance)
        reasons += [*_risks(view, card, rest, after), *_compared(view, worth, card, after)]
    advice = gettext("Play %(card)s.") % {"card": _the(card)}
    return Hint("play", (card,), advice, tuple(reasons))


def _worths(view: View) -> dict[int, _Worth]:
    """Return the value of each legal rank."""
    if view.ruleset.players == 3:
        ranks, rated = three.rate_by_belief(view)
        return {
            int(rank): _Worth(float(points), float(chance))
            for rank, (points, chance) in zip(ranks, rated, strict=True)
        }
    return {
        RANK[value.card]: _Worth(value.points, value.chance) for value in plays.evaluate_plays(view)
    }


def _makes(view: View, card: Card) -> list[str]:
    parts = score_play(_pile(view, card))
    if not parts:
        return []
    points = sum(part.points for part in parts)
    made = gettext(" and ").join(part_words(part) for part in parts)
    return [
        gettext("It makes %(what)s: %(points)s.") % {"what": made, "points": points_words(points)}
    ]


def _lasting(view: View, card: Card) -> list[str]:
    """Return a sentence if the player can answer a pair with a pair royal."""
    twins = [other for other in view.cards if other != card and RANK[other] == RANK[card]]
    room = view.count + 3 * PIPS[card] <= LIMIT
    hidden = any(RANK[other] == RANK[card] for other in hidden_from(view))
    if not twins or not room or not hidden or not _can_answer(view):
        return []
    return [gettext("If they pair it, you can make a pair royal.")]


def _risks(view: View, card: Card, rest: Sequence[Card], after: Card) -> list[str]:
    """Return sentences on what the next player cannot score, and how many hidden cards score."""
    if not _can_answer(view):
        return []
    hidden = hidden_from(view)
    here = _answers(view, card, hidden)
    elsewhere = {kind for other in rest for kind in _kinds(_answers(view, other, hidden))}
    spared = [text() for kind, text in _SPARED.items() if kind in elsewhere - _kinds(here)]
    said = []
    if spared:
        said.append(gettext("It leaves no %(what)s.") % {"what": gettext(" and no ").join(spared)})
    numbers = {
        "hidden": len(hidden),
        "n": len(here),
        "other": _the(after),
        "m": len(_answers(view, after, hidden)),
    }
    text = ngettext(
        "%(n)d of %(hidden)d unseen cards scores on it, %(m)d on %(other)s.",
        "%(n)d of %(hidden)d unseen cards score on it, %(m)d on %(other)s.",
        len(here),
    )
    said.append(text % numbers)
    return said


_SPARED: dict[str, Callable[[], str]] = {
    "fifteen": lambda: gettext("fifteen"),
    "thirty_one": lambda: gettext("thirty-one"),
    "run": lambda: gettext("run"),
    "pair": lambda: gettext("pair"),
}
"""The combinations that a card can deny the next player."""


def _answers(view: View, card: Card, hidden: Sequence[Card]) -> list[tuple[Part, ...]]:
    """Return, for each hidden card that would score on ``card``, its combinations."""
    pile = _pile(view, card)
    room = LIMIT - view.count - PIPS[card]
    made = (score_play((*pile, other)) for other in hidden if PIPS[other] <= room)
    return [parts for parts in made if parts]


def _kinds(answers: Sequence[tuple[Part, ...]]) -> set[str]:
    """Return the kinds of combinations in ``answers``; pairs royal count as pairs."""
    return {"pair" if "pair" in part.kind else part.kind for parts in answers for part in parts}


def _can_answer(view: View) -> bool:
    """Return whether an opponent may still play a card on this count."""
    return any(
        size and not view.gos[seat]
        for seat, size in enumerate(view.hand_sizes)
        if seat != view.seat
    )


def _compared(view: View, worth: dict[int, _Worth], card: Card, after: Card) -> list[str]:
    here, there = worth[RANK[card]], worth[RANK[after]]
    return [
        _in_the_play(here.points, view),
        gettext("%(chance)s%% to win, compared with %(less)s%% for %(other)s.")
        % {
            "chance": _percent(here.chance),
            "other": _the(after),
            "less": _percent(there.chance),
        },
    ]


def _pile(view: View, card: Card) -> tuple[Card, ...]:
    return (*(other for _, other in view.pile), card)


def _the(card: Card) -> str:
    return gettext("the %(card)s") % {"card": card_words(card)}


def _listed(cards: Sequence[Card]) -> str:
    return gettext(" and ").join(map(_the, cards))


def _decimal(points: float) -> str:
    # `number_format` truncates, so the number is rounded first.
    told: str = number_format(round(abs(points), 1), 1)
    return f"{MINUS}{told}" if round(points, 1) < 0 else told


def _percent(chance: float) -> str:
    return _decimal(100 * chance)
