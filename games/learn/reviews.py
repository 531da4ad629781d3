"""Storage of reviews: exclusive claims by workers, partial and final results, mistakes."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.analysis.review import VERSION, Item, decisions, judge
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import WRONG
from games.engine.cards import Card
from games.engine.moves import Move, parse_move
from games.engine.state import Ruleset
from games.engine.view import View
from games.log import store
from games.models import Match, Mistake, Review, Seat
from games.wire.refusals import Refused

LEASE = timedelta(seconds=10)
"""Time after which a claim expires if nothing is stored; another worker may then take over."""

AFTER_FAILURE = timedelta(minutes=10)
"""Time before a failed review is tried again."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A worker's exclusive right to write one review."""

    review: int
    match: int
    token: str


def status_of(*, match: int) -> Review | None:
    """Return the review of a match without its contents; None if it does not exist."""
    rows = Review.objects.filter(match_id=match, version=VERSION)
    return rows.defer("items", "accounts").first()


def is_wanted(review: Review | None) -> bool:
    """Whether a review is unfinished and no worker has a claim on it."""
    if review is None:
        return True
    return review.status != Review.Status.DONE and review.claimed_until <= timezone.now()


def judge_answer(*, view: View, cards: tuple[Card, ...]) -> Item:
    """Judge an answer to the question that a view asks.

    Raises:
        Refused: ``wrong_number`` or ``not_your_card`` if the cards cannot be discarded or played.
    """
    chosen = tuple(sorted(set(cards)))
    if len(chosen) != view.legal.number:
        raise Refused("wrong_number")
    if not set(chosen) <= set(view.legal.cards):
        raise Refused("not_your_card")
    return judge(view, chosen)


def log_of(*, match: int) -> tuple[Ruleset, list[Move]] | None:
    """Return the rules and the log of a finished match; None if it is not finished."""
    row = Match.objects.filter(pk=match, status=Match.Status.FINISHED).first()
    if row is None:
        return None
    moves = [parse_move(entry.text) for entry in store.whole(match)]
    return Ruleset.from_dict(row.ruleset), moves


def claim(*, match: int, moves: Sequence[Move]) -> Claim | None:
    """Claim the review of a match; None if it is done or claimed by another worker."""
    now = timezone.now()
    review, _made = Review.objects.get_or_create(
        match_id=match, version=VERSION, defaults={"claimed_until": now}
    )
    token = secrets.token_hex(8)
    taken = (
        Review.objects.filter(pk=review.pk, claimed_until__lte=now)
        .exclude(status=Review.Status.DONE)
        .update(
            status=Review.Status.WORKING,
            claim=token,
            claimed_until=now + LEASE,
            done=0,
            total=decisions(moves),
            items=[],
            accounts=[],
        )
    )
    return Claim(review.pk, match, token) if taken else None


def store_partial(claim: Claim, *, items: Sequence[Item], shown: Sequence[dict[str, Any]]) -> bool:
    """Store partial results and renew the claim; False if the claim was lost.

    ``shown`` holds the ``items`` as JSON.
    """
    return _write(claim, done=len(items), items=shown, claimed_until=timezone.now() + LEASE)


def finish(
    claim: Claim,
    *,
    items: Sequence[Item],
    shown: Sequence[dict[str, Any]],
    accounts: Sequence[GameAccount],
) -> bool:
    """Store the complete review and people's mistakes; False if the claim was lost."""
    now = timezone.now()
    with transaction.atomic():
        kept = _write(
            claim,
            status=Review.Status.DONE,
            done=len(items),
            items=shown,
            accounts=[account.to_dict() for account in accounts],
            made_at=now,
        )
        if kept:
            _note_mistakes(claim.match, items, now)
    return kept


def fail(claim: Claim) -> None:
    """Mark a review as failed; it is tried again after `AFTER_FAILURE`."""
    _write(claim, status=Review.Status.FAILED, claimed_until=timezone.now() + AFTER_FAILURE)


def release(claim: Claim) -> None:
    """Release a claim, so that another worker can take over at once."""
    _write(claim, claimed_until=timezone.now())


def _write(claim: Claim, **fields: object) -> bool:
    rows = Review.objects.filter(pk=claim.review, claim=claim.token)
    return bool(rows.exclude(status=Review.Status.DONE).update(**fields))


def _note_mistakes(match: int, items: Sequence[Item], now: datetime) -> None:
    """Store people's mistakes for drills, except those of a computer playing for them."""
    people = Seat.objects.filter(match_id=match, player__isnull=False, computer=False)
    rows = {row.seat: row for row in people.select_related("match")}
    Mistake.objects.bulk_create(
        [
            Mistake(
                seat=rows[item.seat],
                sequence=item.sequence,
                action=item.action,
                verdict=item.verdict,
                loss=round(item.loss, 5),
                due=now,
            )
            for item in items
            if item.verdict in WRONG
            and item.seat in rows
            and _made_by_player(rows[item.seat], item.sequence)
        ],
        ignore_conflicts=True,
    )


def _made_by_player(row: Seat, sequence: int) -> bool:
    """Whether the seat's player made this log entry in this match.

    The first entries of a branch come from another match; after a player has left, the computer
    plays for them.
    """
    stayed = row.left_at is None or sequence < row.left_at
    return stayed and sequence >= (row.match.branch_step or 0)
