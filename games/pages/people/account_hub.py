"""The pages of settings and account, and of the browsers in which a player is logged in."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.correspondence import notify
from games.models import Player
from games.pages.site.visitor import log_in_first, player_of
from games.people import browser_sessions


@never_cache
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show all settings, each with its present state, and where to change it."""
    player = player_of(request)
    if player is None:
        return log_in_first(request)
    context: dict[str, object] = {
        "player": player,
        "mails": notify.mail_choice(player) is not None,
        "notified": player.push_subscriptions.count(),
    }
    if player.is_person:
        context |= _state_of(player)
    return render(request, "games/people/account.html", context)


def _state_of(player: Player) -> dict[str, object]:
    kinds = list(Authenticator.objects.filter(user=player).values_list("type", flat=True))
    return {
        "address": EmailAddress.objects.filter(user=player).order_by("-primary", "pk").first(),
        "passkeys": kinds.count(Authenticator.Type.WEBAUTHN),
        "app": Authenticator.Type.TOTP in kinds,
        "browsers": browser_sessions.number_of_sessions(player=player),
    }


@never_cache
@require_safe
def browsers(request: HttpRequest) -> HttpResponse:
    """Show the browsers in which the player is logged in."""
    player = player_of(request)
    if player is None or not player.is_person:
        return log_in_first(request)
    found = browser_sessions.sessions_of(player=player, key=request.session.session_key)
    return render(request, "games/people/browsers.html", {"sessions": found})


@require_POST
def end_browser(request: HttpRequest, ident: str) -> HttpResponse:
    """Log the player out in one of their browsers."""
    player = player_of(request)
    if player is not None and browser_sessions.end_session(player=player, ident=ident):
        messages.success(request, _("Logged out there."))
    return redirect("games:browsers")


@require_POST
def end_browsers(request: HttpRequest) -> HttpResponse:
    """Log the player out in every other browser."""
    player = player_of(request)
    if player is not None:
        browser_sessions.end_others(player=player, key=request.session.session_key)
        messages.success(request, _("Logged out everywhere else."))
    return redirect("games:browsers")
