"""Learning to play: what there is to learn with, and the first game with a coach."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import coach
from games.services.lessons import begin_lesson, running_lesson
from games.views.limited import maker
from games.views.visitor import player_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def learn(request: HttpRequest) -> HttpResponse:
    """Show how one learns here; a POST begins the lesson, or goes on with it."""
    if request.method == "POST":
        return redirect("games:table", begin_lesson(player=maker(request)).public_id)
    player = player_of(request)
    running = None if player is None else running_lesson(player=player)
    context = {"running": running, "opponent": coach.LEVEL.title()}
    return render(request, "games/learn.html", context)
