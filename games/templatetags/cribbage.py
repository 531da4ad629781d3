"""Tags for cards, counted hands and the banner for guests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.engine.cards import Card, parse_card, parse_cards
from games.engine.scoring import Breakdown, score_hand
from games.models import Match, Player, Seat
from games.pages import card_svg
from games.text import count_phrases

register = template.Library()


@register.simple_tag
def card(name: str, size: card_svg.Size = "full", spoken: bool = True) -> SafeString:
    """Render the card called ``name`` ("5H")."""
    return card_svg.face(parse_card(name), size=size, spoken=spoken)


@register.simple_tag
def card_back() -> SafeString:
    """Render the back of a card."""
    return card_svg.back()


@register.simple_tag
def cards(names: str, size: card_svg.Size = "small", as_played: bool = False) -> SafeString:
    """Render cards, given as "5H TD", in a row; nothing for an empty string.

    They are sorted by rank from the ace, as at the table, unless ``as_played``.
    """
    if not names:
        return SafeString("")
    row = format_html_join(
        "", "{}", ((card_svg.face(one, size=size),) for one in _in_order(names, as_played))
    )
    return format_html('<span class="cards cards-{}">{}</span>', size, row)


@register.simple_tag
def chips(names: str, as_played: bool = False) -> SafeString:
    """Render cards, given as "5H TD", as text chips, which take a tenth of the bytes of faces.

    They are sorted as by `cards`.
    """
    row = format_html_join(
        " ", "{}", ((card_svg.chip(one),) for one in _in_order(names, as_played))
    )
    return format_html('<span class="chips">{}</span>', row)


@register.inclusion_tag("games/learn/_counted.html")
def counted(hand: str, starter: str, crib: bool = False, title: str = "") -> dict[str, Any]:
    """Render four cards and the starter with their count."""
    held, turned = parse_cards(hand), parse_card(starter)
    breakdown = score_hand(held, turned, crib)
    return {
        "title": title,
        "hand": [_named(one) for one in held],
        "starter": _named(turned),
        "crib": crib,
        "total": breakdown.total,
        "points": count_phrases.points_words(breakdown.total),
        "said": count_phrases.count_words(breakdown),
        "parts": _listed(breakdown),
    }


@register.inclusion_tag("games/people/_keep.html", takes_context=True)
def keep_banner(context: template.Context) -> dict[str, Any]:
    """Offer an account to guests who have a finished match to keep."""
    request = context.get("request")
    user = getattr(request, "user", None)
    show = isinstance(user, Player) and user.is_guest and _has_finished(user)
    return {"show": show, "user": user, "request": request}


def _in_order(names: str, as_played: bool) -> Sequence[Card]:
    found = parse_cards(names)
    return found if as_played else sorted(found)


def _has_finished(player: Player) -> bool:
    return Seat.objects.filter(player=player, match__status=Match.Status.FINISHED).exists()


def _named(one: Card) -> dict[str, Any]:
    return {"face": card_svg.face(one), "name": count_phrases.card_words(one)}


def _listed(breakdown: Breakdown) -> list[dict[str, Any]]:
    """Return each line of the count with its cards, name and points."""
    return [
        {
            "cards": [card_svg.face(one, size="small") for one in line.cards],
            "what": line.name,
            "points": line.points,
        }
        for line in count_phrases.count_lines(breakdown)
    ]
