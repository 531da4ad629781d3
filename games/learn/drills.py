"""Drills: a player's own mistakes as questions, repeated at growing intervals."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from games.analysis.reasons import Habit
from games.analysis.review import VERSION, Item
from games.analysis.review_verdicts import SOUND
from games.engine.cards import Card
from games.engine.moves import Discard, Play, parse_move
from games.engine.rules import fold
from games.engine.state import Ruleset
from games.engine.view import View, view_for
from games.learn import repetition
from games.learn.habits import of_habit
from games.learn.reviews import judge_answer
from games.log import store
from games.models import Match, Mistake, Player, Review, Seat
from games.ops import true_time

LOOKED_AT = 10
"""Number of a player's newest matches to search for one without a review."""


@dataclass(frozen=True, slots=True)
class Question:
    """A mistake, with the player's view at the time and their choice."""

    mistake: Mistake
    view: View
    then: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """A player's progress with drills: numbers of questions in all, due today, and mastered."""

    number: int
    due: int
    known: int


def score(*, player: Player, habit: Habit | None = None) -> Score:
    """Return a player's progress with drills, or with those of one habit."""
    rows = of_habit(_mistakes_of(player), habit)
    return Score(
        rows.count(),
        rows.filter(_is_due()).count(),
        rows.filter(stability__gte=repetition.KNOWN_DAYS).count(),
    )


def number_due(*, player: Player) -> int:
    """Return the number of a player's questions that are due today."""
    return _mistakes_of(player).filter(_is_due()).count()


def next_due(*, player: Player, habit: Habit | None = None) -> Mistake | None:
    """Return the question (of a habit) that has been due for longest; None if none is due."""
    rows = of_habit(_mistakes_of(player), habit)
    return rows.filter(_is_due()).order_by("due", "pk").first()


def next_time(*, player: Player, habit: Habit | None = None) -> datetime | None:
    """Return from when the next question (of a habit) is asked; None without questions."""
    rows = of_habit(_mistakes_of(player), habit).order_by("due")
    after_days = rows.filter(state=repetition.IN_REVIEW).first()
    first = [after_days, rows.exclude(state=repetition.IN_REVIEW).first()]
    return min((repetition.asked_from(row) for row in first if row is not None), default=None)


def mistake_of(*, pk: int, player: Player) -> Mistake | None:
    """Return one of a player's own mistakes; None if it does not exist or is someone else's."""
    return _mistakes_of(player).filter(pk=pk).select_related("seat__match").first()


def question(*, mistake: Mistake) -> Question:
    """Return a mistake as a question, with the view of its seat before the decision."""
    match = mistake.seat.match
    entries = store.whole(match.pk)
    before = [parse_move(entry.text) for entry in entries[: mistake.sequence]]
    state = fold(Ruleset.from_dict(match.ruleset), before)
    made = parse_move(entries[mistake.sequence].text)
    then = made.cards if isinstance(made, Discard) else ()
    if isinstance(made, Play):
        then = (made.card,)
    return Question(mistake, view_for(state, mistake.seat.seat), tuple(sorted(then)))


def answer(*, asked: Question, cards: tuple[Card, ...]) -> Item:
    """Judge an answer; if the question was due today, schedule the next repetition.

    Raises:
        Refused: ``wrong_number`` or ``not_your_card`` if the cards cannot be discarded or played.
    """
    found = judge_answer(view=asked.view, cards=cards)
    with transaction.atomic():
        rows = Mistake.objects.select_for_update()
        mistake = rows.filter(_is_due(), pk=asked.mistake.pk).first()
        if mistake is not None:
            well = found.verdict in SOUND
            repetition.note_answer(mistake, right=well, now=true_time.now())
            mistake.asked += 1
            mistake.right += well
            mistake.save(update_fields=[*repetition.FIELDS, "asked", "right"])
    asked.mistake.refresh_from_db(fields=[*repetition.FIELDS, "asked", "right"])
    return found


def without_review(*, player: Player) -> list[int]:
    """Return the primary keys of a player's newest matches that have no review."""
    rows = _finished(player).order_by("-match_id")
    newest = list(rows.values_list("match_id", flat=True)[:LOOKED_AT])
    done = Review.objects.filter(match__in=newest, version=VERSION).exclude(
        status=Review.Status.WORKING
    )
    reviewed = set(done.values_list("match_id", flat=True))
    return [match for match in newest if match not in reviewed]


def has_finished_a_match(player: Player) -> bool:
    """Return whether a player has a match in which mistakes could be found."""
    return _finished(player).exists()


def _finished(player: Player) -> QuerySet[Seat]:
    return Seat.objects.filter(player=player, computer=False, match__status=Match.Status.FINISHED)


def _is_due() -> Q:
    """Return the condition of being due: today (UTC) for what comes after days, else by now."""
    now = true_time.now()
    tomorrow = datetime.combine(now.astimezone(UTC).date(), time(), tzinfo=UTC) + timedelta(days=1)
    later = Q(state=repetition.IN_REVIEW, due__lt=tomorrow)
    return later | Q(due__lte=now)


def _mistakes_of(player: Player) -> QuerySet[Mistake]:
    return Mistake.objects.filter(seat__player=player, seat__computer=False)
