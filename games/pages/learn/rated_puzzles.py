"""Pages of rated puzzles: the choice of a theme, the question, the result, and the history."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.engine.cards import NAMES
from games.engine.scoring import MAX_HAND
from games.learn import puzzle_loading, storm
from games.learn import puzzle_positions as positions
from games.learn import rated_puzzles as service
from games.models import PuzzleAttempt
from games.models.rated_puzzles import SETTLES_AFTER
from games.ops import true_time
from games.pages import card_svg
from games.pages.charts.rating_line import rating_line
from games.pages.learn import pick, review_words
from games.pages.learn import puzzle_words as words
from games.pages.site.visitor import log_in_first, player_of
from games.people.accounts import ensure_guest
from games.people.player_lock import LoggedOut
from games.text import count_phrases
from games.wire.refusals import Refused

SHOWN = 50
"""Attempts in the table of the history."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def puzzles(request: HttpRequest) -> HttpResponse:
    """Show kinds and themes; a POST shows the next puzzle of one of them, or of all."""
    if request.method == "POST":
        return _next(request)
    return _home(request)


def _next(request: HttpRequest) -> HttpResponse:
    only = _only(request.POST.get("only", ""))
    puzzle_loading.load_first_puzzles()
    found = service.next_attempt(player=ensure_guest(request), only=only)
    if found is not None:
        return redirect(_address(found, only))
    return _home(request, news=_("You've tried all of these. Choose others."))


def _home(request: HttpRequest, *, news: str = "") -> HttpResponse:
    player = player_of(request)
    context = {
        "own": service.rating_of(player=player),
        "settles_after": SETTLES_AFTER,
        "storm_best": storm.best(player=player),
        "kinds": list(words.KINDS.items()),
        "themes": [line for line in words.THEMES.items() if line[0] != "counting"],
        "news": news,
    }
    return render(request, "games/learn/puzzles.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def attempt(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the question of an open attempt, or its result; a POST is the answer.

    A storm asks its own questions, but their results are here, too.

    Visitors who answer log in first: their session has ended.
    """
    if request.method == "POST" and player_of(request) is None:
        return log_in_first(request, "games:puzzles")
    row = service.attempt_of(pk=pk, player=player_of(request))
    if row is None or (row.storm_id is not None and row.answered_at is None):
        raise Http404
    only = _only(request.GET.get("only", ""))
    if row.answered_at is None and service.is_late(row):
        row = service.answer(attempt=row, words=[])
    if row.answered_at is not None:
        return _result(request, row, only)
    if request.method != "POST":
        return _ask(request, row, only)
    try:
        service.answer(attempt=row, words=request.POST.getlist("cards"))
    except LoggedOut:
        raise
    except Refused as cause:
        return _ask(request, row, only, error=cause.message)
    except service.NotPoints:
        return _ask(request, row, only, error=not_points())
    return redirect(_address(row, only))


@require_safe
@never_cache
def history(request: HttpRequest) -> HttpResponse:
    """Show a player's rating over their last attempts, and the attempts."""
    player = player_of(request)
    rows = [] if player is None else service.history(player=player)
    # Its rows are the newest: those before the last of the first few have no rating to show.
    rated = [row for row in rows if row.rating is not None]
    settled = rated[: max(0, service.number_of(rated[0]) - SETTLES_AFTER + 1)] if rated else []
    context = {
        "own": service.rating_of(player=player),
        "settles_after": SETTLES_AFTER,
        "storm_best": storm.best(player=player),
        "chart": rating_line([row.rating for row in reversed(settled) if row.rating is not None]),
        "rows": [_line(row, settled=row in settled) for row in rows[:SHOWN]],
    }
    return render(request, "games/learn/puzzle_history.html", context)


def question(row: PuzzleAttempt) -> dict[str, Any]:
    """Return the template context that asks a puzzle."""
    position = row.puzzle.position
    if not positions.is_counted(position):
        return {"counts": False, **pick.question(positions.view_of(position))}
    return {"counts": True, **_five(position)}


def solution(row: PuzzleAttempt) -> dict[str, Any]:
    """Return the context of one line: an answered puzzle, its answer and the right one."""
    position = row.puzzle.position
    line = {"row": row, "kind": words.KINDS[row.puzzle.kind]}
    if positions.is_counted(position):
        hand, starter = positions.cards_of(position)
        cards = " ".join(NAMES[card] for card in (*hand, starter))
        return {**line, "cards": cards, "total": positions.breakdown(position).total}
    cards = " ".join(NAMES[card] for card in sorted(positions.view_of(position).cards))
    return {**line, "cards": cards}


def not_points() -> str:
    """Return what is wrong with an answer that is no number of points."""
    return _("Enter a total from 0 to %(most)d.") % {"most": MAX_HAND}


def _five(position: str) -> dict[str, Any]:
    hand, starter = positions.cards_of(position)
    return {
        "is_crib": position.startswith("crib"),
        "most": MAX_HAND,
        "five": [
            {"face": card_svg.face(card, spoken=False), "said": count_phrases.card_words(card)}
            for card in (*hand, starter)
        ],
    }


def _only(text: str) -> str:
    return text if service.is_filter(text) else ""


def _address(row: PuzzleAttempt, only: str) -> str:
    return reverse("games:puzzle_attempt", args=[row.pk]) + (f"?only={only}" if only else "")


def _shared(row: PuzzleAttempt, only: str) -> dict[str, Any]:
    return {
        "row": row,
        "standing": service.rating_of(player=row.player),
        "only": only,
        "only_name": words.name_of(only),
        "kind": words.KINDS[row.puzzle.kind],
        "theme": words.THEMES[row.puzzle.theme],
    }


def _ask(request: HttpRequest, row: PuzzleAttempt, only: str, *, error: str = "") -> HttpResponse:
    end = service.ends_at(row)
    context = {
        "seconds": None if end is None else max(0, round((end - true_time.now()).total_seconds())),
        "error": error,
        "action": _address(row, only),
        **_shared(row, only),
        **question(row),
    }
    template = "games/learn/rated_puzzle.html"
    return render(request, template, context, status=422 if error else 200)


def _result(request: HttpRequest, row: PuzzleAttempt, only: str) -> HttpResponse:
    number = service.number_of(row)
    context = {
        "nth": number,
        "settles_after": SETTLES_AFTER,
        **_rating(row, settled=number >= SETTLES_AFTER),
        **_shared(row, only),
        **(_counted(row) if positions.is_counted(row.puzzle.position) else _decided(row)),
    }
    return render(request, "games/learn/puzzle_result.html", context)


def _counted(row: PuzzleAttempt) -> dict[str, Any]:
    found = positions.breakdown(row.puzzle.position)
    return {
        "counts": True,
        "late": not row.answer,
        "total": found.total,
        "spoken": count_phrases.count_words(found),
        **_five(row.puzzle.position),
    }


def _decided(row: PuzzleAttempt) -> dict[str, Any]:
    view, item = positions.view_of(row.puzzle.position), service.judged(row)
    if item is None:
        raise Http404
    return {
        "counts": False,
        "item": item,
        "verdict": review_words.VERDICTS[item.verdict],
        "chosen": review_words.names_of(item.chosen),
        "best": review_words.names_of(item.options[0].cards),
        "reason": review_words.reason(item),
        "options": pick.every_option(view, item),
        "cards": " ".join(NAMES[card] for card in sorted(view.cards)),
        **pick.question(view),
    }


def _line(row: PuzzleAttempt, *, settled: bool) -> dict[str, Any]:
    return {
        "row": row,
        "kind": words.KINDS[row.puzzle.kind],
        "theme": words.THEMES[row.puzzle.theme],
        **_rating(row, settled=settled),
    }


def _rating(row: PuzzleAttempt, *, settled: bool) -> dict[str, Any]:
    """Return the rating after an attempt, and its change.

    None if it moved none of the player's, or while the rating still jumps.
    """
    rating = None if row.rating is None or not settled else round(row.rating)
    return {"rating": rating, "change": words.change(row)}
