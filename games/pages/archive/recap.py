"""The recap of a finished match, as a part of a page that the table fetches and shows."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.archive import selectors
from games.archive.recap import GameRecap, Swing, recap_of
from games.archive.selectors import MatchDetail
from games.models import Match
from games.pages.archive.recap_story import card_luck, story
from games.pages.archive.scoresheet import seat_names
from games.pages.archive.win_chart import win_chart
from games.pages.site.visitor import player_of

GREAT = 24
"""Fewest points for which a hand is celebrated."""
PERFECT = 29


@require_safe
@never_cache
def recap(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show one of a finished match's players how it went; 404 for everybody else.

    A part with ``data-pending`` is not complete yet: jobs still compute it.
    """
    detail = selectors.match_detail(public_id=public_id, viewer=player_of(request))
    if detail is None or detail.own_seat is None or detail.match.status != Match.Status.FINISHED:
        raise Http404
    context: dict[str, object] = {"detail": detail, "match": detail.match}
    found = recap_of(detail)
    if found is not None:
        context |= _shown(detail, found)
    return render(request, "games/archive/recap.html", context)


def _shown(detail: MatchDetail, found: GameRecap) -> dict[str, object]:
    names = seat_names(detail)
    last = [part.score_after for part in detail.games[-1][-1].seats]
    swing = found.swing
    best = found.best.points if found.best else 0
    told = _swing(swing) if swing else None
    return {
        "recap": found,
        "story": story(found, winner=names[last.index(max(last))]),
        "card_luck": card_luck(found),
        "chart": win_chart(found.chances, swing.hand, says=_says(told)) if swing and told else None,
        "swing": told,
        "great": best if best >= GREAT else 0,
        "perfect": best == PERFECT,
        "pending": not detail.match.measured,
    }


def _swing(swing: Swing) -> dict[str, int | bool]:
    """Return the biggest swing, with chances as percentages."""
    return {
        "hand": swing.hand,
        "before": round(100 * swing.before),
        "after": round(100 * swing.after),
        "shown": swing.shown,
    }


def _says(swing: Mapping[str, int | bool]) -> str:
    text = _("Biggest swing: hand %(hand)s, from %(before)s%% to %(after)s%%.")
    return text % swing
