"""Tags for what is waiting for the reader: correspondence matches, friend requests."""

from __future__ import annotations

from collections.abc import Callable

from django import template
from django.template.context import Context

from games.correspondence.turns import number_of_turns
from games.models import Player
from games.people.friends import number_of_requests

register = template.Library()


@register.simple_tag(takes_context=True)
def turns_waiting(context: Context) -> int:
    """Return the number of matches in which the reader must act; queried once per page."""
    player = _reader(context)
    return 0 if player is None else _once(context, "turns_waiting", number_of_turns, player)


@register.simple_tag(takes_context=True)
def friend_requests_waiting(context: Context) -> int:
    """Return the number of friend requests that the reader has not answered; queried once."""
    player = _reader(context)
    if player is None or not player.is_person:
        return 0
    return _once(context, "friend_requests_waiting", number_of_requests, player)


def _reader(context: Context) -> Player | None:
    player = getattr(context.get("request"), "user", None)
    return player if isinstance(player, Player) else None


def _once(context: Context, name: str, count: Callable[..., int], player: Player) -> int:
    """Return a number that is kept with the request."""
    request = context["request"]
    known: int | None = getattr(request, name, None)
    if known is None:
        known = count(player=player)
        setattr(request, name, known)
    return known
