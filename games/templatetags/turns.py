"""Tags for what is waiting for the reader: correspondence matches, friend requests."""

from __future__ import annotations

from django import template
from django.template.context import Context

from games.correspondence.turns import number_of_turns
from games.models import Player
from games.people.friends import number_of_requests

register = template.Library()


@register.simple_tag(takes_context=True)
def turns_waiting(context: Context) -> int:
    """Return the number of matches in which the reader must act; queried once per page."""
    request = context.get("request")
    player = getattr(request, "user", None)
    if not isinstance(player, Player):
        return 0
    known: int | None = getattr(request, "turns_waiting", None)
    if known is None:
        known = number_of_turns(player=player)
        request.turns_waiting = known  # type: ignore[union-attr]
    return known


@register.simple_tag(takes_context=True)
def friend_requests_waiting(context: Context) -> int:
    """Return the number of friend requests that the reader has not answered."""
    player = getattr(context.get("request"), "user", None)
    if not isinstance(player, Player) or not player.is_person:
        return 0
    return number_of_requests(player=player)
