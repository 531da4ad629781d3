"""The recap of a finished match, as a part of a page that the table fetches and shows."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from games.archive import selectors
from games.models import Match
from games.pages.site.visitor import player_of


@require_GET
@never_cache
def recap(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show one of a finished match's players how it went; 404 for everybody else.

    A part with ``data-pending`` is not complete yet: jobs still compute it.
    """
    detail = selectors.match_detail(public_id=public_id, viewer=player_of(request))
    if detail is None or detail.own_seat is None or detail.match.status != Match.Status.FINISHED:
        raise Http404
    context = {"detail": detail, "match": detail.match}
    return render(request, "games/archive/recap.html", context)
