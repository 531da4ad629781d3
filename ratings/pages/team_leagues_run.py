"""Buttons of the organiser of a team league."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.api import Refused
from ratings.pages.team_leagues import load
from ratings.pages.team_leagues_forms import ResultForm
from ratings.team_leagues import leagues, matches


def _act(request: HttpRequest, public_id: str, service: Callable[..., object]) -> HttpResponse:
    """Have a service act for the reader, show why it refused, and go back to the league."""
    found, player = load(request, public_id)
    if player is not None:
        try:
            service(league=found, by=player)
        except Refused as refusal:
            messages.error(request, refusal.message)
    return redirect("ratings:team_league", public_id)


@require_POST
def begin(request: HttpRequest, public_id: str) -> HttpResponse:
    """Begin a league before its time."""
    return _act(request, public_id, leagues.begin)


@require_POST
def end(request: HttpRequest, public_id: str) -> HttpResponse:
    """End a league, or call it off."""
    return _act(request, public_id, leagues.end)


@require_POST
def fill(request: HttpRequest, public_id: str) -> HttpResponse:
    """Add a team of computers."""
    return _act(request, public_id, leagues.fill)


@require_POST
def withdraw(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Withdraw a team."""
    return _act(request, public_id, partial(leagues.withdraw, number=number))


@require_POST
def set_result(request: HttpRequest, public_id: str, fixture: int) -> HttpResponse:
    """Set the result of a match, with a reason."""
    form = ResultForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose a winner and a margin above 0, or a draw."))
        return redirect("ratings:team_league", public_id)
    service = partial(
        matches.set_result,
        fixture=fixture,
        margin=form.margin(),
        reason=form.cleaned_data["reason"],
    )
    return _act(request, public_id, service)
