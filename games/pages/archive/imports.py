"""Pages for importing games: from a file, pasted, or entered card by card."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.archive.import_files import ImportProblem, problem_words
from games.archive.imports import import_games, refused_names
from games.archive.replays import fold
from games.engine.record import RecordError
from games.engine.record_entry import NextEntry, next_entry
from games.engine.state import Hand, State
from games.models import Match, Player
from games.pages.archive.import_forms import (
    EntryForm,
    SeatsForm,
    UploadForm,
)
from games.pages.archive.replay import hand_lines
from games.pages.site.visitor import player_of
from games.people import limits
from games.people.accounts import ensure_guest
from games.text.fault_sentences import event_words, fault_words
from games.text.log_sentences import signs
from games.wire.serializers import names

MAX_CHECKED = 96 * 1024
"""Maximum size in bytes of a partly entered game; a complete one takes at most 10 KB."""
SHOWN_IMPORTS = 20


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """Import a file of games, or pasted text."""
    sent = request.method == "POST"  # maybe without any field
    form = UploadForm(request.POST, request.FILES) if sent else UploadForm()
    done, status = _submitted(request, form)
    if done is not None:
        return done
    imported = Paginator(_imported(player_of(request)), SHOWN_IMPORTS)
    context = {"form": form, "imported": imported.get_page(request.GET.get("page"))}
    return render(request, "games/archive/import.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache  # by the Back button, it would offer a game that has been saved since
def enter(request: HttpRequest) -> HttpResponse:
    """Show the form for entering a game card by card; a POST imports it."""
    form = EntryForm(request.POST if request.method == "POST" else None)
    done, status = _submitted(request, form)
    if done is not None:
        return done
    player = player_of(request)
    newest = _imported(player).values_list("pk", flat=True).first()
    context = {
        "form": form,
        # By these the page knows whose draft a browser keeps, and whether it has been saved.
        "owner": player.public_id if player is not None and player.is_person else "",
        "newest": "" if player is None or newest is None else f"{player.pk} {newest}",
    }
    return render(request, "games/archive/enter.html", context, status=status)


@require_POST
def check(request: HttpRequest) -> HttpResponse:
    """Return what a partly entered game needs next, or what is wrong with it, as JSON."""
    player = player_of(request)
    who = str(player.pk) if player is not None else limits.address(request)
    try:
        limits.consume(limits.named("entries"), who)
    except limits.TooOften as refusal:
        return _error(refusal.message, code="too_often", status=429)
    try:
        body = request.body
    except RawPostDataException:  # a form has no body left to read
        body = b""
    if len(body) > MAX_CHECKED:
        return _error(
            _("That's too long for a game. Check what you entered."), code="too_long", status=413
        )
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):  # not text, not JSON, or too deep, or a huge number
        return _error(fault_words("not_json", {}), code="not_json", status=400)
    try:
        asked = next_entry(data)
    except RecordError as problem:
        text = fault_words(problem.key, problem.params)
        event = None if problem.event is None else event_words(problem.event)
        return _error(text, code=problem.key, hand=problem.hand, event=event)
    return JsonResponse(_answer(asked, _seat_names(data, asked.game.state)))


def _submitted(request: HttpRequest, form: SeatsForm) -> tuple[HttpResponse | None, int]:
    """Import what a form holds; return the answer, or None if the form is shown, and its status."""
    if request.method != "POST":
        return None, 200
    status = 422
    if form.is_valid():
        try:
            return _import(request, form), 302
        except limits.TooOften as refusal:
            form.add_error(None, refusal.message)
            status = 429
        except ImportProblem as problem:
            form.add_error(None, problem_words(problem))
        except ValidationError as problem:
            form.add_error(None, problem)
    return None, status


def _import(request: HttpRequest, form: SeatsForm) -> HttpResponse:
    player = ensure_guest(request)
    limits.consume(limits.named("imports"), str(player.pk))
    made = import_games(records=form.records, importer=player, seat=form.seat(), names=form.names())
    replaced = refused_names(records=form.records, seat=form.seat(), names=form.names())
    if replaced:
        text = _("Not allowed as a name here: %(names)s. The seat's number is shown instead.")
        messages.warning(request, text % {"names": ", ".join(replaced)})
    if len(made) == 1:
        return redirect("games:match", made[0].public_id)
    messages.success(request, _("%(n)d games imported.") % {"n": len(made)})
    return redirect("games:import")


def _imported(player: Player | None) -> QuerySet[Match]:
    """Return the player's imports, newest first."""
    if player is None:
        return Match.objects.none()
    rows = Match.objects.filter(created_by=player, imported=True).prefetch_related("seats__player")
    return rows.order_by("-pk")


def _error(
    reason: str,
    *,
    code: str,
    hand: int | None = None,
    event: str | None = None,
    status: int = 422,
) -> JsonResponse:
    """Answer with a code for programs, and the reason and position in the reader's language."""
    error = {"code": code, "reason": reason, "hand": hand, "event": event}
    return JsonResponse({"error": error}, status=status)


def _seat_names(data: dict[str, Any], state: State) -> tuple[str, ...]:
    """Return the names of the seats for the log: those in the request, else numbers."""
    sent = data.get("names")
    given = sent if isinstance(sent, list) else []
    seat_names = []
    for seat in range(state.ruleset.players):
        name = given[seat] if seat < len(given) else None
        seat_names.append(str(name)[:40] if name else _("Seat %(n)d") % {"n": seat + 1})
    return tuple(seat_names)


def _answer(asked: NextEntry, seat_names: tuple[str, ...]) -> dict[str, Any]:
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
        "names": seat_names,
        "done": [_sheet_row(hand) for hand in state.hands],
        "lines": _lines(asked, seat_names),
    }


def _sheet_row(hand: Hand) -> dict[str, Any]:
    """Return a finished hand for the list on the page."""
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


def _lines(asked: NextEntry, seat_names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the log of the last hand."""
    found = fold(asked.game.ruleset, asked.game.moves)
    if not found.hands:
        return []
    return [
        {"name": line.name, "text": line.text, "points": line.points, "scores": line.scores}
        for line in hand_lines(found, found.hands[-1], seat_names)
    ]
