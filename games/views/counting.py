"""The counting tutor: its levels, and a hand that is counted step by step.

How far a hand has been counted travels with its form, so that it needs no script and two tabs do
not disturb one another; how many hands have been counted is kept in the session.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import faces, tutor, words
from games.engine.cards import NAMES, Card
from games.engine.scoring import MAX_HAND, Breakdown
from games.forms_tools import names_of
from games.services import counting as service

Stage = Literal["find", "total", "done"]
STAGES: tuple[Stage, ...] = ("find", "total", "done")
LAST_HINT = 3
TRIES = 2
"""Wrong totals after which the right one is told."""


@dataclass(frozen=True, slots=True)
class Counting:
    """How far a hand has been counted.

    Attributes:
        found: parts that have been found, in that order, as indices.
        shown: those of them that the tutor showed.
        hint: the last step of help, 0 for none.
        wrong: how many wrong totals were given.
        stage: what is asked: combinations, then the total, then nothing any more.
    """

    found: tuple[int, ...] = ()
    shown: tuple[int, ...] = ()
    hint: int = 0
    wrong: int = 0
    stage: Stage = "find"

    @property
    def alone(self) -> bool:
        """Whether it was done without help that gives something away."""
        return not self.shown and not self.wrong


@dataclass(frozen=True, slots=True)
class Said:
    """What the tutor says, and whether that is good news."""

    text: str = ""
    good: bool = True


@require_safe
@never_cache
def levels(request: HttpRequest) -> HttpResponse:
    """Show the levels, and how far the learner is at each."""
    lines = service.progress(request.session)
    context = {
        "lines": lines,
        "enough": service.ENOUGH,
        "here": next((line.level.number for line in lines if not line.known), None),
    }
    return render(request, "games/counting.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def hand(request: HttpRequest, level: int, number: int) -> HttpResponse:
    """Ask for the combinations of one hand; a POST brings what the learner says."""
    try:
        asked = tutor.exercise(level, number)
    except LookupError as unknown:
        raise Http404 from unknown
    stands, said = Counting(), Said()
    if request.method == "POST":
        stands, said = _answered(asked, request.POST)
        if stands.stage == "done":
            service.note(request.session, asked, alone=stands.alone)
    return render(request, "games/counting_hand.html", _context(request, asked, stands, said))


def _answered(asked: tutor.Exercise, told: QueryDict) -> tuple[Counting, Said]:
    """Return how the hand stands after what a form says, and what is said to it."""
    stands = _read(asked, told)
    action = told.get("do", "")
    if action == "guess":
        return _guessed(asked, stands, told.get("total", ""))
    if stands.stage != "find":
        return stands, Said()
    if action == "hint":
        return _helped(asked, stands)
    if action == "all":
        return _that_is_all(asked, stands)
    kind = next((kind for kind in asked.level.kinds if kind == action), None)
    if kind is None:
        return stands, Said(_("Say what the cards are with one of the buttons."), good=False)
    found = tutor.judge(asked, kind, _picked(asked, told), stands.found)
    if found.part is not None:
        stands = replace(stands, found=(*stands.found, found.part), hint=0)
    return stands, Said(found.text, good=found.right)


def _read(asked: tutor.Exercise, told: QueryDict) -> Counting:
    """Return how the hand stood as a form says; what makes no sense is left out."""
    found = _indices(told.get("found", ""), len(asked.parts))
    return Counting(
        found=found,
        shown=tuple(at for at in _indices(told.get("shown", ""), len(asked.parts)) if at in found),
        hint=max(0, min(LAST_HINT, _number(told.get("hint", "")) or 0)),
        wrong=max(0, _number(told.get("wrong", "")) or 0),
        stage="total" if told.get("stage") == "total" else "find",
    )


def _indices(text: str, limit: int) -> tuple[int, ...]:
    numbers = [_number(word) for word in text.split(".")[:limit]]
    return tuple(dict.fromkeys(n for n in numbers if n is not None and 0 <= n < limit))


def _number(text: str) -> int | None:
    """Return a small number, or None."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 3 else None


def _picked(asked: tutor.Exercise, told: QueryDict) -> list[Card]:
    names = told.getlist("cards")
    return [card for card in asked.five if NAMES[card] in names]


def _helped(asked: tutor.Exercise, stands: Counting) -> tuple[Counting, Said]:
    step = min(LAST_HINT, stands.hint + 1)
    told = tutor.hint(asked, stands.found, step)
    if told.part is None:
        return replace(stands, hint=step), Said(told.text)
    given = replace(
        stands, found=(*stands.found, told.part), shown=(*stands.shown, told.part), hint=0
    )
    return given, Said(told.text)


def _that_is_all(asked: tutor.Exercise, stands: Counting) -> tuple[Counting, Said]:
    missing = len(tutor.left(asked, stands.found))
    if missing:
        text = " ".join([_("Not yet."), tutor.how_many(missing)])
        return replace(stands, hint=max(1, stands.hint)), Said(text, good=False)
    return replace(stands, stage="total"), Said(_("Yes, that is all. What does it count?"))


def _guessed(asked: tutor.Exercise, stands: Counting, text: str) -> tuple[Counting, Said]:
    """Judge a total: at the end, or at once by who counts without the steps."""
    number = _number(text)
    if number is None or number > MAX_HAND:
        wanted = _("A total is a number from 0 to %(most)d.") % {"most": MAX_HAND}
        return stands, Said(wanted, good=False)
    right = words.points_words(asked.total)
    if number == asked.total:
        return replace(stands, stage="done"), Said(_("Right: %(points)s.") % {"points": right})
    wrong = replace(stands, wrong=stands.wrong + 1)
    if stands.stage == "total" and wrong.wrong < TRIES:
        again = _("It is not %(n)d. Add up what you found once more.") % {"n": number}
        return wrong, Said(again, good=False)
    told = _("It is not %(n)d but %(points)s.") % {"n": number, "points": right}
    return replace(wrong, stage="done"), Said(told, good=False)


def _context(
    request: HttpRequest, asked: tutor.Exercise, stands: Counting, said: Said
) -> dict[str, Any]:
    last = len(tutor.LEVELS)
    level = asked.level.number
    line = service.progress(request.session)[level - 1]
    return {
        "asked": asked,
        "stands": stands,
        "said": said,
        "cards": [_card(card, starter=False) for card in asked.hand]
        + [_card(asked.starter, starter=True)],
        "kinds": [(kind, tutor.KINDS[kind]) for kind in asked.level.kinds],
        "found": ".".join(map(str, stands.found)),
        "shown": ".".join(map(str, stands.shown)),
        "lines": _lines(asked, stands),
        "spoken": words.count_words(Breakdown(asked.total, asked.parts)),
        "progress": line,
        "enough": service.ENOUGH,
        "next_level": level + 1 if line.known and level < last else None,
        "next_hand": max(asked.number + 1, line.next_hand),
    }


def _card(card: Card, *, starter: bool) -> dict[str, Any]:
    return {
        "name": NAMES[card],
        "face": faces.face(card, spoken=False),
        "said": words.card_words(card),
        "starter": starter,
    }


def _lines(asked: tutor.Exercise, stands: Counting) -> list[dict[str, Any]]:
    """Return what was found as the learner counts it, or at the end all in the usual order."""
    order = range(len(asked.parts)) if stands.stage == "done" else stands.found
    lines, so_far = [], 0
    for at in order:
        part = asked.parts[at]
        so_far += part.points
        lines.append(
            {
                "names": names_of(part.cards),
                "what": words.part_words(part),
                "points": part.points,
                "so_far": so_far,
                "shown": at in stands.shown,
                "missed": at not in stands.found and not stands.alone,
            }
        )
    return lines
