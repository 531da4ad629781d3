"""Pages of friends: the player's list, requests and blocks, and their buttons."""

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
from django.views.decorators.http import require_POST, require_safe

from games.cluster import online_status
from games.models import Player
from games.pages.site.rate_limits import too_often
from games.pages.site.visitor import player_of
from games.people import friends as circle
from games.people import friendships as services
from games.people import limits
from games.tables import invitations
from games.wire.refusals import Refused


@never_cache
@require_safe
def friends(request: HttpRequest) -> HttpResponse:
    """Show the player's friends and requests; tell guests and visitors how to get an account."""
    player = player_of(request)
    context: dict[str, object] = {"player": player}
    if player is not None and player.is_person:
        online_status.mark_online([player.pk])
        context |= {
            "friends": circle.friends_of(player=player),
            "asking": circle.received_requests(player=player),
            "asked": circle.sent_requests(player=player),
            "blocked": circle.blocked(player=player),
            "tables": circle.table_invitations(players=[player.pk]).get(player.pk, []),
        }
    return render(request, "games/people/friends.html", context)


@require_POST
def ask(request: HttpRequest) -> HttpResponse:
    """Send a friend request, by name or by player id."""
    player = player_of(request)
    if player is None:
        return redirect("games:friends")
    try:
        other = _named_player(request)
        limits.consume(limits.named("friends"), str(player.pk))
        row = services.ask(player=player, other=other)
    except limits.TooOften as refusal:
        return too_often(request, refusal)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        text = (
            _("You and %(name)s are now friends.")
            if row.accepted_at
            else _("Friend request sent to %(name)s.")
        )
        messages.success(request, text % {"name": other.name})
    return _back(request)


def _named_player(request: HttpRequest) -> Player:
    if "player" in request.POST:
        return get_object_or_404(Player, public_id=request.POST["player"])
    return services.person_named(name=request.POST.get("name", ""))


ACTIONS: dict[str, tuple[Callable[..., Any], Any]] = {
    "accept": (services.accept, gettext_lazy("You and %(name)s are now friends.")),
    "decline": (services.decline, gettext_lazy("Request declined. %(name)s won't be notified.")),
    "remove": (services.remove, gettext_lazy("%(name)s was removed from your friends.")),
    "block": (services.block, gettext_lazy("%(name)s is blocked.")),
    "unblock": (services.unblock, gettext_lazy("%(name)s is unblocked.")),
}


@require_POST
def act(request: HttpRequest, public_id: str, action: str) -> HttpResponse:
    """Accept or decline a request, end a friendship, block or unblock a player."""
    player = player_of(request)
    other = get_object_or_404(Player, public_id=public_id)
    if player is None:
        return redirect("games:friends")
    service, text = ACTIONS[action]
    try:
        service(player=player, other=other)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, text % {"name": other.name})
    return _back(request)


@require_POST
def invite(request: HttpRequest, public_id: str) -> HttpResponse:
    """Invite a friend to a new table, and redirect to it."""
    player = player_of(request)
    friend = get_object_or_404(Player, public_id=public_id)
    if player is None:
        return redirect("games:friends")
    try:
        limits.consume(limits.named("matches"), str(player.pk))
        match = invitations.invite(player=player, friend=friend)
    except limits.TooOften as refusal:
        return too_often(request, refusal)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return _back(request)
    return redirect("games:table", match.public_id)


@require_POST
def turn_down(request: HttpRequest, match: str) -> HttpResponse:
    """Decline an invitation to a friend's table."""
    player = player_of(request)
    if player is not None:
        invitations.turn_down(player=player.pk, match=match)
    return _back(request)


def _back(request: HttpRequest) -> HttpResponse:
    """Redirect to the page with the button, if it is on this site."""
    page = request.POST.get("next", "")
    own = url_has_allowed_host_and_scheme(page, {request.get_host()}, request.is_secure())
    return redirect(page if page.startswith("/") and own else "games:friends")
