"""The recap of a game on standard deals: a fragment that the table shows when the game is over.

It is complete once the job that follows the match has stored the result and rated it, and house
computers have played the cards. Until then it is marked with ``data-pending``, and the table asks
again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.api import player_of
from ratings.events.results import rules_of
from ratings.models import Attempt, Play
from ratings.pages import sentences
from ratings.pages.daily import daily_title
from ratings.pages.field_chart import field_chart
from ratings.pages.share import share_text
from ratings.rating.feed import FeedItem, change_by
from ratings.standard import access, catalogue, daily, field
from ratings.standard.field import HandComparison, Verdict

KINDS = {
    Play.Kind.RANKED, Play.Kind.DAILY, Play.Kind.CHALLENGE, Play.Kind.CLUB, Play.Kind.EVENT,
}  # fmt: skip
"""Kinds of plays that end with the field. Others are ordinary matches to their players."""

WAITS_FOR_FIELD = timedelta(minutes=2)
"""Time after the end for which a result waits for house computers; tables ask a little longer."""


@dataclass(frozen=True, slots=True)
class FieldRecap:
    """A finished attempt compared with the field, for its player.

    Attributes:
        verdict: the comparison of the margins; `place` in words.
        chart: the margins as a dot plot; "" without others.
        hands: the hands that the player reached.
        share: a text to send to friends.
    """

    verdict: Verdict
    place: str
    chart: SafeString
    hands: tuple[HandComparison, ...]
    share: str


@dataclass(frozen=True, slots=True)
class RatingRecap:
    """The change of a rating by a game, and its main reason as a sentence.

    Attributes:
        names_expectation: whether the reason says what had been expected.
    """

    change: FeedItem
    reason: str
    names_expectation: bool


def recap(page: Mapping[str, Any]) -> SafeString:
    """Render a player's result in a match on a standard game; empty for other matches."""
    request: HttpRequest = page["request"]
    play = Play.objects.filter(match=page["match"], kind__in=KINDS)
    found = play.select_related(
        "standard_game", "night_table__game__night", "event_game__table__round__event"
    ).first()
    if found is None:
        return SafeString("")
    attempt = access.own_attempt(
        number=found.standard_game_id, match=page["match"].public_id, player=player_of(request)
    )
    if attempt is None:
        return SafeString("")
    done = found.finished_at is not None
    rated = found.sequence is not None
    compared = field_recap(attempt, request) if done else None
    awaited = compared is not None and awaits_field(attempt, compared.verdict)
    context = {
        "attempt": attempt,
        "play": found,
        "game": attempt.standard_game,
        "is_today": attempt.standard_game.daily == daily.today(),
        "field": compared,
        "rating": rating_recap(attempt) if rated else None,
        "awaits_field": awaited,
        "pending": not done or awaited or not (rated or found.exclusion),
        "night": _night(found),
        "own_cards": has_own_cards(found),
        "replayable": access.hands_turned_up(attempt) > 0 and attempt.ended == "played",
    }
    return render_to_string("ratings/standard/_recap.html", context, request=request)


def awaits_field(attempt: Attempt, verdict: Verdict) -> bool:
    """Return whether house computers still play the cards of a result that is alone so far."""
    over = attempt.play.finished_at
    lately = over is not None and over > timezone.now() - WAITS_FOR_FIELD
    return not verdict.others and lately and catalogue.is_being_prepared(attempt.standard_game)


def field_recap(attempt: Attempt, request: HttpRequest) -> FieldRecap:
    """Compare a finished attempt with the field; the caller checks that the reader is its player.

    Hands are those that the player reached, and others appear with their margins only.
    """
    game, seat = attempt.standard_game, attempt.seat
    compared = field.field_of(game=game, seat=seat)
    verdict = field.verdict(attempt, field.margins_of(game=game, seat=seat))
    hands = field.compare_hands(attempt, compared)
    others = [field.margin_of(other) for other in compared if other.pk != attempt.pk]
    return FieldRecap(
        verdict=verdict,
        place=sentences.place_in_words(verdict),
        chart=field_chart(verdict, others) if others else SafeString(""),
        hands=tuple(hands),
        share=share_text(
            _title(attempt), verdict, hands, address=request.build_absolute_uri(_address(attempt))
        ),
    )


def rating_recap(attempt: Attempt) -> RatingRecap | None:
    """Return what a finished attempt did to its player's rating; None if nothing is stored."""
    change = change_by(player=attempt.player, play=attempt.play)
    if change is None:
        return None
    game = attempt.standard_game_id
    return RatingRecap(
        change,
        reason=sentences.main_reason(change, game),
        names_expectation=sentences.names_expectation(change, game),
    )


def _title(attempt: Attempt) -> str:
    game = attempt.standard_game
    if game.daily is not None:
        return daily_title(game.daily)
    return _("Cribbage with the same cards: standard game %(game)s") % {"game": game}


def _address(attempt: Attempt) -> str:
    """Return the page to which a shared result leads: where the game can be played, if anywhere."""
    game = attempt.standard_game
    if game.daily is not None:
        return reverse("ratings:daily")
    if game.invite:
        return reverse("ratings:challenge", args=[game.invite])
    return reverse("ratings:ranked")


def has_own_cards(play: Play) -> bool:
    """Whether no other table gets the cards: a tournament's, unless all tables share them."""
    game = getattr(play, "event_game", None)
    return game is not None and not rules_of(game.table.round.event).duplicate


def _night(play: Play) -> str:
    """Return the token of the club night that a play belongs to; "" for none."""
    table = getattr(play, "night_table", None)
    night = table.game.night if table is not None else None
    return night.token if night is not None else ""
