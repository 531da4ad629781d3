"""Leaderboards, and one player's rating with its history and the reasons why it moved."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from games.api import Player, player_of
from ratings.selectors import daily as days
from ratings.selectors import feed, standings
from ratings.services import daily
from ratings.views import charts, sentences

LISTS = ("overall", "recent", "friends", "met", "daily")
PERSONAL = {"friends", "met"}
"""Lists that are a player's own."""

SEATS = (2, 3)


@require_GET
def leaderboard(request: HttpRequest) -> HttpResponse:
    """Show who leads: by rating less RD, among those who played lately, or in the daily game."""
    chosen = request.GET.get("list", "overall")
    if chosen not in LISTS:
        raise Http404
    seats = _seats(request)
    context: dict[str, object] = {"list": chosen, "seats": seats, "lists": LISTS, "all": SEATS}
    player = player_of(request)
    if chosen == "daily":
        context |= _daily(player)
    elif chosen not in PERSONAL or player is not None:
        context["page"] = standings.leaderboard(
            seats=seats,
            recent=chosen == "recent",
            friends_of=player if chosen == "friends" else None,
            met_by=player if chosen == "met" else None,
            page=request.GET.get("page", "1"),
        )
    return render(request, "ratings/leaderboard.html", context)


@require_GET
def me(request: HttpRequest) -> HttpResponse:
    """Show the visitor's own rating, and why it moved."""
    player = player_of(request)
    if player is None:
        return render(request, "ratings/me.html", {"player": None})
    return _profile(request, player, own=True)


@require_GET
def profile(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show anybody's rating and its history; the reasons are the player's own matter."""
    player = get_object_or_404(Player, public_id=public_id)
    own = player == player_of(request)
    if player.private and not own:
        raise Http404
    return _profile(request, player, own=own)


def _profile(request: HttpRequest, player: Player, *, own: bool) -> HttpResponse:
    seats = _seats(request)
    shown = standings.profile(player=player, seats=seats)
    news = feed.feed(player=player, seats=seats) if own else []
    context = {
        "player": player,
        "own": own,
        "seats": seats,
        "all": SEATS,
        "profile": shown,
        "chart": charts.chart(shown.history),
        "table": shown.history[::-1][:40],
        "news": sentences.news_lines(news),
    }
    return render(request, "ratings/me.html", context)


def _daily(player: Player | None) -> dict[str, object]:
    """Return the newest daily game whose results may be shown to this reader."""
    today = daily.today()
    game = days.game_of_day(day=today)
    if game is None or days.attempt_of(game=game, player=player) is None:
        earlier = days.archive(player=None, before=today)[:1]
        game = days.game_of_day(day=earlier[0].day) if earlier else None
    return {
        "day": game.daily if game else None,
        "leaders": days.leaders(game=game) if game else [],
        "is_today": game is not None and game.daily == today,
    }


def _seats(request: HttpRequest) -> int:
    return 3 if request.GET.get("seats") == "3" else 2
