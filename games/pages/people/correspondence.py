"""The page of the settings for correspondence games: days off and forced plays."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from games.correspondence import vacations
from games.pages.site.visitor import player_of
from games.wire.refusals import Refused, sentence


@require_GET
@never_cache
def settings(request: HttpRequest) -> HttpResponse:
    """Show the player's settings for correspondence games."""
    player = player_of(request)
    if player is None:
        return redirect("account_login")
    left = vacations.days_left(player)
    context = {
        "player": player,
        "away": vacations.current(player),
        "allowance": vacations.ALLOWANCE.days,
        "left": left,
        "choices": [
            (days, ngettext("%(n)d day", "%(n)d days", days) % {"n": days})
            for days in range(1, left + 1)
        ],
    }
    return render(request, "games/people/correspondence.html", context)


@require_POST
def go_away(request: HttpRequest) -> HttpResponse:
    """Begin the player's days off."""
    player = player_of(request)
    if player is None:
        return redirect("account_login")
    chosen = request.POST.get("days", "")
    try:
        if not (chosen.isascii() and chosen.isdigit() and len(chosen) < 4):
            raise Refused("bad_days_off")
        vacations.go_away(player=player, days=int(chosen))
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("Your deadlines wait. Enjoy your days off."))
    return redirect("games:correspondence")


@require_POST
def come_back(request: HttpRequest) -> HttpResponse:
    """End the player's days off."""
    player = player_of(request)
    if player is None:
        return redirect("account_login")
    if vacations.come_back(player=player):
        messages.success(request, _("Welcome back. Your deadlines run again."))
    else:
        messages.error(request, sentence("not_offered"))
    return redirect("games:correspondence")


@require_POST
def choose_forced(request: HttpRequest) -> HttpResponse:
    """Turn the automatic play of a player's only legal card on or off."""
    player = player_of(request)
    if player is None:
        return redirect("account_login")
    player.plays_forced = request.POST.get("wanted") == "1"
    player.save(update_fields=["plays_forced"])
    messages.success(request, _("Saved."))
    return redirect("games:correspondence")
