"""Page for learning to play: the coached lesson, and links to all learning tools."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.learn import coach
from games.learn.courses.catalogue import COURSES
from games.learn.courses.exams import has_passed
from games.learn.courses.progress import progress_of
from games.learn.lessons import begin_lesson, running_lesson
from games.pages.site.rate_limits import match_creator
from games.pages.site.visitor import player_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def learn(request: HttpRequest) -> HttpResponse:
    """Show the ways to learn; a POST starts or resumes the lesson."""
    if request.method == "POST":
        return redirect("games:table", begin_lesson(player=match_creator(request)).public_id)
    player = player_of(request)
    running = None if player is None else running_lesson(player=player)
    context = {
        "running": running,
        "opponent": coach.LEVEL.title(),
        "courses": [
            (
                each,
                progress_of(player=player, course=each),
                player is not None and has_passed(player=player, course=each),
            )
            for each in COURSES
        ],
    }
    return render(request, "games/learn/learn.html", context)
