"""Pages of seasons: the standings of a month or a year, and the list of past seasons."""

from __future__ import annotations

from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.api import player_of
from ratings.models import Season
from ratings.seasons import season_lists
from ratings.seasons.closing import final_at
from ratings.seasons.counting import MIN_GAMES, midnight
from ratings.seasons.scoring import AVERAGE_GAMES
from ratings.standard import daily

KINDS = (Season.Kind.MONTH, Season.Kind.YEAR)
PODIUM = 3


@never_cache
@require_safe
def current(request: HttpRequest) -> HttpResponse:
    """Show the standings of the month; an invitation to play before the first count."""
    return _page(request, season_lists.current(kind=Season.Kind.MONTH, on=daily.today()))


@never_cache
@require_safe
def season(request: HttpRequest, name: str) -> HttpResponse:
    """Show the standings of one season."""
    found = season_lists.season_of(name=name)
    if found is None:
        raise Http404
    return _page(request, found)


def _page(request: HttpRequest, found: Season | None) -> HttpResponse:
    seats = 3 if request.GET.get("seats") == "3" else 2
    today = daily.today()
    context: dict[str, object] = {
        "season": found,
        "seats": seats,
        "newest": [season_lists.current(kind=kind, on=today) for kind in KINDS],
        "past": season_lists.past(on=today, seats=seats),
        "average_games": AVERAGE_GAMES,
    }
    if found is not None:
        page = season_lists.standings(season=found, seats=seats, page=request.GET.get("page", "1"))
        ends_at = midnight(found.ends_before)
        context |= {
            "page": page,
            "podium": page.object_list[:PODIUM] if found.is_final and page.number == 1 else [],
            "own": season_lists.own(season=found, seats=seats, player=player_of(request)),
            "least": MIN_GAMES[found.kind],
            "ends_at": ends_at,
            "last_day": found.ends_before - timedelta(days=1),
            "final_at": final_at(found),
            "is_over": timezone.now() >= ends_at,
        }
    return render(request, "ratings/seasons/season.html", context)
