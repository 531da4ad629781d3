"""Tag for the number of correspondence matches that are waiting for the reader."""

from __future__ import annotations

from django import template
from django.template.context import Context

from games.correspondence.turns import number_of_turns
from games.models import Player

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
