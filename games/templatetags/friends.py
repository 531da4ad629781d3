"""Tag for the buttons on a player's page: friend request, invitation, block."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context

from games.models import Player
from games.people.friends import standing

register = template.Library()


@register.inclusion_tag("games/people/_friend_buttons.html", takes_context=True)
def friend_buttons(context: Context, other: Player) -> dict[str, Any]:
    """Show people the actions for another player; nothing for guests or on one's own page."""
    request = context["request"]
    player = request.user
    both = isinstance(player, Player) and player.is_person and other.is_person
    about = standing(player=player, other=other) if both and player.pk != other.pk else None
    return {
        "standing": about,
        "other": other,
        "next": request.path,
        "csrf_token": context.get("csrf_token"),
    }
