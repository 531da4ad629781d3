"""A player's own mistakes asked again, further and further apart once they are answered well."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from games import store
from games.analysis.review import VERSION, Item
from games.analysis.review_verdicts import SOUND
from games.engine.cards import Card
from games.engine.moves import Discard, Play, parse_move
from games.engine.rules import fold
from games.engine.state import Ruleset
from games.engine.view import View, view_for
from games.models import Match, Mistake, Player, Review, Seat
from games.services.reviews import judged

PAUSES = (
    timedelta(minutes=10),
    timedelta(days=1),
    timedelta(days=3),
    timedelta(days=8),
    timedelta(days=21),
    timedelta(days=60),
)
"""When a mistake is asked again, by how often in a row it has been answered well."""

LOOKED_AT = 10
"""The newest matches of a player among which one without a review is looked for."""


@dataclass(frozen=True, slots=True)
class Question:
    """A mistake with what its player could see, and what he did then."""

    mistake: Mistake
    view: View
    then: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How a player's drills stand: questions in all, those due now, those that sit."""

    number: int
    due: int
    known: int


def score(*, player: Player) -> Score:
    """Return how a player's drills stand."""
    rows = _of(player)
    return Score(
        rows.count(),
        rows.filter(due__lte=timezone.now()).count(),
        rows.filter(box__gte=len(PAUSES) - 2).count(),
    )


def next_due(*, player: Player) -> Mistake | None:
    """Return the question to ask next, the longest due first; None where nothing is due."""
    return _of(player).filter(due__lte=timezone.now()).order_by("due", "pk").first()


def next_time(*, player: Player) -> datetime | None:
    """Return when the next question is due; None where there is none at all."""
    return _of(player).order_by("due").values_list("due", flat=True).first()


def mistake_of(*, pk: int, player: Player) -> Mistake | None:
    """Return one of a player's own mistakes; None for another's, or where there is none."""
    return _of(player).filter(pk=pk).select_related("seat__match").first()


def question(*, mistake: Mistake) -> Question:
    """Return a mistake as a question: the view of its seat before the decision."""
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
    """Judge an answer; where the question was due, note when to ask it next.

    Raises:
        Refused: ``wrong_number`` or ``not_your_card`` where this cannot be thrown or played.
    """
    found = judged(view=asked.view, cards=cards)
    mistake, now = asked.mistake, timezone.now()
    if mistake.due <= now:
        well = found.verdict in SOUND
        mistake.box = min(mistake.box + 1, len(PAUSES) - 1) if well else 0
        mistake.due = now + PAUSES[mistake.box]
        mistake.asked += 1
        mistake.right += well
        mistake.save(update_fields=["box", "due", "asked", "right"])
    return found


def without_review(*, player: Player) -> list[int]:
    """Return the primary keys of those of a player's newest matches that nobody has reviewed."""
    finished = Seat.objects.filter(
        player=player, computer=False, match__status=Match.Status.FINISHED
    )
    newest = list(finished.order_by("-match_id").values_list("match_id", flat=True)[:LOOKED_AT])
    done = Review.objects.filter(match__in=newest, version=VERSION).exclude(
        status=Review.Status.WORKING
    )
    reviewed = set(done.values_list("match_id", flat=True))
    return [match for match in newest if match not in reviewed]


def _of(player: Player) -> QuerySet[Mistake]:
    return Mistake.objects.filter(seat__player=player, seat__computer=False)
