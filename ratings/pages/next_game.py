"""The poll that tells players at other tables that their next club or tournament game has begun."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.api import Player, player_of, true_now
from ratings.models import ClubNight, Entrant, Event, EventEntrant
from ratings.standard import seated

SOON = timedelta(hours=6)
"""The time before its start from which players' tables ask about a night or tournament."""

AT_ONCE = timedelta(minutes=1)
"""The time before its start from which they ask as often as while it is under way."""

ASK_SECONDS, ASK_EARLY_SECONDS = 5, 20
"""Seconds between two questions of a table: while a game may begin, and before that.

An organiser may begin a night or tournament early.
"""


def ask_again(player: Player) -> int:
    """Return after how many seconds a table asks again for a player's next game; 0 for never.

    They take part in a night or tournament that is under way or begins soon.
    """
    now = true_now()
    soon = Q(state="running") | Q(state="planned", starts_at__lte=now + SOON)
    own = {"player": player, "absent": False}
    nights = Entrant.objects.filter(**own, night__in=ClubNight.objects.filter(soon))
    events = EventEntrant.objects.filter(
        **own, computer=False, event__in=Event.objects.filter(soon)
    )
    rows = nights.values_list("night__state", "night__starts_at")
    found = list(rows.union(events.values_list("event__state", "event__starts_at")))
    if not found:
        return 0
    due = any(state == "running" or at <= now + AT_ONCE for state, at in found)
    return ASK_SECONDS if due else ASK_EARLY_SECONDS


def expected(page: Mapping[str, Any]) -> SafeString:
    """Render where a table's script asks for its reader's next game; empty if none may come.

    It asks at once, unless the reader's seat at it keeps their other games waiting.
    """
    player = player_of(page["request"])
    if player is None or not ask_again(player):
        return SafeString("")
    match = page["match"]
    early = not seated.taken_seats().filter(match=match, player=player).exists()
    return render_to_string("ratings/standard/_expected.html", {"match": match, "early": early})


@never_cache
@require_safe
def next_game(request: HttpRequest, match: str) -> JsonResponse:
    """Return the address of the reader's running table, "" for none, and when to ask again.

    ``match`` is the public id of the match whose table they look at.
    """
    player = player_of(request)
    if player is None:
        raise Http404
    table = seated.table_of(player)
    begun = table is not None and table.public_id != match
    address = reverse("games:table", args=[table.public_id]) if table and begun else ""
    return JsonResponse({"table": address, "again": ask_again(player)})
