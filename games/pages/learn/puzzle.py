"""Pages of the daily discard puzzle: the question, then the result and others' answers."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.analysis.review import judge
from games.engine.cards import parse_cards
from games.learn import puzzles
from games.models import Player, Puzzle, PuzzleAnswer
from games.pages.learn import pick
from games.pages.learn import review_sheet as sheet
from games.pages.learn import review_words as words
from games.pages.site.visitor import player_of
from games.people.accounts import ensure_guest
from games.wire.refusals import Refused


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def puzzle(request: HttpRequest, when: date | None = None) -> HttpResponse:
    """Show a day's puzzle, by default today's; a POST stores the answer."""
    day = when or puzzles.today()
    found = puzzles.puzzle_of(day=day)
    if found is None:
        raise Http404
    if request.method == "POST":
        return _take(request, found)
    if when == puzzles.today():
        return redirect("games:puzzle")
    return _show(request, found, player_of(request))


def _take(request: HttpRequest, found: Puzzle) -> HttpResponse:
    player = ensure_guest(request)
    try:
        puzzles.answer(puzzle=found, player=player, cards=pick.cards_of(request))
    except Refused as cause:
        return _show(request, found, player, error=cause.message)
    return redirect(_address(found))


def _address(found: Puzzle) -> str:
    if found.day == puzzles.today():
        return reverse("games:puzzle")
    return reverse("games:puzzle_day", args=[found.day])


def _show(
    request: HttpRequest, found: Puzzle, player: Player | None, *, error: str = ""
) -> HttpResponse:
    row = puzzles.answer_of(puzzle=found, player=player)
    context: dict[str, Any] = {
        "puzzle": found,
        "is_today": found.day == puzzles.today(),
        "streak": puzzles.streak(player=player),
        "archive": [
            {"past": past, "verdict": words.VERDICTS.get(past.verdict)}  # type: ignore[call-overload]
            for past in puzzles.archive(player=player, before=puzzles.today())
        ],
        "error": error,
        "action": reverse("games:puzzle_day", args=[found.day]),  # also after midnight
        **pick.question(puzzles.view_of(found)),
    }
    if row is not None:
        context |= _answered(found, row)
    return render(request, "games/learn/puzzle.html", context, status=422 if error else 200)


def _answered(found: Puzzle, row: PuzzleAnswer) -> dict[str, Any]:
    """Return the verdict on an answer, and each discard with its share of answers."""
    view = puzzles.view_of(found)
    item = judge(view, parse_cards(row.thrown))
    shares, number = puzzles.shares(puzzle=found)
    lines = pick.every_option(view, item)
    return {
        "item": item,
        "verdict": words.VERDICTS[item.verdict],
        "reason": words.reason(item),
        "thrown": row.thrown,
        "best": lines[0].cards,
        "is_best": item.verdict == "best",
        "loss": words.loss(points_lost=item.points_lost, chance_lost=item.chance_lost),
        "lines": [{"option": line, "share": shares.get(line.cards, 0.0)} for line in lines],
        "answers": number,
        "helper": sheet.helper_address(view),
    }
