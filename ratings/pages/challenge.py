"""Pages of challenges."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.api import Refused, match_creator, player_of
from ratings.models import Play, StandardGame
from ratings.pages.device import note_device
from ratings.standard import access, challenge, daily, field
from ratings.standard.traveller import Line, field_lines


@require_safe
@never_cache
def about(request: HttpRequest) -> HttpResponse:
    """Show what a challenge is, with the button that creates one."""
    return render(request, "ratings/standard/challenge_new.html", {"new": challenge.new_form()})


@require_POST
def make(request: HttpRequest) -> HttpResponse:
    """Create a challenge and redirect to its page, which has the link to send."""
    match_creator(request)
    seat = 1 if request.POST.get("seat") == "1" else 0
    game = challenge.make(seat=seat, form=request.POST.get("new", ""))
    return redirect("ratings:challenge", game.invite)


@require_safe
@never_cache
def show(request: HttpRequest, token: str) -> HttpResponse:
    """Show a challenge: its link and button and, once the reader has played, the comparison."""
    game = _game_or_404(token)
    player = player_of(request)
    reader = access.reader_of(number=game.pk, player=player)
    lines = field_lines(reader=reader, kinds=[Play.Kind.CHALLENGE]) if reader else []
    context: dict[str, object] = {
        "game": game,
        "address": request.build_absolute_uri(),
        "running": daily.running_at(game=game, player=player) if player else None,
        "reader": reader,
        "lines": lines,
    }
    if reader is not None:
        compared = field.field_of(game=game, seat=reader.attempt.seat)
        hands = field.compare_hands(reader.attempt, compared, upto=reader.hands)
        context["rows"] = [
            {"hand": hand, "cells": [(line, _cell(line, hand.number - 1)) for line in lines]}
            for hand in hands
        ]
    return render(request, "ratings/standard/challenge.html", context)


@require_POST
def play(request: HttpRequest, token: str) -> HttpResponse:
    """Start the game of a challenge and redirect to its table."""
    _game_or_404(token)
    player = match_creator(request)
    response = note_device(request, player, redirect("ratings:challenge", token))
    try:
        match = challenge.begin(player=player, invite=token)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return response
    response["Location"] = reverse("games:table", args=[match.public_id])
    return response


def _game_or_404(token: str) -> StandardGame:
    game = StandardGame.objects.filter(invite=token).first() if token else None
    if game is None:
        raise Http404
    return game


def _cell(line: Line, number: int) -> dict[str, object] | None:
    hands = line.attempt.hands
    return hands[number] if number < len(hands) else None
