"""Pages of ratings: leaderboards, and a player's rating with its history and feed."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.api import Player, player_of
from ratings.pages import charts, sentences
from ratings.rating import feed, standings
from ratings.seasons import season_lists
from ratings.standard import daily
from ratings.standard import daily_standings as days

LISTS = ("overall", "recent", "friends", "met", "daily")
PERSONAL = {"friends", "met"}
"""Lists that depend on the reader."""

SEATS = (2, 3)


@require_safe
@gzip_page
def leaderboard(request: HttpRequest) -> HttpResponse:
    """Show a leaderboard: by rating minus RD, or of the daily game."""
    chosen = request.GET.get("list", "overall")
    if chosen not in LISTS:
        raise Http404
    seats = _seats(request)
    context: dict[str, object] = {"list": chosen, "seats": seats, "lists": LISTS, "all": SEATS}
    player = player_of(request)
    if chosen == "daily":
        context |= _daily(player)
    elif chosen not in PERSONAL or player is not None:
        page = standings.leaderboard(
            seats=seats,
            recent=chosen == "recent",
            friends_of=player if chosen == "friends" else None,
            met_by=player if chosen == "met" else None,
            page=request.GET.get("page", "1"),
        )
        rows = list(page.object_list)
        winners = season_lists.champions(
            players=[row.rating.player_id for row in rows], seats=seats, on=daily.today()
        )
        context |= {"page": page, "lines": charts.leader_lines(rows, winners)}
    return render(request, "ratings/rating/leaderboard.html", context)


@require_safe
@gzip_page
def me(request: HttpRequest) -> HttpResponse:
    """Show the visitor's own rating and feed."""
    player = player_of(request)
    if player is None:
        return render(request, "ratings/rating/me.html", {"player": None})
    return _profile(request, player, own=True)


@require_safe
@gzip_page
def profile(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a player's rating and history; the feed is shown to the player only."""
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
        "chart": charts.rating_line(shown.history),
        "forecast": charts.forecast(shown),
        "table": shown.history[::-1][:40],
        "news": sentences.news_lines(news),
    }
    return render(request, "ratings/rating/me.html", context)


def _daily(player: Player | None) -> dict[str, object]:
    """Return the context of the newest daily game whose results this reader may see."""
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
