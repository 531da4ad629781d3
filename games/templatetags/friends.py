"""The buttons for somebody: to ask him, to invite him, to block him."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context

from games.friends import standing
from games.models import Player

register = template.Library()


@register.inclusion_tag("games/_friend_buttons.html", takes_context=True)
def friend_buttons(context: Context, other: Player) -> dict[str, Any]:
    """Show to a person what he may do about another; nothing on his own page, nor to guests."""
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
