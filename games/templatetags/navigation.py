"""Tags for the site's menus, which are rendered once for all who see the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from django import template
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest
from django.template.context import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.models import Player
from games.pages.site import navigation
from games.people.way_back import way_back_to
from games.templatetags.turns import friend_requests_waiting, turns_waiting

register = template.Library()


@register.simple_tag(takes_context=True)
def main_menus(context: Context) -> SafeString:
    """Render the menus of the header, with the numbers of what waits for the reader."""
    waiting = turns_waiting(context), friend_requests_waiting(context)
    own = _player(context) is not None
    return _main_menus(get_language(), navigation.place_of(_path(context)), own, *waiting)


@lru_cache(maxsize=1024)
def _main_menus(
    language: str | None,  # in which it is rendered
    place: str,
    own: bool,
    turns: int,
    requests: int,
) -> SafeString:
    menus = navigation.main_menus(place, own=own)
    return render_to_string("_menu.html", {"menus": menus, "turns": turns, "requests": requests})


@register.simple_tag(takes_context=True)
def own_links(context: Context) -> tuple[navigation.Link, ...]:
    """Return the lines of the reader's own menu; none for a visitor."""
    player = _player(context)
    return navigation.own_links(player, _path(context)) if player is not None else ()


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the footer: its key, its title and its lines as HTML."""

    key: str
    label: str
    lines: SafeString


@register.simple_tag(takes_context=True)
def site_map(context: Context) -> tuple[Column, ...]:
    """Return the columns of the footer."""
    return _columns(get_language(), navigation.place_of(_path(context)))


@lru_cache(maxsize=1024)
def _columns(language: str | None, place: str) -> tuple[Column, ...]:
    return tuple(
        Column(menu.key, menu.label, _lines(menu.links)) for menu in navigation.site_map(place)
    )


def _lines(links: Iterable[navigation.Link]) -> SafeString:
    current = mark_safe(' aria-current="page"')
    return format_html_join(
        "",
        '<li><a href="{}"{}>{}</a></li>',
        ((link.address, current if link.here else "", link.label) for link in links),
    )


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
