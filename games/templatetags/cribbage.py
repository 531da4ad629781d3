"""What templates need to show cards, counts and matches."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games import faces, words
from games.engine.cards import Card, parse_card, parse_cards
from games.engine.scoring import Breakdown, score_hand
from games.models import Match, Player, Seat

register = template.Library()


@register.simple_tag
def card(name: str, size: faces.Size = "full", spoken: bool = True) -> SafeString:
    """Show the card called ``name`` ("5H")."""
    return faces.face(parse_card(name), size=size, spoken=spoken)


@register.simple_tag
def card_back() -> SafeString:
    """Show the back of a card."""
    return faces.back()


@register.simple_tag
def cards(names: str, size: faces.Size = "small") -> SafeString:
    """Show the cards of "5H TD" in a row; an empty text shows nothing."""
    if not names:
        return SafeString("")
    row = format_html_join("", "{}", ((faces.face(one, size=size),) for one in parse_cards(names)))
    return format_html('<span class="cards cards-{}">{}</span>', size, row)


@register.simple_tag
def chips(names: str) -> SafeString:
    """Show the cards of "5H TD" as text on little cards, which takes a tenth of the bytes."""
    row = format_html_join(" ", "{}", ((faces.chip(one),) for one in parse_cards(names)))
    return format_html('<span class="chips">{}</span>', row)


@register.inclusion_tag("games/_counted.html")
def counted(hand: str, starter: str, crib: bool = False, title: str = "") -> dict[str, Any]:
    """Show four cards and the starter with their count, as the engine counts it."""
    held, turned = parse_cards(hand), parse_card(starter)
    breakdown = score_hand(held, turned, crib)
    return {
        "title": title,
        "hand": [_named(one) for one in held],
        "starter": _named(turned),
        "crib": crib,
        "total": breakdown.total,
        "points": words.points_words(breakdown.total),
        "said": words.count_words(breakdown),
        "parts": _listed(breakdown),
    }


@register.inclusion_tag("games/_keep.html", takes_context=True)
def keep_banner(context: template.Context) -> dict[str, Any]:
    """Offer a guest an account, once he has a finished match to keep and not before."""
    request = context.get("request")
    user = getattr(request, "user", None)
    is_guest = isinstance(user, Player) and user.is_guest
    return {"show": is_guest and _has_finished(user), "user": user}


def _has_finished(player: Any) -> bool:
    return Seat.objects.filter(player=player, match__status=Match.Status.FINISHED).exists()


def _named(one: Card) -> dict[str, Any]:
    return {"face": faces.face(one), "name": words.card_words(one)}


def _listed(breakdown: Breakdown) -> list[dict[str, Any]]:
    """Return each combination with its cards, its name, its points and the total so far."""
    lines, so_far = [], 0
    for part in breakdown.parts:
        so_far += part.points
        faces_of_part = [faces.face(one, size="small") for one in part.cards]
        lines.append(
            {
                "cards": faces_of_part,
                "what": words.part_words(part),
                "points": part.points,
                "so_far": so_far,
            }
        )
    return lines
