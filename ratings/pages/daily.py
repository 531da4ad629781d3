"""Pages of the daily game: today's game, its result, and the archive."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.api import date_format, house, match_creator, player_of, true_now
from ratings.models import StandardGame
from ratings.pages import sentences
from ratings.pages.device import note_device
from ratings.pages.share import share_text
from ratings.standard import daily, field
from ratings.standard import daily_standings as days


@require_safe
@never_cache
def today(request: HttpRequest) -> HttpResponse:
    """Show today's game, creating it on the first visit of the day."""
    return _show(request, daily.game_of(day=daily.today()))


@require_safe
@never_cache
def day(request: HttpRequest, when: date) -> HttpResponse:
    """Show the game of an earlier day, for practice."""
    if when == daily.today():
        return redirect("ratings:daily")
    return _show(request, _past_game_or_404(when))


@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Start the game of a day, by default today's, and redirect to its table."""
    wanted = request.POST.get("day", "")
    try:
        when = date.fromisoformat(wanted) if wanted else daily.today()
    except ValueError:
        raise Http404 from None
    if when != daily.today():
        _past_game_or_404(when)
    player = match_creator(request)
    response = note_device(request, player, redirect("ratings:daily"))
    match = daily.begin(player=player, day=when)
    response["Location"] = reverse("games:table", args=[match.public_id])
    return response


def _past_game_or_404(when: date) -> StandardGame:
    game = days.game_of_day(day=when) if when < daily.today() else None
    if game is None:
        raise Http404
    return game


def _show(request: HttpRequest, game: StandardGame) -> HttpResponse:
    player = player_of(request)
    now = daily.today()
    attempt = days.attempt_of(game=game, player=player)
    streak = days.streak(player=player, today=now)
    context: dict[str, object] = {
        "game": game,
        "day": game.daily,
        "is_today": game.daily == now,
        "attempt": attempt,
        "streak": streak,
        "running": daily.running_at(game=game, player=player) if player else None,
        "hours": _hours_left(now),
        "archive": days.archive(player=player, before=now, without=game),
        "house": house().name.title(),
    }
    if attempt is not None:
        compared = field.field_of(game=game, seat=attempt.seat)
        verdict = field.verdict(attempt, field.margins_of(game=game, seat=attempt.seat))
        context |= {
            "verdict": verdict,
            "headline": sentences.headline(verdict),
            "leaders": days.leaders(game=game),
            "share": share_text(
                daily_title(game.daily or now),
                verdict,
                field.compare_hands(attempt, compared),
                streak=streak if attempt.first and game.daily == now else 0,
                address=request.build_absolute_uri(reverse("ratings:daily")),
            ),
        }
    return render(request, "ratings/standard/daily.html", context)


def daily_title(day: date) -> str:
    """Return the title of a day's game in a text to share."""
    return _("Cribbage daily, %(day)s") % {"day": date_format(day)}


def _hours_left(day: date) -> int:
    """Return the number of whole hours until a day ends in UTC."""
    return max(0, int((daily.midnight(day) - true_now()).total_seconds() // 3600))
