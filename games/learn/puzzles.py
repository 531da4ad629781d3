"""The daily discard puzzle: drawn at random on its day, answered once by each player."""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, timedelta

from django.db import IntegrityError, transaction

from games.analysis.review import options, throw_view
from games.engine.cards import NAMES, PACK, Card, parse_cards
from games.engine.view import View
from games.learn.reviews import judge_answer
from games.models import Player, Puzzle, PuzzleAnswer
from games.ops import true_time
from games.people.player_lock import locked_player

CLOSE, CLEAR = 0.002, 0.03
"""Minimum and maximum loss of the second-best discard, in chance to win."""

TRIES = 200
"""Deals to try for a suitable puzzle; if none is suitable, the last is used."""

MOST_SCORE = 112
"""Highest score in a puzzle."""

GAP = 30
"""Maximum number of missed days that get a puzzle later, so that the archive has no gaps."""

ARCHIVE = 30
"""Days per page of the archive."""

_random = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class PastDay:
    """A day in the archive; ``verdict`` is that on the reader's answer, "" without one."""

    day: date
    verdict: str


def today() -> date:
    """Return the date in UTC, so that the day begins at the same moment for everyone."""
    return true_time.now().astimezone(UTC).date()


def puzzle_of(*, day: date) -> Puzzle | None:
    """Return a day's puzzle, drawing it if necessary; None for future days and very old ones."""
    found = Puzzle.objects.filter(day=day).first()
    if found is not None or day > today() or day < today() - timedelta(days=GAP):
        return found
    newest = Puzzle.objects.order_by("-day").first()
    if day != today() and (newest is None or day < newest.day):
        return None
    if newest is not None:
        missed = min(GAP, (today() - newest.day).days) - 1
        for back in range(missed, 0, -1):
            _draw(today() - timedelta(days=back))
    _draw(today())
    return Puzzle.objects.filter(day=day).first()


def view_of(puzzle: Puzzle) -> View:
    """Return the view of the player who has to discard."""
    cards = parse_cards(puzzle.cards)
    return throw_view(cards, dealer=puzzle.dealer, scores=(puzzle.own, puzzle.other))


def answer(*, puzzle: Puzzle, player: Player, cards: tuple[Card, ...]) -> PuzzleAnswer:
    """Store a player's answer; only the first one counts.

    Raises:
        Refused: ``wrong_number`` or ``not_your_card`` if these are not two of the puzzle's cards.
        LoggedOut: if the account was deleted, or the guest logged in to one, meanwhile.
    """
    thrown = judge_answer(view=view_of(puzzle), cards=cards)
    with locked_player(player):
        row, _made = PuzzleAnswer.objects.get_or_create(
            puzzle=puzzle,
            player=player,
            defaults={
                "thrown": " ".join(NAMES[card] for card in thrown.chosen),
                "verdict": thrown.verdict,
                "in_time": puzzle.day == today(),
            },
        )
    return row


def answer_of(*, puzzle: Puzzle, player: Player | None) -> PuzzleAnswer | None:
    """Return a player's answer, or None."""
    return None if player is None else puzzle.answers.filter(player=player).first()


def has_answered_today(*, player: Player) -> bool:
    """Return whether a player has answered the puzzle of today."""
    return PuzzleAnswer.objects.filter(player=player, puzzle__day=today()).exists()


def shares(*, puzzle: Puzzle) -> tuple[dict[str, float], int]:
    """Return the percentage of answers for each discard, and the number of answers."""
    counted = Counter(puzzle.answers.values_list("thrown", flat=True))
    number = sum(counted.values())
    return {thrown: 100.0 * times / number for thrown, times in counted.items()}, number


def streak(*, player: Player | None) -> int:
    """Return the number of consecutive days, up to today, with an answer on the day itself.

    Yesterday's answer keeps a streak alive until today is over.
    """
    if player is None:
        return 0
    days = set(
        PuzzleAnswer.objects.filter(player=player, in_time=True).values_list(
            "puzzle__day", flat=True
        )
    )
    day = today() if today() in days else today() - timedelta(days=1)
    length = 0
    while day in days:
        length += 1
        day -= timedelta(days=1)
    return length


def archive(*, player: Player | None, before: date) -> list[PastDay]:
    """Return the days with a puzzle before ``before``, newest first."""
    days = list(Puzzle.objects.filter(day__lt=before).values_list("day", flat=True)[:ARCHIVE])
    own: dict[date, str] = {}
    if player is not None:
        rows = PuzzleAnswer.objects.filter(player=player, puzzle__day__in=days)
        own = dict(rows.values_list("puzzle__day", "verdict"))
    return [PastDay(day, own.get(day, "")) for day in days]


def _draw(day: date) -> None:
    """Draw a day's puzzle, unless another process does so first."""
    cards, dealer, own, other = _random_question()
    for _ in range(TRIES):
        ranked = options(throw_view(cards, dealer=dealer, scores=(own, other)))
        if CLOSE <= ranked[0].chance - ranked[1].chance <= CLEAR:
            break
        cards, dealer, own, other = _random_question()
    names = " ".join(NAMES[card] for card in cards)
    try:
        with transaction.atomic():
            Puzzle.objects.create(day=day, cards=names, dealer=dealer, own=own, other=other)
    except IntegrityError:
        return


def _random_question() -> tuple[tuple[Card, ...], bool, int, int]:
    cards = tuple(sorted(_random.sample(PACK, 6)))
    scores = _random.randint(0, MOST_SCORE), _random.randint(0, MOST_SCORE)
    return cards, bool(_random.getrandbits(1)), *scores
