"""The queue for ranked games: its page, its state for the page's script, and its buttons."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from games.api import Refused, maker, player_of
from ratings import grades
from ratings.selectors import queue
from ratings.services import catalogue, matching, penalties
from ratings.services.matching import Standing
from ratings.views.device import note_device

NOT_WAITING = Standing(waiting=False)


@require_GET
@never_cache
def ranked(request: HttpRequest) -> HttpResponse:
    """Show what a ranked game is; to who waits for one, how it stands."""
    player = player_of(request)
    ticket = queue.ticket_of(player=player)
    waited = (timezone.now() - ticket.since) if ticket else None
    context = {
        "ticket": ticket,
        "waited": int(waited.total_seconds()) if waited else 0,
        "offered": waited is not None and waited >= matching.OFFER_AFTER,
        "offer_after": int(matching.OFFER_AFTER.total_seconds()),
        "clock": catalogue.CLOCK,
        "closes_at": catalogue.CLOSES_AT,
        "running": matching.unfinished(player) if player else None,
        "linked": queue.linked_names(player=player),
        "penalty": penalties.standing(player) if player else None,
        "per_grade": grades.PER_GRADE,
    }
    return render(request, "ratings/ranked.html", context)


@require_POST
def enter(request: HttpRequest) -> HttpResponse:
    """Wait for a game with so many seats, or go to the one that is under way."""
    player = maker(request)
    # Linked first: two accounts of one browser are not to be paired with each other.
    response = note_device(request, player, redirect("ratings:ranked"))
    try:
        standing = matching.enter(player=player, seats=int(request.POST.get("seats", "2")))
    except Refused as refusal:
        messages.error(request, refusal.message)
        return response
    except ValueError:
        messages.error(request, Refused("not_offered").message)
        return response
    response["Location"] = _address(standing)
    return response


@require_POST
@never_cache
def state(request: HttpRequest) -> JsonResponse:
    """Say how it stands, as JSON: waiting, offer, others, and the table's address once found."""
    player = player_of(request)
    standing = matching.ask(player=player) if player else NOT_WAITING
    return JsonResponse(
        {
            "waiting": standing.waiting,
            "offer": standing.offer,
            "others": standing.others,
            "table": _address(standing) if standing.match else "",
        }
    )


@require_POST
def look(request: HttpRequest) -> HttpResponse:
    """Ask how it stands without a script: to the table, or back to the page."""
    player = player_of(request)
    return redirect(_address(matching.ask(player=player) if player else NOT_WAITING))


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Wait no longer."""
    player = player_of(request)
    if player is not None:
        matching.leave(player=player)
    return redirect("ratings:ranked")


@require_POST
def computer(request: HttpRequest) -> HttpResponse:
    """Play the house computer instead of waiting."""
    if player_of(request) is None:
        return redirect("ratings:ranked")
    player = maker(request)
    try:
        match = matching.take_computer(player=player)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("ratings:ranked")
    return redirect("games:table", match.public_id)


def _address(standing: Standing) -> str:
    """Return where to go: the table that was found, or the queue's page."""
    if standing.match:
        return reverse("games:table", args=[standing.match])
    return reverse("ratings:ranked")
