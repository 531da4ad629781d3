"""The page of puzzle storms: the start, the questions one after another, and the score."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.learn import puzzle_loading, rated_puzzles
from games.learn import storm as service
from games.models import Player, Storm
from games.ops import true_time
from games.pages.learn.rated_puzzles import not_points, question, solution
from games.pages.site.visitor import player_of
from games.people.accounts import ensure_guest
from games.people.player_lock import LoggedOut
from games.wire.refusals import Refused

MOST_SOLUTIONS = 20
"""The most wrong answers that are listed."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def storm(request: HttpRequest) -> HttpResponse:
    """Show the running storm's puzzle, or the last score; a POST answers, or starts a storm."""
    if request.method == "POST":
        return _posted(request)
    player = player_of(request)
    running = None if player is None else service.running(player=player)
    if running is None:
        last = None if player is None else service.last(player=player)
        return _home(request, player, last)
    return _ask(request, running)


def _posted(request: HttpRequest) -> HttpResponse:
    player = ensure_guest(request)
    number = request.GET.get("attempt", "")
    if not number.isdecimal() or len(number) > 18:
        puzzle_loading.load_first_puzzles()
        service.start(player=player)
        return redirect("games:storm")
    row = rated_puzzles.attempt_of(pk=int(number), player=player)
    if row is None or row.storm is None:
        return redirect("games:storm")
    try:
        service.answer(attempt=row, words=request.POST.getlist("cards"))
    except LoggedOut:
        raise
    except Refused as cause:
        return _ask(request, row.storm, error=cause.message)
    except rated_puzzles.NotPoints:
        return _ask(request, row.storm, error=not_points())
    return redirect("games:storm")


def _home(
    request: HttpRequest, player: Player | None, last: Storm | None, *, news: str = ""
) -> HttpResponse:
    missed = [] if last is None else service.missed(storm=last)
    context = {
        "missed": [solution(row) for row in missed[:MOST_SOLUTIONS]],
        "unlisted": max(0, len(missed) - MOST_SOLUTIONS),
        "last": last,
        "marks": [] if last is None else service.marks(storm=last),
        "best": service.best(player=player),
        "news": news,
    }
    return render(request, "games/learn/storm.html", context)


def _ask(request: HttpRequest, running: Storm, *, error: str = "") -> HttpResponse:
    row = service.current(storm=running)
    if row is None:
        news = _("You've seen every puzzle.")
        return _home(request, running.player, running, news=news)
    left = service.ends_at(running) - true_time.now()
    context: dict[str, Any] = {
        "row": row,
        "storm": running,
        "marks": service.marks(storm=running),
        "seconds": max(0, round(left.total_seconds())),
        "error": error,
        "action": f"{reverse('games:storm')}?attempt={row.pk}",
        **question(row),
    }
    template = "games/learn/storm_puzzle.html"
    return render(request, template, context, status=422 if error else 200)
