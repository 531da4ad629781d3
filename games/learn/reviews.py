"""Storage of reviews: partial and final results, mistakes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from games.analysis.review import VERSION, Item, decisions, judge
from games.analysis.review_luck import GameAccount
from games.analysis.review_situations import Situation
from games.analysis.review_verdicts import WRONG
from games.engine.cards import Card
from games.engine.moves import Move, parse_move
from games.engine.state import Ruleset
from games.engine.view import View
from games.learn.courses.exams import mark_exam
from games.learn.insights.sums import store_sums
from games.log import store
from games.log.substitutes import moves_of_substitutes
from games.models import Match, Mistake, Review, Seat
from games.ops import true_time
from games.wire.refusals import Refused


def status_of(*, match: int) -> Review | None:
    """Return the review of a match without its contents; None if it does not exist."""
    rows = Review.objects.filter(match_id=match, version=VERSION)
    return rows.defer("items", "accounts").first()


def is_wanted(review: Review | None) -> bool:
    """Whether a review is unfinished."""
    return review is None or review.status != Review.Status.DONE


def judge_answer(*, view: View, cards: tuple[Card, ...]) -> Item:
    """Judge an answer to the question that a view asks.

    Raises:
        Refused: ``wrong_number`` or ``not_your_card`` if the cards cannot be discarded or played.
    """
    return judge(view, checked_choice(view=view, cards=cards))


def checked_choice(*, view: View, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards of an answer in order.

    Raises:
        Refused: ``wrong_number`` or ``not_your_card`` if they cannot be discarded or played.
    """
    chosen = tuple(sorted(set(cards)))
    if len(chosen) != view.legal.number:
        raise Refused("wrong_number")
    if not set(chosen) <= set(view.legal.cards):
        raise Refused("not_your_card")
    return chosen


def log_of(*, match: int) -> tuple[Ruleset, list[Move]] | None:
    """Return the rules and the log of a finished match; None if it is not finished."""
    row = Match.objects.filter(pk=match, status=Match.Status.FINISHED).first()
    if row is None:
        return None
    moves = [parse_move(entry.text) for entry in store.whole(match)]
    return Ruleset.from_dict(row.ruleset), moves


def begin(*, match: int, moves: Sequence[Move]) -> int | None:
    """Begin the review of a match, or begin it again; return its primary key, None if it is done.

    A second worker, as after the first one was silent for a while, writes the same verdicts.
    """
    review, _made = Review.objects.get_or_create(match_id=match, version=VERSION)
    begun = _write(
        review.pk,
        status=Review.Status.WORKING,
        done=0,
        total=decisions(moves),
        items=[],
        accounts=[],
    )
    return review.pk if begun else None


def store_partial(review: int, *, shown: Sequence[dict[str, Any]]) -> None:
    """Store partial results, as JSON."""
    _write(review, done=len(shown), items=shown)


def finish(
    review: int,
    *,
    match: int,
    items: Sequence[Item],
    shown: Sequence[dict[str, Any]],
    accounts: Sequence[GameAccount],
    found: Mapping[int, Situation],
) -> None:
    """Store the complete review, once, people's mistakes, and the sums of their decisions.

    ``shown`` holds the items as JSON, ``found`` the situations of all decisions.
    """
    now = true_time.now()
    with transaction.atomic():
        done = _write(
            review,
            status=Review.Status.DONE,
            done=len(items),
            items=shown,
            accounts=[account.to_dict() for account in accounts],
            made_at=now,
        )
        if done:
            _note_decisions(match, items, found, now)


def fail(review: int) -> None:
    """Mark a review as failed; its job is tried again."""
    _write(review, status=Review.Status.FAILED)


def _write(review: int, **fields: object) -> bool:
    """Change a review that is not done; return whether it was not."""
    rows = Review.objects.filter(pk=review).exclude(status=Review.Status.DONE)
    return bool(rows.update(**fields))


def _note_decisions(
    match: int, items: Sequence[Item], found: Mapping[int, Situation], now: datetime
) -> None:
    """Store what people's own decisions cost and their mistakes for drills; mark exams."""
    people = Seat.objects.filter(match_id=match, player__isnull=False, computer=False)
    rows = {row.seat: row for row in people.select_related("match", "player")}
    others = moves_of_substitutes(match=match)
    made = [
        item
        for item in items
        if item.seat in rows
        and item.sequence not in others
        # The first entries of a branch come from another match.
        and item.sequence >= (rows[item.seat].match.branch_step or 0)
    ]
    store_sums(match=match, rows=rows, items=made, found=found)
    mark_exam(match=match, items=made)
    Mistake.objects.bulk_create(
        [
            Mistake(
                seat=rows[item.seat],
                sequence=item.sequence,
                action=item.action,
                verdict=item.verdict,
                loss=round(item.loss, 5),
                reason=item.reason.kind if item.reason else "",
                due=now,
            )
            for item in made
            if item.verdict in WRONG
        ],
        ignore_conflicts=True,
    )
