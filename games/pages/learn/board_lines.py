"""Template data of the analysis board: the position on the table, and its choices as lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine.cards import NAMES, Card
from games.learn.analysis_answers import Answer, Choice
from games.learn.analysis_board import KEPT, Position, check, names_of
from games.learn.analysis_play import GO, Walk, name_of, seat_name
from games.learn.analysis_reasons import decimal, reasons
from games.pages import card_svg
from games.text.numbers import decimal_form

MINUS = "\N{MINUS SIGN}"
BAR = 100
"""Length of the bar of the worst choice, in units of the picture."""

HEIGHT = 18
"""Height of a spread, in units of the picture."""


@dataclass(frozen=True, slots=True)
class ChoiceLine:
    """A choice as shown.

    Attributes:
        cards, plain: the cards thrown or played: "5H TD", "5♥ 10♦".
        faces: the same as pictures.
        kept: names of the cards kept; "" for a card.
        points, chance: its value, as text.
        unit: "point" or "points".
        lost: what it costs compared with the best, as text; "" for the best.
        bar: length of the bar of that cost, 0 to `BAR`.
        parts: the parts of a throw, as (label, value).
        range: the points that its hand may have, or the answers to a card, as text.
        spark: their spread as an SVG path.
        reasons: sentences.
        after: address of the position after it; "" if it wins the game or is the hand's last card.
    """

    cards: str
    plain: str
    faces: SafeString
    kept: str
    points: str
    unit: str
    chance: str
    lost: str
    bar: int
    parts: tuple[tuple[str, str], ...]
    range: str
    spark: str
    reasons: tuple[str, ...]
    after: str


@dataclass(frozen=True, slots=True)
class PlayLine:
    """A card that was played, or a go: whose it was, the card's name ("" for go), the count."""

    seat: int
    name: str
    card: str
    count: int


def address_of(position: Position, page: str = "board") -> str:
    """Return the address of a page of the analysis board with a position."""
    return f"{reverse(f'games:{page}')}?{urlencode(position.address())}"


def choice_lines(answer: Answer) -> list[ChoiceLine]:
    """Return all choices, best first."""
    costs = [_cost(answer, choice) for choice in answer.choices]
    worst = max(costs)
    return [
        _line(answer, choice, cost, round(BAR * cost / worst) if worst > 0 else 0)
        for choice, cost in zip(answer.choices, costs, strict=True)
    ]


def _cost(answer: Answer, choice: Choice) -> float:
    """Return what a choice costs: chance to win, or points where those decide."""
    best = answer.choices[0]
    if answer.by_chance:
        return max(0.0, best.chance - choice.chance)
    return max(0.0, best.points - choice.points)


def _line(answer: Answer, choice: Choice, cost: float, bar: int) -> ChoiceLine:
    throw = choice.throw
    lost = ""
    if choice is not answer.choices[0]:
        text = (
            _("%(number)s%% less chance to win")
            if answer.by_chance
            else ngettext("%(number)s point less", "%(number)s points less", decimal_form(cost))
        )
        lost = text % {"number": decimal(100 * cost if answer.by_chance else cost)}
    parts: tuple[tuple[str, str], ...] = ()
    spread = choice.reply.spread if choice.reply else ()
    if throw is not None:
        crib = _("Your crib") if answer.position.dealer == 0 else _("Dealer's crib")
        parts = (
            (pgettext("cards held", "Hand"), decimal(throw.hand)),
            (crib, decimal(throw.crib)),
            (_("Play"), signed(throw.pegging)),
        )
        spread = throw.spread
    met = [points for points, times in enumerate(spread) if times]
    return ChoiceLine(
        cards=names_of(choice.cards),
        plain=" ".join(map(name_of, choice.cards)),
        faces=_faces(choice.cards),
        kept="" if throw is None else names_of(throw.kept),
        points=signed(choice.points),
        unit=ngettext("point", "points", decimal_form(choice.points)),
        chance=_("%(number)s%%") % {"number": decimal(100 * choice.chance)},
        lost=lost,
        bar=bar,
        parts=parts,
        range=f"{met[0]}–{met[-1]}" if met else "",
        spark=_spark(spread),
        reasons=tuple(reasons(answer, choice)),
        after=_after(answer.position, choice),
    )


def _faces(cards: tuple[Card, ...]) -> SafeString:
    faces = ((card_svg.face(card, size="small"),) for card in cards)
    return format_html_join("", "{}", faces)


def _after(position: Position, choice: Choice) -> str:
    data = position.address()
    if choice.throw is not None:
        data |= {"cards": names_of(choice.throw.kept), "thrown": names_of(choice.cards)}
    else:
        played = sum(token != GO for token in position.plays)
        if played + 1 == KEPT * position.players:
            return ""
        score = position.scores[0] + sum(part.points for part in choice.made)
        if score >= position.target:
            return ""
        data["own"] = str(score)
        data["plays"] = f"{data.get('plays', '')} {NAMES[choice.cards[0]]}".strip()
    return f"{reverse('games:board')}?{urlencode(data)}"


def _spark(spread: tuple[int, ...]) -> str:
    """Return a distribution as an SVG path: a vertical stroke for each number of points."""
    highest = max(spread, default=0)
    strokes = [
        f"M{2 * points + 2} {HEIGHT}v{-max(1.5, HEIGHT * times / highest):.1f}"
        for points, times in enumerate(spread)
        if times
    ]
    return "".join(strokes)


def signed(value: float) -> str:
    """Format points with one decimal, a plus or a true minus sign."""
    rounded = round(value, 1)
    sign = MINUS if rounded < 0 else "+" if rounded > 0 else ""
    shown: str = number_format(abs(rounded), 1)
    return sign + shown


def table_of(position: Position) -> dict[str, Any]:
    """Return the context that shows a position: cards, scores, the play, and the question."""
    walk = check(position)
    return {
        "position": position,
        "hand": names_of(walk.held if walk else tuple(sorted(position.cards))),
        "starter": "" if position.starter is None else NAMES[position.starter],
        "thrown_cards": names_of(position.thrown),
        "seen_cards": names_of(position.seen),
        "plays": play_lines(walk, position.players),
        "count": walk.count if walk else 0,
        "seats": seats_of(position),
        "asked": asked(position, walk),
    }


def seats_of(position: Position) -> list[dict[str, Any]]:
    """Return name, score and role of each seat, the deciding one first."""
    return [
        {"seat": seat, "name": seat_name(seat, position.players), "score": score,
         "deals": seat == position.dealer}
        for seat, score in enumerate(position.scores)
    ]  # fmt: skip


def play_lines(walk: Walk | None, players: int) -> list[PlayLine]:
    """Return cards and goes in order."""
    if walk is None:
        return []
    return [
        PlayLine(
            line.seat,
            seat_name(line.seat, players),
            "" if line.card is None else NAMES[line.card],
            line.count,
        )
        for line in walk.lines
    ]


def asked(position: Position, walk: Walk | None) -> str:
    """Return the question that a position asks."""
    if walk is not None:
        if not walk.count:
            return _("Which card do you lead?")
        return _("Which card do you play?")
    number = 2 if position.players == 2 else 1
    if position.dealer == 0:
        text = ngettext(
            "Which card goes to your crib?",
            "Which %(n)d cards go to your crib?",
            number,
        )
    else:
        text = ngettext(
            "Which card goes to their crib?",
            "Which %(n)d cards go to their crib?",
            number,
        )
    return text % {"n": number}


def words_of(position: Position) -> str:
    """Return a position as one line of text, for titles: the hand, and the score."""
    cards = " ".join(map(name_of, position.cards))
    return f"{cards} · {'–'.join(map(str, position.scores))}"
