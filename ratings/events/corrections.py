"""Correction of results by the organiser, with a reason that everyone sees, if not muted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from games.api import Player, made_already
from ratings.events import events, progress
from ratings.events.refusals import refused
from ratings.events.series import winner_of
from ratings.models import Event, EventCorrection, EventGame, EventTable

HIGHEST = 121


def correct(
    *, event: Event, by: Player, game: int, scores: Sequence[int], reason: str
) -> EventCorrection:
    """Set the scores of a finished game (by primary key), by place; the higher score wins.

    The winner of a table of a bracket cannot change once the next round has begun. Places and
    titles of an event that is over follow. A form that is sent again changes nothing.

    Raises:
        Refused: ``event_organiser``, ``event_not_in``, ``event_running``, ``event_scores``,
            ``event_reason``, ``event_reason_muted`` or ``event_went_on``.
    """
    events.check_organiser(event, by)
    words = " ".join(reason.split())
    if by.is_muted != (not words):
        raise refused("event_reason_muted" if by.is_muted else "event_reason")
    with transaction.atomic():
        found = progress.locked(event)
        row = (
            EventGame.objects.filter(pk=game, table__round__event=found)
            .select_related("table__round", "play")
            .first()
        )
        if row is None:
            raise refused("event_not_in")
        if row.ended_at is None:
            raise refused("event_running")
        _check_scores(found, row, scores)
        said: dict[str, Any] = {"by": by, "after": list(scores), "reason": words[:200]}
        known = made_already(row.corrections.all(), at="at", **said)
        if known is not None:
            return known
        correction = EventCorrection.objects.create(game=row, before=row.scores, **said)
        _apply(row, scores)
        _decide_again(found, row.table)
        if found.is_over:
            progress.set_places(found)
        progress.touch(found)
        progress.advance_later.enqueue(found.pk)
    return correction


def _check_scores(event: Event, row: EventGame, scores: Sequence[int]) -> None:
    number = event.seats if event.seats == 3 else 2
    fine = len(scores) == number and all(0 <= score <= HIGHEST for score in scores)
    if not fine or scores.count(max(scores)) > 1:
        raise refused("event_scores")
    if event.seats == 2 and len(row.table.sitting) < 2 and row.play_id is None:
        raise refused("event_scores")  # a bye has no other player


def _apply(row: EventGame, scores: Sequence[int]) -> None:
    total, others = sum(scores), len(scores) - 1
    row.scores = list(scores)
    row.margins = [score - (total - score) / others for score in scores]
    row.winner = max(range(len(scores)), key=lambda place: scores[place])
    row.gone, row.corrected = [], True
    row.save(update_fields=["scores", "margins", "winner", "gone", "corrected"])


def _decide_again(event: Event, table: EventTable) -> None:
    """Set who won a table that had been decided; if nobody has now, another game follows."""
    if table.ended_at is None:
        return
    games = list(EventGame.objects.filter(table=table).order_by("number"))
    place = winner_of(games)
    winner = None if place is None else (table.first, table.second, table.third)[place]
    if winner == table.winner:
        return
    later = event.played.filter(number__gt=table.round.number)
    if table.round.bracket and (later.exists() or (winner is None and event.is_over)):
        raise refused("event_went_on")
    table.winner = winner
    if winner is None:
        table.ended_at = None
        event.played.filter(pk=table.round_id).update(ended_at=None)
    table.save(update_fields=["winner", "ended_at"])
