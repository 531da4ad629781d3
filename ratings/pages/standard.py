"""Pages of a standard game: the result of an attempt, the traveller, and the proof of fairness."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.api import Player, player_of
from ratings.models import Attempt, StandardGame
from ratings.pages import sentences
from ratings.pages.heat import heat_rows
from ratings.pages.recap import awaits_field, field_recap, has_own_cards, rating_recap
from ratings.standard import access, decks, field, throw_values
from ratings.standard.traveller import traveller as sheet_of


@require_safe
@gzip_page
def result(request: HttpRequest, number: int, match: str) -> HttpResponse:
    """Show a finished attempt to its player: the comparison with the field, then the score."""
    attempt = access.own_attempt(number=number, match=match, player=player_of(request))
    if attempt is None:
        raise Http404
    if attempt.play.finished_at is None:
        return render(request, "ratings/standard/result_soon.html", {"attempt": attempt})
    found = field_recap(attempt, request)
    judged = throw_values.judge(found.hands, seats=attempt.standard_game.seats)
    best, worst = throw_values.best_and_worst(judged)
    context = {
        "attempt": attempt,
        "game": attempt.standard_game,
        "field": found,
        "verdict": found.verdict,
        "rating": rating_recap(attempt),
        "headline": sentences.headline(found.verdict),
        "awaits_field": awaits_field(attempt, found.verdict),
        "own_cards": has_own_cards(attempt.play),
        "hands": [(hand, judged.get(hand.number)) for hand in found.hands],
        "best": best,
        "worst": worst,
        "first_time": _is_first_time(attempt.player),
        "opponents": list(
            attempt.play.attempts.exclude(pk=attempt.pk).select_related("player").order_by("seat")
        ),
    }
    return render(request, "ratings/standard/result.html", context)


@require_safe
@gzip_page
def traveller(request: HttpRequest, number: int) -> HttpResponse:
    """Show the traveller to players who have finished the game; 404 for others."""
    reader = access.reader_of(number=number, player=player_of(request))
    if reader is None:
        raise Http404
    margins = field.margins_of(game=reader.game, seat=reader.attempt.seat)
    verdict = field.verdict(reader.attempt, margins)
    sheet = sheet_of(reader=reader)
    context = {
        "reader": reader,
        "game": reader.game,
        "verdict": verdict,
        "headline": sentences.headline(verdict),
        "awaits_field": awaits_field(reader.attempt, verdict),
        "rating": rating_recap(reader.attempt),
        "sheet": sheet,
        "heat": heat_rows(sheet),
        "first_time": _is_first_time(reader.attempt.player),
    }
    return render(request, "ratings/standard/traveller.html", context)


def _is_first_time(player: Player) -> bool:
    """Whether a player has finished only one standard game, and is told what the numbers mean."""
    rows = Attempt.objects.filter(player=player, computer=False, play__finished_at__isnull=False)
    return rows[:2].count() < 2


@require_safe
def verify(request: HttpRequest, number: int) -> HttpResponse:
    """Show the commitment and, once the cards are public, the packs and the salt."""
    game = get_object_or_404(StandardGame.objects.select_related("decks"), pk=number)
    public = access.cards_are_public(game)
    context = {
        "game": game,
        "public": public,
        "packs": game.decks.packs if public else [],
        "salt": game.salt if public else "",
        "address": request.build_absolute_uri("deals.txt"),
    }
    return render(request, "ratings/standard/verify.html", context)


@require_safe
def deals(request: HttpRequest, number: int) -> HttpResponse:
    """Return the text that was committed to, once the cards are public."""
    game = get_object_or_404(StandardGame.objects.select_related("decks"), pk=number)
    if not access.cards_are_public(game):
        raise Http404
    text = decks.canonical(game.salt, game.decks.packs)
    return HttpResponse(text.encode("ascii"), content_type="text/plain; charset=us-ascii")
