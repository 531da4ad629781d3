"""The landing page, and the three ways in which a match begins."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST

from games import selectors, services
from games.engine.cards import NAMES, PACK, Card
from games.engine.scoring import count_hand, score_hand
from games.engine.state import Ruleset
from games.forms import MatchForm, level_lines, usual_level
from games.services.quick import quick_match
from games.views.limited import maker
from games.views.running import running_lines
from games.views.visitor import player_of
from games.words import count_words

SHOWN_TABLES = 4
SHOWN_RUNNING = 3
GOOD_HAND = 10
"""Points that the hand on the landing page has at least: there should be something to count."""


# How long compressed text is tells of what is in it; a form's token is masked anew each time.
@require_GET
@gzip_page
def landing(request: HttpRequest) -> HttpResponse:
    """Show the game itself, with the one click that starts it."""
    return _landing(request, MatchForm())


@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Seat the visitor against computers, and go to the table."""
    return _begin(request, against_computers=True)


@require_POST
def invite(request: HttpRequest) -> HttpResponse:
    """Make a private table, which shows the link for the friend; by correspondence, if wished."""
    return _begin(request, private=True)


@require_POST
def open_table(request: HttpRequest) -> HttpResponse:
    """Make a table that the lobby shows to everybody."""
    return _begin(request, listed=True)


@require_POST
def quick(request: HttpRequest) -> HttpResponse:
    """Sit down with whoever waits at the usual rules, or wait there."""
    match = quick_match(player=maker(request))
    return redirect("games:table", match.public_id)


def _begin(
    request: HttpRequest,
    *,
    against_computers: bool = False,
    listed: bool = False,
    private: bool = False,
) -> HttpResponse:
    form = MatchForm(request.POST)
    if not form.is_valid():
        return _landing(request, form, status=422)
    chosen = form.cleaned_data
    ruleset = ruleset_of(chosen)
    try:
        creator = maker(request, chosen["name"] or None)
        match = services.create_match(
            creator=creator,
            ruleset=ruleset,
            computers=computers_of(chosen, ruleset.players, all_seats=against_computers),
            listed=listed,
            watchable=chosen["watchable"],
            hints=chosen["hints"] or against_computers,
            stand_in=chosen["stand_in"],
            days=chosen["days"] if private else None,
        )
    except ValidationError as error:
        form.add_error("name", error)
        return _landing(request, form, status=422)
    except services.Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("games:landing")
    return redirect("games:table", match.public_id)


def ruleset_of(chosen: Mapping[str, Any]) -> Ruleset:
    """Return the rules that a valid `MatchForm` asks for."""
    usual = Ruleset()
    counting = chosen["counting"] or usual.counting
    return Ruleset(
        players=chosen["players"] or usual.players,
        target=chosen["target"] or usual.target,
        counting="auto" if counting == "auto" else "manual",
        muggins=counting == "muggins",
        games=chosen["games"] or usual.games,
    )


def computers_of(chosen: Mapping[str, Any], players: int, *, all_seats: bool) -> dict[int, str]:
    """Return which seats computers take: all but the first, or the third where that is wished."""
    level = chosen["level"] or usual_level()
    if all_seats:
        return dict.fromkeys(range(1, players), level)
    return {2: level} if chosen["fill"] and players == 3 else {}


def hand_of_the_day(day: date) -> tuple[tuple[Card, ...], Card]:
    """Return four cards and a starter that are worth counting, the same for a whole day."""
    rng = random.Random(day.toordinal())
    while True:
        *hand, starter = rng.sample(PACK, 5)
        if count_hand(tuple(hand), starter) >= GOOD_HAND:
            return tuple(sorted(hand)), starter


def _landing(request: HttpRequest, form: MatchForm, *, status: int = 200) -> HttpResponse:
    player = player_of(request)
    hand, starter = hand_of_the_day(timezone.localdate())
    running = selectors.unfinished(player=player, limit=SHOWN_RUNNING) if player else []
    return render(
        request,
        "games/landing.html",
        {
            "form": form,
            "levels": level_lines(),
            "choice_fields": [form["players"], form["target"], form["counting"]],
            "hand_names": [NAMES[card] for card in hand],
            "starter": NAMES[starter],
            "said": count_words(score_hand(hand, starter)),
            "tables": selectors.lobby_tables(limit=SHOWN_TABLES),
            "running": running_lines(running),
        },
        status=status,
    )
