"""Pages of the counting tutor: its levels, and hands counted step by step.

Progress within a hand is kept in the form, so no script is needed and tabs do not interfere. The
number of hands counted belongs to the account; a visitor becomes a guest with the first one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.engine.cards import NAMES, Card
from games.engine.scoring import MAX_HAND, Breakdown
from games.learn import counting as service
from games.learn import tutor
from games.pages import card_svg
from games.pages.learn.forms import names_of
from games.pages.site.visitor import player_of
from games.people.accounts import ensure_guest
from games.text import count_phrases

Stage = Literal["find", "total", "done"]
STAGES: tuple[Stage, ...] = ("find", "total", "done")
LAST_HINT = 3
TRIES = 2
"""Wrong totals after which the right one is shown."""


@dataclass(frozen=True, slots=True)
class Counting:
    """Progress within a hand.

    Attributes:
        found: indices of the parts found, in the order found.
        shown: the ones among them that the tutor revealed.
        hint: the last hint step, 0 for none.
        wrong: number of wrong totals.
        stage: what the page asks for: combinations, then the total, then nothing.
    """

    found: tuple[int, ...] = ()
    shown: tuple[int, ...] = ()
    hint: int = 0
    wrong: int = 0
    stage: Stage = "find"

    @property
    def alone(self) -> bool:
        """Whether it was done without help that reveals anything."""
        return not self.shown and not self.wrong


@dataclass(frozen=True, slots=True)
class Feedback:
    """The tutor's feedback, and whether it is positive."""

    text: str = ""
    good: bool = True


@require_safe
@never_cache
def levels(request: HttpRequest) -> HttpResponse:
    """Show the levels and the learner's progress at each."""
    lines = service.progress(player_of(request))
    context = {
        "lines": lines,
        "enough": service.ENOUGH,
        "here": next((line.level.number for line in lines if not line.known), None),
    }
    return render(request, "games/learn/counting.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def hand(request: HttpRequest, level: int, number: int) -> HttpResponse:
    """Show a hand to count; a POST is the learner's answer."""
    try:
        asked = tutor.exercise(level, number)
    except LookupError as unknown:
        raise Http404 from unknown
    progress, said = Counting(), Feedback()
    if request.method == "POST":
        progress, said = _answered(asked, request.POST)
        if progress.stage == "done":
            service.note(ensure_guest(request), asked, alone=progress.alone)
    return render(
        request, "games/learn/counting_hand.html", _context(request, asked, progress, said)
    )


def _answered(asked: tutor.Exercise, posted: QueryDict) -> tuple[Counting, Feedback]:
    """Return the progress and the feedback after an answer."""
    progress = _read(asked, posted)
    action = posted.get("do", "")
    if action == "guess":
        return _guessed(asked, progress, posted.get("total", ""))
    if progress.stage != "find":
        return progress, Feedback()
    if action == "hint":
        return _helped(asked, progress)
    if action == "all":
        return _claimed_complete(asked, progress)
    kind = next((kind for kind in asked.level.kinds if kind == action), None)
    if kind is None:
        return progress, Feedback(_("Say what the cards make."), good=False)
    found = tutor.judge(asked, kind, _picked(asked, posted), progress.found)
    if found.part is not None:
        progress = replace(progress, found=(*progress.found, found.part), hint=0)
    return progress, Feedback(found.text, good=found.right)


def _read(asked: tutor.Exercise, posted: QueryDict) -> Counting:
    """Return the progress sent with the form; invalid values are ignored."""
    found = _indices(posted.get("found", ""), len(asked.parts))
    return Counting(
        found=found,
        shown=tuple(
            at for at in _indices(posted.get("shown", ""), len(asked.parts)) if at in found
        ),
        hint=max(0, min(LAST_HINT, _number(posted.get("hint", "")) or 0)),
        wrong=max(0, _number(posted.get("wrong", "")) or 0),
        stage="total" if posted.get("stage") == "total" else "find",
    )


def _indices(text: str, limit: int) -> tuple[int, ...]:
    numbers = [_number(word) for word in text.split(".")[:limit]]
    return tuple(dict.fromkeys(n for n in numbers if n is not None and 0 <= n < limit))


def _number(text: str) -> int | None:
    """Return a number of up to three digits, or None."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 3 else None


def _picked(asked: tutor.Exercise, posted: QueryDict) -> list[Card]:
    names = posted.getlist("cards")
    return [card for card in asked.five if NAMES[card] in names]


def _helped(asked: tutor.Exercise, progress: Counting) -> tuple[Counting, Feedback]:
    step = min(LAST_HINT, progress.hint + 1)
    hint = tutor.hint(asked, progress.found, step)
    if hint.part is None:
        return replace(progress, hint=step), Feedback(hint.text)
    given = replace(
        progress, found=(*progress.found, hint.part), shown=(*progress.shown, hint.part), hint=0
    )
    return given, Feedback(hint.text)


def _claimed_complete(asked: tutor.Exercise, progress: Counting) -> tuple[Counting, Feedback]:
    missing = len(tutor.remaining_parts(asked, progress.found))
    if missing:
        text = " ".join([_("Not yet."), tutor.remaining_sentence(missing)])
        return replace(progress, hint=max(1, progress.hint)), Feedback(text, good=False)
    return replace(progress, stage="total"), Feedback(_("Yes, that's all. What's the total?"))


def _guessed(asked: tutor.Exercise, progress: Counting, text: str) -> tuple[Counting, Feedback]:
    """Judge a total, whether given at the end or before the parts are found."""
    number = _number(text)
    if number is None or number > MAX_HAND:
        wanted = _("Enter a total from 0 to %(most)d.") % {"most": MAX_HAND}
        return progress, Feedback(wanted, good=False)
    right = count_phrases.points_words(asked.total)
    if number == asked.total:
        return replace(progress, stage="done"), Feedback(
            _("Right: %(points)s.") % {"points": right}
        )
    wrong = replace(progress, wrong=progress.wrong + 1)
    if progress.stage == "total" and wrong.wrong < TRIES:
        again = _("Not %(n)d. Add up again.") % {"n": number}
        return wrong, Feedback(again, good=False)
    solution = _("Not %(n)d but %(points)s.") % {"n": number, "points": right}
    return replace(wrong, stage="done"), Feedback(solution, good=False)


def _context(
    request: HttpRequest, asked: tutor.Exercise, progress: Counting, said: Feedback
) -> dict[str, Any]:
    last = len(tutor.LEVELS)
    level = asked.level.number
    line = service.progress(player_of(request))[level - 1]
    return {
        "asked": asked,
        "stands": progress,
        "said": said,
        "cards": [_card(card, starter=False) for card in asked.hand]
        + [_card(asked.starter, starter=True)],
        "kinds": [(kind, tutor.KINDS[kind]) for kind in asked.level.kinds],
        "found": ".".join(map(str, progress.found)),
        "shown": ".".join(map(str, progress.shown)),
        "lines": _lines(asked, progress),
        "spoken": count_phrases.count_words(Breakdown(asked.total, asked.parts)),
        "progress": line,
        "enough": service.ENOUGH,
        "next_level": level + 1 if line.known and level < last else None,
        "next_hand": max(asked.number + 1, line.next_hand),
    }


def _card(card: Card, *, starter: bool) -> dict[str, Any]:
    return {
        "name": NAMES[card],
        "face": card_svg.face(card, spoken=False),
        "said": count_phrases.card_words(card),
        "starter": starter,
    }


def _lines(asked: tutor.Exercise, progress: Counting) -> list[dict[str, Any]]:
    """Return the parts found in the learner's order, or in the end all parts in the usual order."""
    order = range(len(asked.parts)) if progress.stage == "done" else progress.found
    lines, so_far = [], 0
    for at in order:
        part = asked.parts[at]
        so_far += part.points
        lines.append(
            {
                "names": names_of(part.cards),
                "what": count_phrases.part_words(part),
                "points": part.points,
                "so_far": so_far,
                "shown": at in progress.shown,
                "missed": at not in progress.found and not progress.alone,
            }
        )
    return lines
