"""Games from elsewhere: a file taken in, or a game entered card by card."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games import limits
from games.accounts import ensure_guest
from games.engine.record import RecordError
from games.engine.record_entry import Asked, ask
from games.engine.state import Hand, State
from games.forms_import import EntryForm, SeatsForm, UploadForm, problem_words
from games.log_words import signs
from games.models import Match, Player
from games.replays import fold
from games.services.imports import ImportProblem, import_games
from games.views.replay import hand_lines
from games.views.visitor import player_of
from games.wire import names

MAX_CHECKED = 96 * 1024
"""Bytes of a game that is being entered; a whole one has at most 10 KB."""
SHOWN_IMPORTS = 20


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """Take in a file of game records."""
    form = UploadForm(request.POST or None, request.FILES or None)
    return _taken_in(request, form, "games/import.html")


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest) -> HttpResponse:
    """Show the form that takes a game card by card; a POST stores what was entered."""
    return _taken_in(request, EntryForm(request.POST or None), "games/enter.html")


@require_POST
def check(request: HttpRequest) -> HttpResponse:
    """Answer what a game that is being entered needs next, or what is wrong with it."""
    player = player_of(request)
    who = str(player.pk) if player is not None else limits.address(request)
    try:
        limits.take(limits.named("entries"), who)
    except limits.TooOften as refusal:
        return _wrong(refusal.message, status=429)
    if len(request.body) > MAX_CHECKED:
        return _wrong(_("That is longer than any game."), status=413)
    try:
        data = json.loads(request.body)
    except (ValueError, RecursionError):  # no text, no JSON, or a number of thousands of digits
        return _wrong(_("This is no JSON."), status=400)
    try:
        asked = ask(data)
    except RecordError as problem:
        return _wrong(problem.reason, hand=problem.hand, event=problem.event)
    return JsonResponse(_answer(asked, _called(data, asked.game.state)))


def _taken_in(request: HttpRequest, form: SeatsForm, template: str) -> HttpResponse:
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                return _stored(request, form)
            except ImportProblem as problem:
                form.add_error(None, problem_words(problem))
            except ValidationError as problem:
                form.add_error(None, problem)
    context = {"form": form, "imported": _imported(player_of(request))}
    return render(request, template, context, status=status)


def _stored(request: HttpRequest, form: SeatsForm) -> HttpResponse:
    player = ensure_guest(request)
    limits.take(limits.named("imports"), str(player.pk))
    made = import_games(records=form.records, importer=player, seat=form.seat(), names=form.names())
    if len(made) == 1:
        return redirect("games:match", made[0].public_id)
    messages.success(request, _("%(n)d games were taken in.") % {"n": len(made)})
    return redirect("games:import")


def _imported(player: Player | None) -> list[Match]:
    """Return the last games that the player has taken in."""
    if player is None:
        return []
    rows = Match.objects.filter(created_by=player, imported=True).prefetch_related("seats__player")
    return list(rows.order_by("-pk")[:SHOWN_IMPORTS])


def _wrong(
    reason: str, *, hand: int | None = None, event: str | None = None, status: int = 422
) -> JsonResponse:
    return JsonResponse({"error": {"reason": reason, "hand": hand, "event": event}}, status=status)


def _called(data: dict[str, Any], state: State) -> tuple[str, ...]:
    """Return what the seats are called in the log: the names that came along, else numbers."""
    said = data.get("names")
    given = said if isinstance(said, list) else []
    called = []
    for seat in range(state.ruleset.players):
        name = given[seat] if seat < len(given) else None
        called.append(str(name)[:40] if name else _("Seat %(n)d") % {"n": seat + 1})
    return tuple(called)


def _answer(asked: Asked, called: tuple[str, ...]) -> dict[str, Any]:
    state = asked.game.state
    results = state.results
    return {
        "need": asked.need,
        "seat": asked.seat,
        "number": asked.number,
        "cards": names(asked.cards),
        "left": names(asked.left),
        "hand": asked.hand,
        "dealer": asked.dealer,
        "scores": state.scores,
        "count": state.count,
        "winner": results[-1].winner if results else None,
        "names": called,
        "done": [_sheet_row(hand) for hand in state.hands],
        "lines": _lines(asked, called),
    }


def _sheet_row(hand: Hand) -> dict[str, Any]:
    """Return a finished hand as the page lists it."""
    seats = range(hand.players)
    return {
        "hand": hand.number,
        "dealer": hand.dealer,
        "kept": [signs(hand.kept(seat)) for seat in seats],
        "starter": "" if hand.starter is None else signs((hand.starter,)),
        "pegged": hand.pegged,
        "shown": hand.shown,
        "crib": hand.crib_points,
        "before": hand.before,
    }


def _lines(asked: Asked, called: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the log of the hand that was written last."""
    found = fold(asked.game.ruleset, asked.game.moves)
    if not found.hands:
        return []
    return [
        {"name": line.name, "text": line.text, "points": line.points, "scores": line.scores}
        for line in hand_lines(found, found.hands[-1], called)
    ]
