"""Pages of a match's review: the page, its progress, and the JSON for the replay's panel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games import hooks
from games.analysis.review import VERSION, Item
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import WRONG, summaries
from games.archive import replays, selectors
from games.archive.access import hands_shown, seat_of
from games.archive.replays import Replay
from games.bots import levels
from games.engine.view import view_for
from games.learn import review_jobs, reviews
from games.log.claims import claims
from games.log.substitutes import moves_of_substitutes
from games.models import Match, Player, Review
from games.pages.learn import review_sheet as sheet
from games.pages.learn import review_words as words
from games.pages.learn.review_chart import chart
from games.pages.site.visitor import player_of


@dataclass(frozen=True, slots=True)
class VisibleReview:
    """The part of a review that its reader may see.

    Attributes:
        match, replay: the match, and its replay with the hands that the reader may see.
        review: the row of the review; None if it has not begun.
        items: the judged decisions that may be shown, without those of substitutes.
        names: the names of the seats; the reader's own is "You".
        own: the reader's seat.
        away: the seats of people for whom a computer played for some time.
    """

    match: Match
    replay: Replay
    review: Review | None
    items: tuple[Item, ...]
    names: tuple[str, ...]
    own: int | None
    away: frozenset[int]


@require_safe
@never_cache
@gzip_page
def review(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the verdicts on all decisions reviewed so far."""
    player = player_of(request)
    match, hands = _match(public_id, player)
    refused = _ensure_queued(match)
    shown = _shown(match, hands, player)
    game = _chosen(request.GET.get("game"), _games(shown.replay)) or 1
    seat = _seat(request, shown)
    wrong = request.GET.get("show") == "wrong"
    asked = sheet.wanted(shown.items, seat=seat, wrong=wrong)
    all_wrong = sheet.wanted(shown.items, seat=seat, wrong=True)
    hand_lines = sheet.hands(shown.replay, asked, names=shown.names, match=match, game=game)
    context: dict[str, Any] = {
        "match": match,
        "names": shown.names,
        "progress": _progress(shown.review, refused=refused),
        "hands": list(hand_lines),
        "mistakes": sheet.mistakes(
            shown.replay, all_wrong, names=shown.names, match=match, game=game
        ),
        "games": _games(shown.replay),
        "game": game,
        "seat": seat,
        "seats": list(enumerate(shown.names)),
        "wrong": wrong,
        "number_wrong": sum(item.game == game for item in all_wrong),
        "whole": shown.replay.whole,
        "was_away": shown.own in shown.away,
        "away": [shown.names[seat] for seat in sorted(shown.away) if seat != shown.own],
        "field": hooks.field(match.pk, player.pk) if player is not None else None,
    }
    if shown.items:
        found = summaries((item.judgement for item in shown.items), len(shown.names))
        context |= {"summary": sheet.summary_rows(found), "parts": sheet.part_rows(found)}
        context["past_a_game"] = any(one.chance > 1 for one in found)
        context |= {"costliest": words.costliest(player), "house": _judges(shown)}
    context |= _account(shown, game, listed={item.sequence for item in asked})
    return render(request, "games/learn/review.html", context)


@require_safe
@never_cache
def state(request: HttpRequest, public_id: str) -> JsonResponse:
    """Return the review's progress, and make sure that a worker is on it."""
    match, _hands = _match(public_id, player_of(request))
    refused = _ensure_queued(match)
    return JsonResponse(_progress(reviews.status_of(match=match.pk), refused=refused))


@require_safe
@never_cache
@gzip_page
def panel(request: HttpRequest, public_id: str) -> JsonResponse:
    """Return the decisions as text, for the review panel of the replay."""
    player = player_of(request)
    match, hands = _match(public_id, player)
    refused = _ensure_queued(match)
    shown = _shown(match, hands, player)
    decisions = [_panel_item(item, shown) for item in shown.items if not item.forced]
    data = {
        **_progress(shown.review, refused=refused),
        "items": decisions,
        "chances": _chances(shown),
    }
    page = reverse("games:review", args=[public_id])
    return JsonResponse({**data, "names": shown.names, "page": page})


def _match(public_id: str, player: Player | None) -> tuple[Match, int]:
    """Return a match and the number of hands that the reader may see.

    Raises:
        Http404: if it does not exist, or the reader may see none of it.
    """
    match = selectors.match_by_id(public_id=public_id)
    hands = 0 if match is None else hands_shown(match, player)
    if match is None or not hands:
        raise Http404
    return match, hands


def _ensure_queued(match: Match) -> bool:
    """Queue the review if no worker has it; return whether the queue refused it."""
    if not reviews.is_wanted(reviews.status_of(match=match.pk)):
        return False
    return not review_jobs.request_review(match.pk)


def _shown(match: Match, hands: int, player: Player | None) -> VisibleReview:
    replay = replays.load(match, hands=hands)
    if not replay.hands:
        raise Http404
    row = Review.objects.filter(match=match, version=VERSION).first()
    last = replay.hands[-1].last
    items = () if row is None else tuple(map(Item.from_dict, row.items))
    own = seat_of(match, player)
    names = tuple(
        _("You") if seat.seat == own else (seat.shown_name or _("no one"))
        for seat in match.seats.all()
    )
    others = moves_of_substitutes(match=match.pk)
    shown = tuple(item for item in items if item.sequence < last and item.sequence not in others)
    away = frozenset(seat for at, seat in others.items() if at < last)
    return VisibleReview(match, replay, row, shown, names, own, away)


def _progress(row: Review | None, *, refused: bool) -> dict[str, Any]:
    """Return a review's progress as JSON values; ``retrying`` is failed, but tried again."""
    status = "busy" if refused else (Review.Status.WORKING.value if row is None else row.status)
    if row is not None and status == Review.Status.FAILED:
        status = "retrying" if review_jobs.is_pending(row.match_id) else status
    done, total = (0, 0) if row is None else (row.done, row.total)
    return {"status": status, "done": done, "total": total}


def _games(replay: Replay) -> list[int]:
    return sorted({hand.game for hand in replay.hands})


def _chosen(text: str | None, allowed: list[int]) -> int | None:
    return next((number for number in allowed if str(number) == text), None)


def _seat(request: HttpRequest, shown: VisibleReview) -> int | None:
    """Return the seat whose decisions to list: the requested one or the reader's; None for all."""
    asked = request.GET.get("seat")
    if asked == "all":
        return None
    chosen = _chosen(asked, list(range(len(shown.names))))
    return shown.own if chosen is None else chosen


def _account(shown: VisibleReview, game: int, *, listed: set[int]) -> dict[str, Any]:
    """Return the luck and skill of a game, for readers who may see the whole match."""
    if shown.review is None or not shown.replay.whole:
        return {}
    found = [GameAccount.from_dict(data) for data in shown.review.accounts]
    account = next((one for one in found if one.game == game), None)
    if account is None:
        return {}
    side, claim = shown.own or 0, claims([shown.match]).get(shown.match.pk)
    picture = chart(
        account,
        shown.replay,
        shown.items,
        names=shown.names,
        match=shown.match,
        side=side,
        listed=listed,
        claim=claim,
    )
    return {"account": sheet.account_rows(account, claimed=bool(claim)), "chart": picture}


def _judges(shown: VisibleReview) -> str:
    """Return the name of a computer in the match that is the judge itself; "" if there is none."""
    judges = {levels()[-1].name, "house"}
    found = (seat.player for seat in shown.match.seats.all() if seat.player and seat.computer)
    return next((player.name for player in found if player.bot in judges), "")


def _panel_item(item: Item, shown: VisibleReview) -> dict[str, Any]:
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
        "reason": line.reason,
        "chosen": line.chosen,
        "best": line.best,
        "loss": line.loss,
        "options": [[one.cards, one.points, one.chance, one.chosen] for one in line.options],
        "hindsight": line.hindsight,
    }


def _chances(shown: VisibleReview) -> dict[int, list[float]]:
    """Return each seat's chance to win its game, by step; empty unless all hands are visible."""
    if shown.review is None or not shown.replay.whole:
        return {}
    return {
        shift.sequence + 1: list(shift.after)
        for data in shown.review.accounts
        for shift in GameAccount.from_dict(data).shifts
    }
