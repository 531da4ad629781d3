"""Pages of the analysis board: the board, playing on against a computer, frame and picture."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from csp.decorators import csp_replace
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_POST, require_safe

from games.archive import replays, selectors
from games.archive.access import hands_shown, seat_of
from games.engine.cards import Card
from games.learn import analysis_access, analysis_board
from games.learn.analysis_answers import answers
from games.learn.analysis_board import Position, PositionError, Unfinished
from games.live import jit_warmup
from games.models import Player
from games.pages.learn import board_lines as lines
from games.pages.learn.board_picture import picture
from games.pages.learn.tools import pack
from games.pages.site.rate_limits import match_creator
from games.pages.site.visitor import player_of
from games.pages.tables.forms import level_choices, usual_level
from games.people import limits
from games.tables.board_match import match_from_position
from games.wire.refusals import Refused

FIELDS = ("cards", "thrown", "starter", "plays", "seen", *analysis_board.SCORES)
POSITION = (*FIELDS, "players", "dealer", "target")

EXAMPLES: tuple[Mapping[str, str], ...] = (
    {"cards": "4H 5H 6S JC 9D KS", "dealer": "1", "own": "45", "other": "52"},
    {
        "cards": "3C 7H 8H 8S", "dealer": "1", "own": "62", "other": "58",
        "starter": "QD", "plays": "8H 7D",
    },
    {
        "cards": "5D 5S 7C JH QS", "players": "3", "dealer": "2",
        "own": "20", "other": "31", "third": "28",
    },
)  # fmt: skip
"""Positions to begin with: a throw, a card, and a throw of three players."""

_random = secrets.SystemRandom()


@require_safe
@never_cache
def board(request: HttpRequest) -> HttpResponse:
    """Show the position of the query string with its choices, best first."""
    context: dict[str, Any] = {
        "values": {name: request.GET.get(name, "") for name in FIELDS},
        "players": "3" if request.GET.get("players") == "3" else "2",
        "dealer": request.GET.get("dealer", "0"),
        "target": "61" if request.GET.get("target") == "61" else "121",
        "pack": pack(),
        "examples": [_example(data) for data in EXAMPLES],
    }
    status = HTTPStatus.OK
    if any(request.GET.get(name, "").strip() for name in FIELDS[:5]):
        try:
            position = analysis_board.read(request.GET.dict())
            context |= {"raised": _is_raised(request, position), **_answered(request, position)}
        except PositionError as fault:
            context |= {"problem": fault.message, "field": fault.field}
            context["unfinished"] = isinstance(fault, Unfinished)
            if not context["unfinished"]:
                status = HTTPStatus.UNPROCESSABLE_ENTITY
        except limits.TooOften as refusal:
            context |= {"problem": refusal.message, "retry": refusal.wait}
            status = HTTPStatus.TOO_MANY_REQUESTS
    return render(request, "games/learn/board.html", context, status=status)


def _is_raised(request: HttpRequest, position: Position) -> bool:
    """Return whether a score was below the points of this hand."""
    given = (request.GET.get(name, "").strip() or "0" for name in analysis_board.SCORES)
    return any(int(said) < score for said, score in zip(given, position.scores, strict=False))


def _example(data: Mapping[str, str]) -> dict[str, Any]:
    position = analysis_board.read(data)
    shown = lines.table_of(position)
    return {"address": lines.address_of(position), **shown}


def _answered(request: HttpRequest, position: Position) -> dict[str, Any]:
    """Return the position, and its choices; ``pending`` while the engine works on it."""
    player = player_of(request)
    _refuse_running(request, position)
    context: dict[str, Any] = {
        **lines.table_of(position),
        "title": lines.words_of(position),
        "share": request.build_absolute_uri(lines.address_of(position)),
        "embed": request.build_absolute_uri(lines.address_of(position, "board_embed")),
        "picture": request.build_absolute_uri(lines.address_of(position, "board_picture")),
        "address": position.address(),
        "levels": level_choices(position.players),
        "usual_level": usual_level(),
    }
    answer = answers.ask(position, who=_who(request, player), prepare=jit_warmup.wait)
    if answer is None:
        return context | {"pending": True}
    return context | {"choices": lines.choice_lines(answer), "by_chance": answer.by_chance}


def _refuse_running(request: HttpRequest, position: Position) -> None:
    cards = (*position.cards, *position.thrown)
    text = analysis_access.refusal(cards, player_of(request), request.COOKIES)
    if text:
        raise PositionError("cards", text)


def _who(request: HttpRequest, player: Player | None) -> str:
    if player is None or player.pk is None:
        return limits.address(request)
    return f"player:{player.pk}"


@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Create a table that continues the submitted position, and redirect to it.

    A position that is refused leads back to the board, which shows it and says why.
    """
    try:
        position = analysis_board.read(request.POST.dict())
        _refuse_running(request, position)
    except PositionError:
        given = [(name, request.POST[name]) for name in POSITION if request.POST.get(name)]
        return redirect(f"{reverse('games:board')}?{urlencode(given)}")
    try:
        moves = analysis_board.moves_of(position, _shuffled)
        made = match_from_position(
            player=match_creator(request),
            ruleset=analysis_board.start_of(position),
            moves=moves,
            level=request.POST.get("level", ""),
        )
    except (PositionError, Refused) as refusal:
        messages.error(request, refusal.message)
        return redirect(lines.address_of(position))
    return redirect("games:table", made.public_id)


def _shuffled(cards: Sequence[Card]) -> Sequence[Card]:
    return _random.sample(cards, len(cards))


@require_safe
def decision(request: HttpRequest, public_id: str, step: int) -> HttpResponse:
    """Redirect to the board with the decision at a step of a match, as its seat knew it."""
    viewer = player_of(request)
    match = selectors.match_by_id(public_id=public_id)
    hands = 0 if match is None else hands_shown(match, viewer)
    if match is None or not hands:
        raise Http404
    asked = request.GET.get("seat", "")
    side = int(asked) if asked in {"0", "1", "2"} else seat_of(match, viewer)
    replay = replays.load(match, hands=hands)
    found = analysis_access.position_at(replay, step=step, side=side)
    if found is None:
        raise Http404
    return redirect(lines.address_of(found))


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
def embed(request: HttpRequest) -> HttpResponse:
    """Show a position for a frame on another site; it has no forms and needs no session."""
    position = _linked(request)
    context = {
        **lines.table_of(position),
        "title": lines.words_of(position),
        "picture": lines.address_of(position, "board_picture"),
        "board": lines.address_of(position),
    }
    return render(request, "games/learn/board_embed.html", context)


@require_safe
def image(request: HttpRequest) -> HttpResponse:
    """Return the picture of a position as SVG."""
    return HttpResponse(picture(_linked(request)), content_type="image/svg+xml")


def _linked(request: HttpRequest) -> Position:
    """Return the position of a link.

    Raises:
        Http404: if it is impossible or unfinished.
    """
    try:
        return analysis_board.read(request.GET.dict())
    except PositionError as fault:
        raise Http404(fault.message) from fault
