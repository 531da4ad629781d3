"""Pages of the queue for ranked games: the page, its status as JSON, and its buttons."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.api import Refused, client_address, house, match_creator, player_of, true_now
from ratings.matchmaking import leaver_penalties, leavers, networks, queue_status
from ratings.matchmaking import queue as matching
from ratings.matchmaking.queue import QueueStatus
from ratings.pages.device import note_device
from ratings.standard import access, catalogue, seated

NOT_QUEUED = QueueStatus(waiting=False)
ENTERED, GONE = "entered", "gone"
"""Parameters of the page's address for players who have just entered, or who waited until now."""


@require_safe
@never_cache
def ranked(request: HttpRequest) -> HttpResponse:
    """Show the queue, and the reader's status in it.

    Players who have just entered, or who no longer wait, go on to the game that they have to
    finish. Without one, those who no longer wait see why: they left in another tab, or logged in to
    an account that may not play.
    """
    player = player_of(request)
    running = matching.unfinished(player) if player else None
    if running is not None and not {ENTERED, GONE}.isdisjoint(request.GET):
        return redirect("games:table", running.public_id)
    ticket = queue_status.ticket_of(player=player)
    waited = (true_now() - ticket.since) if ticket else None
    context = {
        "ticket": ticket,
        "gone": GONE in request.GET,
        "barred": player is not None and player.is_kept_from_ranked,
        "waited": int(waited.total_seconds()) if waited else 0,
        "offered": ticket is not None and matching.is_offered(ticket),
        "offer_after": int(matching.OFFER_AFTER.total_seconds()),
        "house": house().name.title(),
        "clock": catalogue.ranked_clock(),
        "running": running,
        "elsewhere": seated.table_of(player) if player and not running else None,
        "newest": access.newest_ranked(player=player) if player and not running else None,
        "linked": queue_status.linked_names(player=player),
        "penalty": leavers.status_of(player) if player else None,
        "per_grade": leaver_penalties.PER_GRADE,
    }
    return render(request, "ratings/matchmaking/ranked.html", context)


@require_safe
def how(request: HttpRequest) -> HttpResponse:
    """Explain in pictures how players are compared on the same cards."""
    return render(request, "ratings/how/how.html", {"closes_at": catalogue.CLOSES_AT})


@require_POST
def enter(request: HttpRequest) -> HttpResponse:
    """Enter the queue, or redirect to the match that is in progress."""
    player = match_creator(request)
    # First, so that two accounts of one browser or network are not paired with each other.
    networks.record_network(player=player, address=client_address(request))
    response = note_device(request, player, redirect("ratings:ranked"))
    try:
        status = matching.enter(player=player, seats=int(request.POST.get("seats", "2")))
    except Refused as refusal:
        messages.error(request, refusal.message)
        return response
    except ValueError:
        messages.error(request, Refused("not_offered").message)
        return response
    response["Location"] = _address(status)
    return response


@require_POST
@never_cache
def state(request: HttpRequest) -> JsonResponse:
    """Return the status as JSON: waiting, offer, others, and the table's address once found.

    The status is 401 for visitors, whose session may be ending by a login in another tab.
    """
    player = player_of(request)
    if player is None:
        return JsonResponse({}, status=401)
    status = matching.poll(player=player)
    return JsonResponse(
        {
            "waiting": status.waiting,
            "offer": status.offer,
            "others": status.others,
            "table": _address(status) if status.match else "",
        }
    )


@require_POST
def look(request: HttpRequest) -> HttpResponse:
    """Poll without a script: redirect to the table, or back to the page."""
    player = player_of(request)
    return redirect(_address(matching.poll(player=player) if player else NOT_QUEUED))


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Leave the queue."""
    player = player_of(request)
    if player is not None:
        matching.leave(player=player)
    return redirect("ratings:ranked")


@require_POST
def computer(request: HttpRequest) -> HttpResponse:
    """Start a match against the house computer instead of waiting."""
    if player_of(request) is None:
        return redirect("ratings:ranked")
    player = match_creator(request)
    try:
        match = matching.play_computer(player=player)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("ratings:ranked")
    return redirect("games:table", match.public_id)


def _address(status: QueueStatus) -> str:
    """Return the address of the table that was found, else of the queue's page."""
    if status.match:
        return reverse("games:table", args=[status.match])
    return f"{reverse('ratings:ranked')}?{ENTERED if status.waiting else GONE}"
