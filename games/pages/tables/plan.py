"""The page to plan the next play of a correspondence match; only its player may see it."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.archive import access, selectors
from games.correspondence import planned_plays
from games.correspondence.planned_plays import OTHERS, Planning
from games.engine.cards import RANKS, parse_card
from games.live import planned_moves
from games.models import Match
from games.pages.site.visitor import player_of
from games.text.log_sentences import card_sign
from games.wire.refusals import Refused

LONGEST = 9
"""Maximum number of digits of a version."""


@dataclass(frozen=True, slots=True)
class Row:
    """A rank that the opponent may play: as in forms, as it is written, own cards, the answer."""

    rank: str
    written: str
    choices: list[tuple[str, str]]
    chosen: str


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def plan(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show and store the player's planned play of a match."""
    player = player_of(request)
    match = selectors.match_by_id(public_id=public_id)
    if match is None or player is None or access.seat_of(match, player) is None:
        raise Http404
    if request.method == "POST":
        try:
            answers = _answers(request)
            planned_moves.plan(
                match=match, player=player, version=_version(request), answers=answers
            )
        except Refused as refusal:
            messages.error(request, refusal.message)
        else:
            text = _("Your plan is saved.") if answers else _("Your plan is withdrawn.")
            messages.success(request, text)
        return redirect("games:plan", public_id)
    known = planned_plays.planning(match=match, player=player)
    return render(request, "games/tables/plan.html", _context(match, known))


def _context(match: Match, known: Planning | None) -> dict[str, object]:
    if known is None:
        plannable = planned_plays.is_plannable(match)
        return {"match": match, "known": None, "plannable": plannable}
    return {
        "match": match,
        "known": known,
        "cards": " ".join(known.cards),
        "choices": _choices(known.cards),
        "others": known.answers.get(OTHERS, ""),
        "rows": [
            Row(
                each.rank,
                card_sign(parse_card(each.rank + "C"))[:-1],
                _choices(each.cards),
                known.answers.get(each.rank, ""),
            )
            for each in known.options
        ],
        "apart": any(key != OTHERS for key in known.answers),
    }


def _choices(cards: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return cards, by name, as they are written: "5♥"."""
    return [(name, card_sign(parse_card(name))) for name in cards]


def _answers(request: HttpRequest) -> dict[str, str]:
    """Return the chosen cards by rank; the service checks them."""
    names = {OTHERS: "others", **{rank: f"after-{rank}" for rank in RANKS}}
    chosen = {key: request.POST.get(name, "") for key, name in names.items()}
    return {key: card for key, card in chosen.items() if card}


def _version(request: HttpRequest) -> int:
    """Return the version that the form was made for; -1, which no match has, for bad input."""
    text = request.POST.get("version", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else -1
