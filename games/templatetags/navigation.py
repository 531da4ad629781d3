"""Tags for the site's menus."""

from __future__ import annotations

from django import template
from django.template.context import Context

from games.models import Player
from games.pages.site import navigation

register = template.Library()


@register.simple_tag(takes_context=True)
def main_menus(context: Context) -> list[navigation.Menu]:
    """Return the menus of the header."""
    return navigation.main_menus(_path(context), player=_player(context))


@register.simple_tag(takes_context=True)
def own_links(context: Context) -> tuple[navigation.Link, ...]:
    """Return the lines of the reader's own menu; none for a visitor."""
    player = _player(context)
    return navigation.own_links(player, _path(context)) if player is not None else ()


@register.simple_tag(takes_context=True)
def site_map(context: Context) -> list[navigation.Menu]:
    """Return the columns of the footer."""
    return navigation.site_map(_path(context))


def _player(context: Context) -> Player | None:
    player = getattr(context.get("request"), "user", None)
    return player if isinstance(player, Player) else None


def _path(context: Context) -> str:
    return str(getattr(context.get("request"), "path", ""))
