"""The review of a finished match: its page, how far it is, and the same for the replay's panel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from games import hooks, replays, reviewing, selectors
from games.access import hands_shown, seat_of
from games.analysis.review import VERSION, Item
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import WRONG, summaries
from games.engine.view import view_for
from games.models import Match, Player, Review
from games.replays import Replay
from games.services import reviews
from games.views import review_sheet as sheet
from games.views.review_chart import chart
from games.views.visitor import player_of


@dataclass(frozen=True, slots=True)
class Shown:
    """What a reader may see of a review.

    Attributes:
        match, replay: the match, its replay cut to the reader's hands.
        review: its row; None where it has not been begun.
        items: the decisions that are judged and may be seen.
        names: of the seats; the reader's own is "You".
        own: the reader's seat.
    """

    match: Match
    replay: Replay
    review: Review | None
    items: tuple[Item, ...]
    names: tuple[str, ...]
    own: int | None


@require_GET
@never_cache
@gzip_page
def review(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show what the analysis says of each decision, as far as it has got."""
    player = player_of(request)
    match, hands = _match(public_id, player)
    refused = _set_going(match)
    shown = _shown(match, hands, player)
    game = _chosen(request.GET.get("game"), _games(shown.replay)) or 1
    seat = _seat(request, shown)
    wrong = request.GET.get("show") == "wrong"
    asked = sheet.wanted(shown.items, seat=seat, wrong=wrong)
    hand_lines = sheet.hands(shown.replay, asked, names=shown.names, match=match, game=game)
    context: dict[str, Any] = {
        "match": match,
        "names": shown.names,
        "progress": _progress(shown.review, refused=refused),
        "hands": list(hand_lines),
        "games": _games(shown.replay),
        "game": game,
        "seat": seat,
        "seats": list(enumerate(shown.names)),
        "wrong": wrong,
        "number_wrong": len(sheet.wanted(shown.items, seat=seat, wrong=True)),
        "whole": shown.replay.whole,
        "field": hooks.field(match.pk, player.pk) if player is not None else None,
    }
    if shown.items:
        found = summaries((item.judged for item in shown.items), len(shown.names))
        context |= {"summary": sheet.summary_rows(found), "parts": sheet.part_rows(found)}
    context |= _account(shown, game)
    return render(request, "games/review.html", context)


@require_GET
@never_cache
def state(request: HttpRequest, public_id: str) -> JsonResponse:
    """Say how far the review is, and see that somebody works at it."""
    match, _hands = _match(public_id, player_of(request))
    refused = _set_going(match)
    return JsonResponse(_progress(reviews.status_of(match=match.pk), refused=refused))


@require_GET
@never_cache
@gzip_page
def panel(request: HttpRequest, public_id: str) -> JsonResponse:
    """Send the decisions in words, for the panel beside a replay."""
    player = player_of(request)
    match, hands = _match(public_id, player)
    refused = _set_going(match)
    shown = _shown(match, hands, player)
    told = [_panel_item(item, shown) for item in shown.items if not item.forced]
    data = {**_progress(shown.review, refused=refused), "items": told, "chances": _chances(shown)}
    page = reverse("games:review", args=[public_id])
    return JsonResponse({**data, "names": shown.names, "page": page})


def _match(public_id: str, player: Player | None) -> tuple[Match, int]:
    """Return a match and how many of its hands the reader may see.

    Raises:
        Http404: where there is none, or he may see nothing of it.
    """
    match = selectors.match_by_id(public_id=public_id)
    hands = 0 if match is None else hands_shown(match, player)
    if match is None or not hands:
        raise Http404
    return match, hands


def _set_going(match: Match) -> bool:
    """Have the match reviewed where nobody does or has; return whether that was refused."""
    if not reviews.is_wanted(reviews.status_of(match=match.pk)):
        return False
    return not reviewing.ask(match.pk)


def _shown(match: Match, hands: int, player: Player | None) -> Shown:
    replay = replays.load(match, hands=hands)
    if not replay.hands:
        raise Http404
    row = Review.objects.filter(match=match, version=VERSION).first()
    last = replay.hands[-1].last
    items = () if row is None else tuple(map(Item.from_dict, row.items))
    own = seat_of(match, player)
    names = tuple(
        _("You") if seat.seat == own else (seat.player.name if seat.player else _("nobody"))
        for seat in match.seats.all()
    )
    shown = tuple(item for item in items if item.sequence < last)
    return Shown(match, replay, row, shown, names, own)


def _progress(row: Review | None, *, refused: bool) -> dict[str, Any]:
    """Return how far a review is, as plain values."""
    status = "busy" if refused else (Review.Status.WORKING.value if row is None else row.status)
    done, total = (0, 0) if row is None else (row.done, row.total)
    return {"status": status, "done": done, "total": total}


def _games(replay: Replay) -> list[int]:
    return sorted({hand.game for hand in replay.hands})


def _chosen(text: str | None, allowed: list[int]) -> int | None:
    return next((number for number in allowed if str(number) == text), None)


def _seat(request: HttpRequest, shown: Shown) -> int | None:
    """Return the seat whose decisions are listed: the one asked for, else the own; None for all."""
    asked = request.GET.get("seat")
    if asked == "all":
        return None
    chosen = _chosen(asked, list(range(len(shown.names))))
    return shown.own if chosen is None else chosen


def _account(shown: Shown, game: int) -> dict[str, Any]:
    """Return luck and skill of a game, for who may see the whole match."""
    if shown.review is None or not shown.replay.whole:
        return {}
    found = [GameAccount.from_dict(data) for data in shown.review.accounts]
    account = next((one for one in found if one.game == game), None)
    if account is None:
        return {}
    side = shown.own or 0
    picture = chart(
        account, shown.replay, shown.items, names=shown.names, match=shown.match, side=side
    )
    return {"account": sheet.account_rows(account), "chart": picture}


def _panel_item(item: Item, shown: Shown) -> dict[str, Any]:
    view = view_for(shown.replay.state(item.sequence), item.seat)
    line = sheet.decision(item, view, names=shown.names, match=shown.match)
    return {
        "step": item.sequence,
        "seat": item.seat,
        "name": line.name,
        "action": item.action,
        "verdict": item.verdict,
        "verdict_name": line.verdict,
        "wrong": item.verdict in WRONG,
        "chosen": line.chosen,
        "best": line.best,
        "points": line.points,
        "chance": line.chance,
        "options": [[one.cards, one.points, one.chance, one.chosen] for one in line.options],
        "hindsight": line.hindsight,
    }


def _chances(shown: Shown) -> dict[int, list[float]]:
    """Return by step each seat's chance to win its game; nothing while there is more to come."""
    if shown.review is None or not shown.replay.whole:
        return {}
    return {
        shift.sequence + 1: list(shift.after)
        for data in shown.review.accounts
        for shift in GameAccount.from_dict(data).shifts
    }
