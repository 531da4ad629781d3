"""Reviews on their way into the database: claimed by one worker at a time, kept as they grow."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games import store
from games.analysis.review import VERSION, Item, decisions, judge
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import WRONG
from games.engine.cards import Card
from games.engine.moves import Move, parse_move
from games.engine.state import Ruleset
from games.engine.view import View
from games.models import Match, Mistake, Review, Seat
from games.refusals import Refused

LEASE = timedelta(seconds=10)
"""For how long a claim holds without news; then another worker may go on."""

AFTER_FAILURE = timedelta(minutes=10)
"""How long a review that failed is left alone."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to work at one review."""

    review: int
    match: int
    token: str


def status_of(*, match: int) -> Review | None:
    """Return how far the review of a match is, its contents not fetched; None where none is."""
    rows = Review.objects.filter(match_id=match, version=VERSION)
    return rows.defer("items", "accounts").first()


def is_wanted(review: Review | None) -> bool:
    """Whether somebody has still to work at a review, and nobody does."""
    if review is None:
        return True
    return review.status != Review.Status.DONE and review.claimed_until <= timezone.now()


def judged(*, view: View, cards: tuple[Card, ...]) -> Item:
    """Return the judgement on an answer to the question that a view puts.

    Raises:
        Refused: ``wrong_number`` or ``not_your_card`` where this cannot be thrown or played.
    """
    chosen = tuple(sorted(set(cards)))
    if len(chosen) != view.legal.number:
        raise Refused("wrong_number")
    if not set(chosen) <= set(view.legal.cards):
        raise Refused("not_your_card")
    return judge(view, chosen)


def log_of(*, match: int) -> tuple[Ruleset, list[Move]] | None:
    """Return the rules and the log of a finished match; None where it is not finished."""
    row = Match.objects.filter(pk=match, status=Match.Status.FINISHED).first()
    if row is None:
        return None
    moves = [parse_move(entry.text) for entry in store.whole(match)]
    return Ruleset.from_dict(row.ruleset), moves


def claim(*, match: int, moves: Sequence[Move]) -> Claim | None:
    """Take the review of a match; None where it is done, or another worker has it."""
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


def keep(claim: Claim, *, items: Sequence[Item], shown: Sequence[dict[str, Any]]) -> bool:
    """Store what there is so far, and hold the claim; False where it has been lost.

    ``shown`` are the ``items`` as JSON.
    """
    return _write(claim, done=len(items), items=shown, claimed_until=timezone.now() + LEASE)


def finish(
    claim: Claim,
    *,
    items: Sequence[Item],
    shown: Sequence[dict[str, Any]],
    accounts: Sequence[GameAccount],
) -> bool:
    """Store the whole review, with the mistakes of people; False where the claim has been lost."""
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
    """Say that a review could not be made; it is tried again after a while."""
    _write(claim, status=Review.Status.FAILED, claimed_until=timezone.now() + AFTER_FAILURE)


def give_back(claim: Claim) -> None:
    """Let another worker have the review at once."""
    _write(claim, claimed_until=timezone.now())


def _write(claim: Claim, **fields: object) -> bool:
    rows = Review.objects.filter(pk=claim.review, claim=claim.token)
    return bool(rows.exclude(status=Review.Status.DONE).update(**fields))


def _note_mistakes(match: int, items: Sequence[Item], now: datetime) -> None:
    """Have people asked again what they got wrong, as long as they played themselves."""
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
            if item.verdict in WRONG and item.seat in rows and _own(rows[item.seat], item.sequence)
        ],
        ignore_conflicts=True,
    )


def _own(row: Seat, sequence: int) -> bool:
    """Whether the seat's player himself made an entry of the log, in this match.

    What a branch begins with was played elsewhere; what comes after one has left, by the computer.
    """
    stayed = row.left_at is None or sequence < row.left_at
    return stayed and sequence >= (row.match.branch_step or 0)
