"""Answers of the analysis board: computed in a thread of their own, once for each position.

An answer has no words, so that readers of all languages share it. Each process keeps its own; they
hold cards, so they stay out of the shared cache.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from threading import Lock

from games.analysis import discards, plays, three, three_exact
from games.analysis.discard_value import DiscardValue
from games.analysis.positions import hidden_from, play_position
from games.engine.cards import PIPS, RANK, Card
from games.engine.pegging import LIMIT, score_play
from games.engine.scoring import Part
from games.engine.view import View
from games.learn.analysis_board import Position, view_of
from games.people import limits

WORKERS = 1
"""Number of threads; computers at tables have their own."""

MOST_WAITING = 32
"""Highest number of positions waiting in this process; later ones are asked for again."""

KEPT = 512
"""Number of answers kept in memory."""

PATIENCE = 1.0
"""Seconds that a request waits for its answer before the page is told to ask again."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The next player's answers to a card: ``spread[points]`` counts the hidden cards."""

    spread: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One throw or card with its value for the deciding seat.

    Attributes:
        cards: the cards thrown, or the card played.
        points: expected points less the opponent's (less half of two opponents').
        chance: chance to win the game.
        throw: the parts of a throw; None for a card.
        made: what a card scores at once.
        reply: what hidden cards would score on it; None for a throw, or if no one can answer.
    """

    cards: tuple[Card, ...]
    points: float
    chance: float
    throw: DiscardValue | None = None
    made: tuple[Part, ...] = ()
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """All choices of a position, best first; ``by_chance`` says what orders them."""

    position: Position
    choices: tuple[Choice, ...]
    by_chance: bool


class Answers:
    """Computes and keeps the answers of this process.

    Args:
        compute: returns the answer to a position.
    """

    def __init__(self, compute: Callable[[Position], Answer]) -> None:
        self._compute = compute
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="analysis")
        self._lock = Lock()
        self._found: OrderedDict[Position, Future[Answer]] = OrderedDict()
        self._asked: dict[str, Position] = {}

    def ask(
        self,
        position: Position,
        *,
        who: str,
        prepare: Callable[[], object] | None = None,
        patience: float = PATIENCE,
    ) -> Answer | None:
        """Return the answer to a position; None while it is being computed.

        Only the newest position of ``who`` waits for the engine; the one before it is dropped if
        its turn has not come yet.

        Args:
            position: a position that has been checked.
            who: identifies the reader, for the limit.
            prepare: called by the thread first; returns once the engine is ready.
            patience: seconds to wait here.

        Raises:
            TooOften: if the reader has asked for too many new positions.
        """
        task = self._task(position, who, prepare)
        if task is None:
            return None
        try:
            return task.result(timeout=patience)
        except (NotYet, CancelledError):
            return None

    def _task(
        self, position: Position, who: str, prepare: Callable[[], object] | None
    ) -> Future[Answer] | None:
        with self._lock:
            known = self._found.get(position)
            if known is not None:
                self._found.move_to_end(position)
                return known
        limits.consume(limits.named("analyses"), who)
        with self._lock:
            self._drop(who)
            if sum(not task.done() for task in self._found.values()) >= MOST_WAITING:
                return None
            task = self._threads.submit(self._work, position, prepare)
            self._found[position] = task
            self._asked[who] = position
            while len(self._found) > KEPT:
                self._found.popitem(last=False)
        task.add_done_callback(lambda done: self._done(position, who, done))
        return task

    def _drop(self, who: str) -> None:
        """Cancel the position of ``who`` that still waits, unless it is being computed."""
        before = self._asked.pop(who, None)
        task = None if before is None else self._found.get(before)
        if before is not None and task is not None and not task.done() and task.cancel():
            self._found.pop(before, None)

    def _work(self, position: Position, prepare: Callable[[], object] | None) -> Answer:
        if prepare is not None:
            prepare()
        return self._compute(position)

    def _done(self, position: Position, who: str, task: Future[Answer]) -> None:
        if task.cancelled():
            return  # by `_drop`, which holds the lock and has removed it
        with self._lock:
            if self._asked.get(who) == position:
                del self._asked[who]
            if task.exception() is not None:
                self._found.pop(position, None)


def answer_to(position: Position) -> Answer:
    """Return all choices of a position with their values, best first."""
    view = view_of(position)
    by_chance = position.players == 2 or max(three.scores_by_role(view)) >= three.NEAR_END
    choices = _throws(position, view) if position.throws else _plays(position, view)

    def worth(one: Choice) -> tuple[float, float, tuple[Card, ...]]:
        first, second = (one.chance, one.points) if by_chance else (one.points, one.chance)
        return -round(first, 9), -round(second, 9), one.cards

    return Answer(position, tuple(sorted(choices, key=worth)), by_chance)


def _throws(position: Position, view: View) -> list[Choice]:
    if position.players == 2:
        found: Sequence[DiscardValue] = discards.evaluate_discards(
            position.cards,
            "dealer" if position.dealer == 0 else "pone",
            position.scores,
            target=position.target,
            known=position.seen,
        )
    else:
        found = _throws_of_three(position, view)
    return [Choice(one.thrown, one.total, one.chance, throw=one) for one in found]


def _throws_of_three(position: Position, view: View) -> list[DiscardValue]:
    cards = tuple(sorted(position.cards))
    role = three.role_of(0, position.dealer)
    averages, spreads, won = three_exact.value_throws(view, position.seen)
    points = three.totals(averages, role)
    return three.discard_values(cards, averages, spreads, points, won)


def _plays(position: Position, view: View) -> list[Choice]:
    cards = {RANK[card]: card for card in sorted(view.legal.cards, reverse=True)}
    if position.players == 3:
        ranks, values = three_exact.rate(view, position.seen)
    else:
        at = play_position(view, position.seen)
        ranks, values = at.legal.tolist(), plays.rate(at, plays.MOST_HANDS)
    hidden = hidden_from(view, position.seen)
    return [
        Choice(
            (cards[int(rank)],),
            float(points),
            float(chance),
            made=score_play(_pile(view, cards[int(rank)])),
            reply=_reply(view, cards[int(rank)], hidden),
        )
        for rank, (points, chance) in zip(ranks, values, strict=True)
    ]


def _pile(view: View, card: Card) -> tuple[Card, ...]:
    return (*(other for _seat, other in view.pile), card)


def _reply(view: View, card: Card, hidden: Sequence[Card]) -> Reply | None:
    """Return what each hidden card would score on ``card``; 0 for those that do not fit."""
    count = view.count + PIPS[card]
    others = [seat for seat in range(view.ruleset.players) if seat != view.seat]
    if count == LIMIT or not any(view.hand_sizes[seat] and not view.gos[seat] for seat in others):
        return None
    pile = _pile(view, card)
    spread = [0] * 13
    for other in hidden:
        fits = count + PIPS[other] <= LIMIT
        points = sum(part.points for part in score_play((*pile, other))) if fits else 0
        spread[min(points, 12)] += 1
    return Reply(tuple(spread))


answers = Answers(answer_to)
"""The answers of this process."""
