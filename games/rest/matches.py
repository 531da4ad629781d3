"""Endpoints of matches, their hands, records and reviews."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext_lazy as _
from ninja import Query, Router
from ninja.errors import HttpError

from games.archive import access, selectors
from games.archive.record_files import export_match
from games.archive.selectors import HandLine
from games.log.substitutes import decisions_shown
from games.models import Match, Review
from games.rest.history import matches_of
from games.rest.readers import ALL, OWN, REFUSALS, own, reader_of
from games.rest.schemas import (
    Error,
    HandOut,
    HandSeatOut,
    HandsOut,
    MatchesIn,
    MatchesOut,
    MatchOut,
    ReviewOut,
    SeatOut,
)

router = Router(tags=["matches"])

NO_CARDS = _("You can't see this match's cards (yet).")


@router.get(
    "", response={200: MatchesOut, 422: Error, **REFUSALS}, auth=OWN, summary="List your matches"
)
def matches(request: HttpRequest, asked: Query[MatchesIn]) -> MatchesOut:
    """Return the caller's finished matches, newest first."""
    player = own(request)
    found, following, totals = matches_of(player=player, asked=asked)
    shown = [_match(match, access.seat_of(match, player)) for match in found]
    return MatchesOut(matches=shown, totals=totals, next=following)


@router.get(
    "/{slug:public_id}",
    response={200: MatchOut, 404: Error, **REFUSALS},
    auth=ALL,
    summary="Get a match",
)
def match(request: HttpRequest, public_id: str) -> MatchOut:
    """Return a match that the caller may see."""
    found = _match_or_404(request, public_id)
    return _match(found, access.seat_of(found, reader_of(request)))


@router.get(
    "/{slug:public_id}/hands",
    response={200: HandsOut, 404: Error, **REFUSALS},
    auth=ALL,
    summary="List the hands of a match",
)
def hands(request: HttpRequest, public_id: str) -> HandsOut:
    """Return the finished hands of a match, with the cards that the caller may see."""
    detail = selectors.match_detail(public_id=public_id, viewer=reader_of(request))
    if detail is None:
        raise Http404
    return HandsOut(hands=[_hand(line) for game in detail.games for line in game])


@router.get(
    "/{slug:public_id}/record",
    response={200: list[dict[str, Any]], 403: Error, 404: Error, **REFUSALS},
    auth=ALL,
    summary="Get the game records of a match",
)
def record(request: HttpRequest, public_id: str) -> list[dict[str, Any]]:
    """Return the record of each game of a match, with all cards."""
    found = _match_or_404(request, public_id)
    if not access.may_replay(found, reader_of(request)):
        raise HttpError(403, str(NO_CARDS))
    return export_match(match=found)


@router.get(
    "/{slug:public_id}/review",
    response={200: ReviewOut, 403: Error, 404: Error, **REFUSALS},
    auth=ALL,
    summary="Get the review of a match",
)
def review(request: HttpRequest, public_id: str) -> ReviewOut:
    """Return the review of each decision, if the match has been reviewed.

    Decisions of a computer that substituted for a player are left out.
    """
    found = _match_or_404(request, public_id)
    if not access.may_replay(found, reader_of(request)):
        raise HttpError(403, str(NO_CARDS))
    done = found.reviews.filter(status=Review.Status.DONE).order_by("-version").first()
    if done is None:
        raise Http404
    return ReviewOut(
        version=done.version,
        made_at=done.made_at,
        decisions=decisions_shown(done),
        accounts=done.accounts,
    )


def _match_or_404(request: HttpRequest, public_id: str) -> Match:
    found = selectors.match_by_id(public_id=public_id)
    if found is None or not access.may_see(found, reader_of(request)):
        raise Http404
    return found


def _match(match: Match, own_seat: int | None) -> MatchOut:
    return MatchOut(
        id=match.public_id,
        status=match.status,
        ended_by=match.ended_by,
        ranked=match.ranked,
        imported=match.imported,
        rules=match.ruleset,
        own_seat=own_seat,
        seats=[
            SeatOut(
                seat=row.seat,
                id=row.player.public_id if row.player else None,
                name=row.shown_name or None,
                kind=row.player.kind if row.player else None,
                score=row.score,
                games_won=row.games_won,
                match_points=row.match_points,
                won=row.won,
            )
            for row in match.seats.all()
        ],
        made_at=match.created_at,
        started_at=match.started_at,
        finished_at=match.finished_at,
    )


def _hand(line: HandLine) -> HandOut:
    hand, shown, items = line.hand, line.cards_shown, line.items_shown
    return HandOut(
        game=hand.game + 1,
        hand=hand.number + 1,
        dealer=hand.dealer,
        starter=hand.starter if shown else None,
        crib=hand.crib if shown else None,
        plays=hand.plays if shown else None,
        seats=[
            HandSeatOut(
                seat=row.seat.seat,
                dealt=row.dealt if shown else None,
                thrown=row.discarded if shown else None,
                pegging=row.pegging if items else None,
                hand=row.hand_points if items else None,
                crib=row.crib_points if items else None,
                muggins=row.muggins if items else None,
                score_before=row.score_before,
                score_after=row.score_after,
            )
            for row in line.seats
        ],
    )
