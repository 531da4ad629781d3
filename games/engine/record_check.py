"""The derived values of a game record: writing them, and comparing them with a given record.

A record may omit derived values or set them to null; that is not a difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

from games.engine.cards import NAMES
from games.engine.events import Counted, CountEnded, Heels, Mugged, Played, StarterCut
from games.engine.faults import EngineError, quoted
from games.engine.record_shape import Mapping, cards, items
from games.engine.state import Hand, State

_PLAY = ("seat", "card", "count", "points", "go")


@dataclass(frozen=True, slots=True)
class RecordEvent:
    """An event of a hand, or of the end of a game, as a position in its record.

    Attributes:
        kind: such as ``deal``, ``discard``, ``play``, ``show`` or ``end``.
        number: which one of its kind, from 1; for a discard the seat, from 0; None if there is
            only one, or all are meant.
    """

    kind: str
    number: int | None = None

    def __str__(self) -> str:
        """Return the position in English, such as ``play 4``."""
        if self.number is None:
            return self.kind
        return (
            f"{self.kind} of seat {self.number}"
            if self.kind == "discard"
            else (f"{self.kind} {self.number}")
        )


_Fact = tuple[RecordEvent, str, Any, Any]
"""Event, field, derived value, value in the record (None if it has none)."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A mismatch between a record and the value derived from its moves.

    Attributes:
        hand: the number of the hand, from 1; None at the end of the game.
        event: the event in the hand.
        field: the field of the event.
        expected: the value derived from the moves.
        found: the value in the record; None if its list is too short.
    """

    hand: int | None
    event: RecordEvent
    field: str
    expected: Any
    found: Any

    def error(self) -> EngineError:
        """Return the difference as an error."""
        found, expected = quoted(self.found), quoted(self.expected)
        if self.found is None:
            return EngineError("differs.missing", place=self.field, expected=expected)
        if self.expected is None and self.field == "winner":
            return EngineError("differs.unfinished", place=self.field, found=found)
        if self.expected is None:
            return EngineError("differs.surplus", place=self.field, found=found)
        return EngineError("differs", place=self.field, expected=expected, found=found)

    def __str__(self) -> str:
        """Return the difference as a sentence in English."""
        where = str(self.event) if self.hand is None else f"hand {self.hand}, {self.event}"
        return f"{where}: {self.error().detail}"


def running_scores(hand: Hand) -> list[tuple[int, ...]]:
    """Return the scores of all seats after each event of the hand.

    Events are the starter (with his heels), each card played (with the point for go or last card),
    each item of the show and each muggins. A hand whose starter has not been cut has none.
    """
    return [scores for _, scores in _rows(hand)]


def write_hand(hand: Hand) -> dict[str, Any]:
    """Return the record of a hand, derived fields included."""
    plays: list[list[Any]] = []
    show: list[list[Any]] = []
    heels = 0
    for event in hand.events:
        match event:
            case Heels(points=points):
                heels = points
            case Played(seat=seat, card=card, count=count, points=points):
                plays.append([seat, NAMES[card], count, points, 0])
            case CountEnded(points=points):
                plays[-1][4] = points
            case Counted(seat=seat, item=item, points=points):
                show.append([seat, item, points])
    return {
        "dealer": hand.dealer,
        "dealt": [_names(cards) for cards in hand.dealt],
        "crib_card": None if hand.crib_card is None else NAMES[hand.crib_card],
        "discards": [_names(cards) for cards in hand.discards],
        "crib": _names(hand.crib) if all(hand.discards) else None,
        "starter": None if hand.starter is None else NAMES[hand.starter],
        "heels": heels,
        "plays": plays,
        "show": show,
        "scores": [list(scores) for scores in running_scores(hand)],
    }


def write_end(state: State) -> dict[str, Any]:
    """Return the winner and final scores of the game; both are None while it is in progress."""
    if len(state.results) < state.game:
        return {"winner": None, "final": None}
    result = state.results[-1]
    return {"winner": result.winner, "final": list(result.scores)}


def hand_difference(number: int, record: Mapping, hand: Hand) -> Difference | None:
    """Return the first mismatch between ``record`` and the derived values of the hand.

    Raises:
        ShapeError: if a derived field that must be a list is not a list.
    """
    for event, field, expected, found in chain(_start_facts(record, hand), _facts(record, hand)):
        if expected != found:
            return Difference(number, event, field, expected, found)
    return None


def end_difference(record: Mapping, state: State) -> Difference | None:
    """Return a mismatch in the winner or the final scores."""
    expected = {**write_end(state), "final": list(state.scores)}
    for field, value in expected.items():
        found = record.get(field)
        if found not in (None, value):
            return Difference(None, RecordEvent("end"), field, value, found)
    return None


def _rows(hand: Hand) -> list[tuple[RecordEvent, tuple[int, ...]]]:
    """Return each event of `running_scores` with its name."""
    rows: list[tuple[RecordEvent, tuple[int, ...]]] = []
    seen = {"play": 0, "show": 0, "muggins": 0}

    def add(kind: str, scores: tuple[int, ...]) -> None:
        seen[kind] += 1
        rows.append((RecordEvent(kind, seen[kind]), scores))

    for event in hand.events:
        match event:
            case StarterCut():
                rows.append((RecordEvent("starter"), hand.before))
            case Heels(scores=scores) | CountEnded(scores=scores):
                rows[-1] = (rows[-1][0], scores)
            case Played(scores=scores):
                add("play", scores)
            case Counted(scores=scores):
                add("show", scores)
            case Mugged(points=points, scores=scores) if points:
                add("muggins", scores)
    return rows


def _start_facts(record: Mapping, hand: Hand) -> Iterator[_Fact]:
    crib = record.get("crib")
    if crib is not None:
        expected = sorted(_names(hand.crib)) if all(hand.discards) else None
        yield (
            RecordEvent("discard"),
            "crib",
            expected,
            sorted(_names(cards(crib, "crib"))),
        )
    heels = record.get("heels")
    if heels is not None:
        yield RecordEvent("starter"), "heels", write_hand(hand)["heels"], heels


def _facts(record: Mapping, hand: Hand) -> Iterator[_Fact]:
    """Yield the facts of each event in the order of play: its own values, then the scores."""
    derived = write_hand(hand)
    details = _play_facts(record, derived["plays"]) | _show_facts(record, derived["show"])
    found = record.get("scores")
    given = None if found is None else items(found, "scores")
    for at, (event, scores) in enumerate(_rows(hand)):
        yield from details.pop(event, ())
        if given is not None:
            yield event, "scores", list(scores), given[at] if at < len(given) else None
    yield from chain.from_iterable(details.values())
    if given is not None and len(given) > len(derived["scores"]):
        at = len(derived["scores"])
        yield RecordEvent("scores", at + 1), "scores", None, given[at]


def _play_facts(record: Mapping, derived: list[list[Any]]) -> dict[RecordEvent, list[_Fact]]:
    """Return each event's facts; with automatic counting, seat and card are not derived."""
    found = record.get("plays")
    if found is None:
        return {}
    first = 0 if "log" in record else 2
    facts: dict[RecordEvent, list[_Fact]] = {}
    for number, (play, given) in enumerate(zip_longest(derived, items(found, "plays")), start=1):
        event = RecordEvent("play", number)
        if play is None or given is None:
            facts[event] = [(event, "play", play, given)]
            continue
        values = list(zip(_PLAY, play, items(given, f"plays[{number - 1}]"), strict=False))
        facts[event] = [
            (event, field, value, got) for field, value, got in values[first:] if got is not None
        ]
    return facts


def _show_facts(record: Mapping, derived: list[list[Any]]) -> dict[RecordEvent, list[_Fact]]:
    found = record.get("show")
    if found is None:
        return {}
    pairs = enumerate(zip_longest(derived, items(found, "show")), start=1)
    events = [(RecordEvent("show", number), pair) for number, pair in pairs]
    return {event: [(event, "show", *pair)] for event, pair in events}


def _names(cards: tuple[int, ...]) -> list[str]:
    return [NAMES[card] for card in cards]
