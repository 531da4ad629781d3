"""The page of friends: the player's own list, requests, blocks; and the buttons for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from games import friends as circle
from games import limits, seen
from games.models import Player
from games.refusals import Refused
from games.services import friends as services
from games.views.limited import too_often
from games.views.visitor import player_of


@never_cache
@require_GET
def friends(request: HttpRequest) -> HttpResponse:
    """Show the player's friends and what waits for an answer; to others how to get an account."""
    player = player_of(request)
    context: dict[str, object] = {"player": player}
    if player is not None and player.is_person:
        seen.note([player.pk])
        context |= {
            "friends": circle.friends_of(player=player),
            "asking": circle.asking(player=player),
            "asked": circle.asked(player=player),
            "blocked": circle.blocked(player=player),
            "tables": circle.asked_to_tables(players=[player.pk]).get(player.pk, []),
        }
    return render(request, "games/friends.html", context)


@require_POST
def ask(request: HttpRequest) -> HttpResponse:
    """Ask somebody to be a friend: by name, or as the player whose page it is."""
    player = player_of(request)
    if player is None:
        return redirect("games:friends")
    try:
        other = _meant(request)
        limits.take(limits.named("friends"), str(player.pk))
        row = services.ask(player=player, other=other)
    except limits.TooOften as refusal:
        return too_often(request, refusal)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        said = _("%(name)s is your friend now.") if row.accepted_at else _("%(name)s was asked.")
        messages.success(request, said % {"name": other.name})
    return _back(request)


def _meant(request: HttpRequest) -> Player:
    if "player" in request.POST:
        return get_object_or_404(Player, public_id=request.POST["player"])
    return services.named(name=request.POST.get("name", ""))


ACTIONS: dict[str, tuple[Callable[..., Any], Any]] = {
    "accept": (services.accept, gettext_lazy("%(name)s is your friend now.")),
    "decline": (services.decline, gettext_lazy("You have declined. %(name)s is not told.")),
    "remove": (services.remove, gettext_lazy("%(name)s is no longer on your list.")),
    "block": (services.block, gettext_lazy("%(name)s can ask you for nothing more.")),
    "unblock": (services.unblock, gettext_lazy("%(name)s may ask you again.")),
}


@require_POST
def act(request: HttpRequest, public_id: str, action: str) -> HttpResponse:
    """Answer a request, end a friendship, block somebody or take that back."""
    player = player_of(request)
    other = get_object_or_404(Player, public_id=public_id)
    if player is None:
        return redirect("games:friends")
    service, said = ACTIONS[action]
    try:
        service(player=player, other=other)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, said % {"name": other.name})
    return _back(request)


@require_POST
def invite(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask a friend to a table of the player's, and go there."""
    player = player_of(request)
    friend = get_object_or_404(Player, public_id=public_id)
    if player is None:
        return redirect("games:friends")
    try:
        limits.take(limits.named("matches"), str(player.pk))
        match = services.invite(player=player, friend=friend)
    except limits.TooOften as refusal:
        return too_often(request, refusal)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return _back(request)
    return redirect("games:table", match.public_id)


@require_POST
def turn_down(request: HttpRequest, match: str) -> HttpResponse:
    """Say no to a friend's table."""
    player = player_of(request)
    if player is not None:
        services.turn_down(player=player.pk, match=match)
    return _back(request)


def _back(request: HttpRequest) -> HttpResponse:
    """Return to the page where the button was, if it is one of this site."""
    page = request.POST.get("next", "")
    own = url_has_allowed_host_and_scheme(page, {request.get_host()}, request.is_secure())
    return redirect(page if page and own else "games:friends")
