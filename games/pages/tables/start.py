"""Landing page, and the forms that start a match."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import md5
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from games.archive import selectors
from games.engine.cards import NAMES, PACK, Card
from games.engine.scoring import count_hand, score_hand
from games.engine.state import Ruleset
from games.pages.site.rate_limits import match_creator
from games.pages.site.visitor import player_of
from games.pages.tables.forms import (
    MatchForm,
    SeekForm,
    anchor_line,
    choice_fields,
    initial_of,
    level_lines,
    suggested_level,
)
from games.pages.tables.home import home_context
from games.tables import opening, seeks
from games.tables.quick_match import quick_match
from games.tables.seeks import AcceptedSeek, Seek
from games.text.count_phrases import count_words
from games.wire.refusals import Refused, sentence

SHOWN_TABLES = 4
GOOD_HAND = 10
"""Minimum points of the example hand on the landing page, so that it is worth counting."""


# Compression is safe from BREACH here: the CSRF token is masked differently in each response.
@require_safe
@gzip_page
def landing(request: HttpRequest) -> HttpResponse:
    """Show newcomers the landing page, where one click starts a match, and others their home."""
    return _landing(request, MatchForm(initial=initial_of(player_of(request))))


@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Start a match against computers, and redirect to its table."""
    return _begin(request, against_computers=True)


@require_POST
def invite(request: HttpRequest) -> HttpResponse:
    """Create a private table with an invitation link; optionally by correspondence."""
    return _begin(request, private=True)


@require_POST
def open_table(request: HttpRequest) -> HttpResponse:
    """Create a table listed in the lobby."""
    return _begin(request, listed=True)


@require_POST
def post_seek(request: HttpRequest) -> HttpResponse:
    """Post a correspondence game in the lobby, for anyone to accept."""
    form = SeekForm(request.POST)
    if not form.is_valid():
        messages.error(request, sentence("bad_days"))
        return redirect("games:lobby")
    chosen = form.cleaned_data
    try:
        seeks.post_seek(
            player=match_creator(request),
            ruleset=ruleset_of(chosen | {"players": 2}),
            days=chosen["days"],
            hints=chosen["hints"],
            watchable=chosen["watchable"],
        )
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(
            request, _("Your game is in the lobby. It starts when someone accepts it.")
        )
    return redirect("games:lobby")


@require_safe
@cache_control(private=True, no_cache=True)
def posted_seeks(request: HttpRequest) -> HttpResponseBase:
    """Return the lobby's list of posted games; 304 if it has not changed."""
    player = player_of(request)
    found, accepted = seeks.open_seeks(reader=player), seeks.accepted_seeks(owner=player)
    tag = seeks_tag(found, accepted)
    unchanged = get_conditional_response(request, etag=tag)
    if unchanged is not None:
        return unchanged
    response = render(request, "games/tables/_seeks.html", {"seeks": found, "accepted": accepted})
    response["ETag"] = tag
    return response


def seeks_tag(found: Sequence[Seek], accepted: Sequence[AcceptedSeek]) -> str:
    """Return an ETag that changes whenever the reader's list of posted games does."""
    shown = [(each.match.public_id, each.own, each.owner) for each in found]
    taken = [(each.match.public_id, each.by) for each in accepted]
    text = f"{get_language()} {shown} {taken}"
    return quote_etag(md5(text.encode(), usedforsecurity=False).hexdigest())


@require_POST
def withdraw_seek(request: HttpRequest, public_id: str) -> HttpResponse:
    """Withdraw the player's own posted game."""
    player = player_of(request)
    if player is not None and seeks.withdraw(player=player, match=public_id):
        messages.success(request, _("Your game is withdrawn."))
    else:
        messages.error(request, sentence("match_closed"))
    return redirect("games:lobby")


@require_POST
def quick(request: HttpRequest) -> HttpResponse:
    """Join a waiting table with default rules, or create one."""
    match = quick_match(player=match_creator(request))
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
        creator = match_creator(request, chosen["name"] or None)
        chosen["level"] = chosen["level"] or suggested_level(creator)
        match = opening.open_table(
            creator=creator,
            ruleset=ruleset,
            computers=computers_of(chosen, ruleset.players, all_seats=against_computers),
            listed=listed,
            watchable=chosen["watchable"],
            hints=chosen["hints"] or against_computers,
            stand_in=chosen["stand_in"],
            days=chosen["days"] if private else None,
            sharing=chosen["sharing"] or None if private else None,
        )
    except ValidationError as error:
        form.add_error("name", error)
        return _landing(request, form, status=422)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("games:landing")
    return redirect("games:table", match.public_id)


def ruleset_of(chosen: Mapping[str, Any]) -> Ruleset:
    """Return the rules from a valid `MatchForm`."""
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
    """Return the level of each computer seat: all but the first, or the third if chosen."""
    level = chosen["level"]
    if all_seats:
        return dict.fromkeys(range(1, players), level)
    return {2: level} if chosen["fill"] and players == 3 else {}


def hand_of_the_day(day: date) -> tuple[tuple[Card, ...], Card]:
    """Return four cards and a starter worth counting, the same all day."""
    rng = random.Random(day.toordinal())
    while True:
        *hand, starter = rng.sample(PACK, 5)
        if count_hand(tuple(hand), starter) >= GOOD_HAND:
            return tuple(sorted(hand)), starter


def _landing(request: HttpRequest, form: MatchForm, *, status: int = 200) -> HttpResponse:
    player = player_of(request)
    tables = selectors.lobby_tables()
    context: dict[str, Any] = {
        "form": form,
        "levels": level_lines(),
        "anchor": anchor_line(),
        "choice_fields": choice_fields(form),
        "tables": tables[:SHOWN_TABLES],
        "number_of_tables": len(tables),
    }
    if player is not None:
        context |= home_context(player=player)
        return render(request, "games/site/home.html", context, status=status)
    hand, starter = hand_of_the_day(timezone.localdate())
    context |= {
        "hand_names": [NAMES[card] for card in hand],
        "starter": NAMES[starter],
        "said": count_words(score_hand(hand, starter)),
    }
    return render(request, "games/site/landing.html", context, status=status)
