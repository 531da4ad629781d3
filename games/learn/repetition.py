"""Spaced repetition: when a mistake is asked again, by the FSRS scheduler.

FSRS estimates how well each question is remembered from the answers so far, and asks again when
nine in ten such answers would still be right.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from fsrs import Card, Rating, Scheduler, State

from games.models import Mistake

SOON = timedelta(minutes=10)
"""The time until a question comes back after a wrong answer."""

KNOWN_DAYS = 21.0
"""Stability, in days, from which a question counts as known."""

IN_REVIEW = State.Review.value
"""The state of a question that comes back after days, not minutes."""

FIELDS = ["state", "step", "stability", "difficulty", "answered_at", "due"]
"""Fields of a mistake that an answer changes here."""

# Without chance in the intervals, so that the date on the page of an answer is the one to come.
_scheduler = Scheduler(
    learning_steps=(SOON,),
    relearning_steps=(SOON,),
    maximum_interval=365,
    enable_fuzzing=False,
)


def asked_from(mistake: Mistake) -> datetime:
    """Return from when a question is asked: what comes after days, from the start of its day."""
    if mistake.state != IN_REVIEW:
        return mistake.due
    return datetime.combine(mistake.due.astimezone(UTC).date(), time(), tzinfo=UTC)


def note_answer(mistake: Mistake, *, right: bool, now: datetime) -> None:
    """Set when a mistake is asked again after an answer; the row is not saved."""
    card = Card(
        card_id=mistake.pk,
        state=State(mistake.state),
        step=mistake.step,
        stability=mistake.stability,
        difficulty=mistake.difficulty,
        due=mistake.due,
        last_review=mistake.answered_at,
    )
    rating = Rating.Good if right else Rating.Again
    found, _log = _scheduler.review_card(card, rating, now.astimezone(UTC))
    mistake.state, mistake.step = found.state.value, found.step
    mistake.stability, mistake.difficulty = found.stability, found.difficulty
    mistake.answered_at, mistake.due = now, found.due
