"""Tags for the site's menus."""

from __future__ import annotations

from django import template
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest
from django.template.context import Context
from django.urls import reverse

from games.models import Player
from games.pages.site import navigation
from games.people.way_back import way_back_to

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


@register.simple_tag(takes_context=True)
def way_back(context: Context) -> str:
    """Return the query that leads from sign-up and log-in back to the page; empty for none.

    The pages of accounts pass on the one that they were given. A page that doesn't exist, the
    answer to a form, and the page to which a login leads anyway have none.
    """
    request = context.get("request")
    if not isinstance(request, HttpRequest) or request.resolver_match is None:
        return ""
    if request.path.startswith(reverse("account_login").removesuffix("login/")):
        address = request.GET.get(REDIRECT_FIELD_NAME, "")
    else:
        address = request.get_full_path() if request.method in {"GET", "HEAD"} else ""
    return way_back_to(address)


def _player(context: Context) -> Player | None:
    player = getattr(context.get("request"), "user", None)
    return player if isinstance(player, Player) else None


def _path(context: Context) -> str:
    return str(getattr(context.get("request"), "path", ""))
