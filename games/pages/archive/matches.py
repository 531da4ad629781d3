"""Pages of a match: its scoresheet, and the download of its game records."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.archive import access, selectors
from games.archive.notations.halscrib import can_be_written
from games.archive.record_files import export_halscrib, export_match
from games.archive.selectors import MatchDetail
from games.correspondence import notify
from games.models import Match, Player
from games.pages.archive.scoresheet import headline, scoresheet
from games.pages.site.visitor import player_of


@require_safe
@gzip_page
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the result of a match and all its hands."""
    viewer = player_of(request)
    detail = selectors.match_detail(public_id=public_id, viewer=viewer)
    if detail is None:
        raise Http404
    if viewer is not None and detail.own_seat is not None and detail.match.days is not None:
        notify.saw_end(match=detail.match.pk, player=viewer.pk)
    context: dict[str, object] = {
        "detail": detail,
        "match": detail.match,
        "sheet": scoresheet(detail),
        "rematch": _visible_rematch(detail, viewer),
        "position_step": selectors.position_step(detail.match),
        "halscrib": detail.can_replay and can_be_written(detail.ruleset),
    }
    context["headline"] = headline(detail)
    return render(request, "games/archive/match.html", context)


def _visible_rematch(detail: MatchDetail, viewer: Player | None) -> Match | None:
    """Return the rematch, if there is one that the reader may see."""
    rematch = detail.match.rematch
    if rematch is None or detail.own_seat is not None or access.may_see(rematch, viewer):
        return rematch
    return None


@require_safe
def record(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the game records of a match, one per line, to readers who may see its cards."""
    lines = [json.dumps(one) + "\n" for one in export_match(match=_open_match(request, public_id))]
    return _download("".join(lines), "application/x-ndjson", f"cribbage-{public_id}.jsonl")


@require_safe
def halscrib(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the games of a match in HALSCRIB's notation, to readers who may see its cards."""
    text = export_halscrib(match=_open_match(request, public_id))
    if text is None:
        raise Http404
    return _download(text, "text/plain; charset=utf-8", f"cribbage-{public_id}.txt")


def _open_match(request: HttpRequest, public_id: str) -> Match:
    """Return a match of which the reader may see every card.

    Raises:
        Http404: if there is none.
    """
    match = selectors.match_by_id(public_id=public_id)
    if match is None or not access.may_replay(match, player_of(request)):
        raise Http404
    return match


def _download(text: str, content_type: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
