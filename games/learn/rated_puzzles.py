"""Rated puzzles: which one a player gets, and what an attempt does to both ratings.

An attempt is stored when its puzzle is shown, and no one gets a puzzle twice: so neither a reload
nor a second tab is a second try. The answer is judged here and sent only afterwards. A guest has a
rating, too, but doesn't move those of the puzzles.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.analysis.review import Item
from games.analysis.review_verdicts import SOUND
from games.engine.cards import Card, CardError, card_names, parse_cards
from games.engine.scoring import MAX_HAND
from games.learn import puzzle_positions as positions
from games.learn.glicko import Glicko, after
from games.learn.puzzle_themes import KINDS, THEMES
from games.learn.reviews import judge_answer
from games.models import Player, PuzzleAttempt, PuzzleRating, RatedPuzzle, Storm
from games.ops import true_time
from games.people.player_lock import LoggedOut, locked_player

COUNT_LIMIT = timedelta(seconds=30)
"""Time to count a hand."""
GRACE = timedelta(seconds=2)
"""Time that an answer may spend on its way."""

BANDS = (100.0, 250.0, 600.0, 5000.0)
"""The distances from the wanted rating that are tried in turn, until one has puzzles."""

HISTORY = 100
"""Attempts in the history."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """An answer in its stored form, whether it is right, and the right cards, if it is cards."""

    text: str
    solved: bool
    best: str = ""


class NotPoints(ValueError):
    """An answer to a hand to count that is no number of points; it is quoted."""


def is_filter(only: str) -> bool:
    """Whether this names a kind or a theme."""
    return only in KINDS or only in THEMES


def rating_of(*, player: Player | None) -> PuzzleRating | None:
    """Return a player's rating at puzzles; None before the first attempt."""
    return None if player is None else PuzzleRating.objects.filter(player=player).first()


def next_attempt(*, player: Player, only: str = "") -> PuzzleAttempt | None:
    """Return the player's open attempt, or show them a new puzzle near their rating.

    ``only`` names a kind or a theme. Without it every kind but hands to count is asked, as those
    have a clock. Returns None if the player has tried all of them.
    """
    with locked_player(player):  # no two pages of a player show a puzzle at once
        opened = PuzzleAttempt.objects.filter(
            player=player, answered_at=None, storm=None, puzzle__in=_puzzles(only)
        )
        own = rating_of(player=player)
        near = own.rating if own else Glicko().rating
        return opened.order_by("pk").first() or show(player=player, near=near, only=only)


def show(
    *, player: Player, near: float, only: str = "", storm: Storm | None = None
) -> PuzzleAttempt | None:
    """Store an attempt at an unseen puzzle near a rating; None if no puzzle is left.

    The player is locked.
    """
    tried = PuzzleAttempt.objects.filter(player=player, puzzle=OuterRef("pk"))
    rows = (RatedPuzzle.objects.all() if storm else _puzzles(only)).exclude(Exists(tried))
    for band in BANDS:
        within = rows.filter(rating__gte=near - band, rating__lte=near + band)
        keys = list(within.values_list("pk", flat=True))
        if keys:
            return PuzzleAttempt.objects.create(
                player=player,
                puzzle_id=secrets.choice(keys),
                storm=storm,
                shown_at=true_time.now(),
            )
    return None


def _puzzles(only: str) -> QuerySet[RatedPuzzle]:
    if only in KINDS:
        return RatedPuzzle.objects.filter(kind=only)
    if only in THEMES:
        return RatedPuzzle.objects.filter(theme=only)
    return RatedPuzzle.objects.exclude(kind="count")


def attempt_of(*, pk: int, player: Player | None) -> PuzzleAttempt | None:
    """Return one of a player's own attempts; None if it does not exist or is someone else's."""
    if player is None:
        return None
    return PuzzleAttempt.objects.filter(pk=pk, player=player).select_related("puzzle").first()


def ends_at(attempt: PuzzleAttempt) -> datetime | None:
    """Return until when the answer is taken; None without a clock of its own."""
    if attempt.storm_id is not None or attempt.puzzle.kind != "count":
        return None
    return attempt.shown_at + COUNT_LIMIT


def is_late(attempt: PuzzleAttempt) -> bool:
    """Whether the time for an answer has passed."""
    end = ends_at(attempt)
    return end is not None and true_time.now() > end + GRACE


def answer(*, attempt: PuzzleAttempt, words: list[str]) -> PuzzleAttempt:
    """Judge an answer (names of cards, or a number of points) and rate it; only the first counts.

    A late answer is a miss.

    Raises:
        Refused: ``wrong_number`` or ``not_your_card`` if the cards cannot be thrown or played.
        NotPoints: if a hand is counted with anything but a number from 0 to 29.
    """
    return store_answer(attempt=attempt, judgement=judge(attempt=attempt, words=words))


def judge(*, attempt: PuzzleAttempt, words: list[str]) -> Judgement:
    """Judge an answer without storing it; outside transactions, as a first call takes seconds.

    Raises:
        Refused, NotPoints: as `answer` does.
    """
    return Judgement("", False) if is_late(attempt) else _judged(attempt.puzzle, words)


def store_answer(*, attempt: PuzzleAttempt, judgement: Judgement) -> PuzzleAttempt:
    """Store a judged answer and rate it; only the first counts.

    Raises:
        LoggedOut: if a guest has logged in meanwhile to an account that knows the puzzle.
    """
    with transaction.atomic():
        row = PuzzleAttempt.objects.select_for_update().filter(pk=attempt.pk).first()
        if row is None:
            raise LoggedOut
        if row.answered_at is not None:
            return row
        row.answered_at = true_time.now()
        row.answer, row.solved, row.best = judgement.text, judgement.solved, judgement.best
        if row.storm_id is None:
            _rate(row)
        row.save()
    return row


def judged(attempt: PuzzleAttempt) -> Item | None:
    """Return the judgement on an answer with cards; None for a count or a late answer."""
    if not attempt.answer or positions.is_counted(attempt.puzzle.position):
        return None
    return _item_of(attempt.puzzle.position, parse_cards(attempt.answer))


def history(*, player: Player) -> list[PuzzleAttempt]:
    """Return a player's last rated attempts, newest first."""
    rows = PuzzleAttempt.objects.filter(player=player, storm=None, answered_at__isnull=False)
    return list(rows.select_related("puzzle").order_by("-answered_at", "-pk")[:HISTORY])


def number_of(attempt: PuzzleAttempt) -> int:
    """Return the number of a rated attempt among its player's, from 1; 0 if it has no rating."""
    if attempt.rating is None or attempt.answered_at is None:
        return 0
    rated = PuzzleAttempt.objects.filter(player=attempt.player_id, rating__isnull=False)
    earlier = Q(answered_at__lt=attempt.answered_at)
    at_once = Q(answered_at=attempt.answered_at, pk__lte=attempt.pk)
    return rated.filter(earlier | at_once).count()


def _judged(puzzle: RatedPuzzle, words: list[str]) -> Judgement:
    if positions.is_counted(puzzle.position):
        points = _points("".join(words))
        return Judgement(str(points), points == positions.breakdown(puzzle.position).total)
    cards = _cards(words)
    item = _item_of(puzzle.position, tuple(sorted(cards)))
    best = card_names(item.options[0].cards)
    return Judgement(card_names(item.chosen), item.verdict in SOUND, best)


@lru_cache(maxsize=1024)
def _item_of(position: str, cards: tuple[Card, ...]) -> Item:
    """Return the judgement on an answer; kept, as its result follows."""
    return judge_answer(view=positions.view_of(position), cards=cards)


def _points(word: str) -> int:
    word = word.strip()
    if not (word.isascii() and word.isdecimal() and len(word) <= 2 and int(word) <= MAX_HAND):
        raise NotPoints(word)
    return int(word)


def _cards(words: list[str]) -> tuple[Card, ...]:
    """Return the cards of an answer; none if any is invalid, so that it is refused."""
    try:
        return parse_cards(" ".join(words))
    except CardError:
        return ()


def _rate(attempt: PuzzleAttempt) -> None:
    """Move both ratings. The rows are locked in one order: attempt, player, puzzle."""
    first = Glicko()
    PuzzleRating.objects.get_or_create(
        player_id=attempt.player_id,
        defaults={
            "rating": first.rating,
            "deviation": first.deviation,
            "volatility": first.volatility,
        },
    )
    own = PuzzleRating.objects.select_for_update().get(player_id=attempt.player_id)
    puzzle = RatedPuzzle.objects.select_for_update().get(pk=attempt.puzzle_id)
    score = 1.0 if attempt.solved else 0.0
    before, theirs = _glicko(own), _glicko(puzzle)
    now = after(before, theirs, score)
    _keep(own, now)
    own.attempts += 1
    own.solved += bool(attempt.solved)
    own.streak = own.streak + 1 if attempt.solved else 0
    own.best_streak = max(own.best_streak, own.streak)
    own.save()
    if attempt.player.is_person:
        _keep(puzzle, after(theirs, before, 1.0 - score))
        puzzle.save(update_fields=["rating", "deviation", "volatility"])
    attempt.rating, attempt.change = now.rating, now.rating - before.rating


def _glicko(row: PuzzleRating | RatedPuzzle) -> Glicko:
    return Glicko(row.rating, row.deviation, row.volatility)


def _keep(row: PuzzleRating | RatedPuzzle, now: Glicko) -> None:
    row.rating, row.deviation, row.volatility = now.rating, now.deviation, now.volatility
