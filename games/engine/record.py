"""Game records: reading and writing one game as a JSON object.

A record is a score sheet: dealer, cards dealt, discarded, cut and played, hand by hand. Points,
scores and the winner are derived; those in a record are compared with the derived values
(`games.engine.record_check`). Some games need more fields:

    ``rules``        the ruleset's fields that differ from the default (counting, muggins ...)
    ``hands[].log``  manual counting: the moves after the starter as text, claims included;
                     ``plays`` then only repeats its cards
    ``resigned``     the seat that resigned the game

Cards are written like ``5H``; suits are also read as signs, as in ``5♥``. Reading accepts any JSON
value; it returns a `GameRecord` or raises `RecordError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from games.engine import record_shape as shape
from games.engine.events import GameWon
from games.engine.faults import EngineError, quoted
from games.engine.illegal import IllegalMove
from games.engine.moves import (
    Claim,
    Cut,
    Deal,
    Discard,
    Move,
    MoveError,
    Muggins,
    Pass,
    Play,
    Resign,
    Starter,
    parse_move,
    to_text,
)
from games.engine.record_check import (
    Difference,
    RecordEvent,
    end_difference,
    hand_difference,
    running_scores,
    write_end,
    write_hand,
)
from games.engine.record_shape import ShapeError
from games.engine.rules import apply, start
from games.engine.state import Hand, Phase, Ruleset, RulesetError, State

_RULES = ("counting", "muggins", "skunks", "double_skunk", "scores")


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game read from a record.

    Attributes:
        ruleset: its rules: a match of one game with a known first dealer.
        moves: chance and decisions, as a log.
        state: the state after ``moves``.
        scores: the scores of all seats after each event: the starter, each card played (with the
            point for go or last card), each item of the show, each muggins.
        difference: the first mismatch with a derived value; None if there is none.
    """

    ruleset: Ruleset
    moves: tuple[Move, ...]
    state: State
    scores: tuple[tuple[int, ...], ...]
    difference: Difference | None


class RecordError(EngineError, ValueError):
    """A malformed record, or a game that the rules do not allow.

    Attributes:
        hand: the hand with the error, from 1; None if the record as a whole is wrong.
        event: the event in the hand; None as for ``hand``.
        prefix: the game up to the error; None if not even its start can be read.
    """

    def __init__(
        self,
        key: str,
        hand: int | None = None,
        event: RecordEvent | None = None,
        prefix: GameRecord | None = None,
        **params: object,
    ) -> None:
        super().__init__(key, **params)
        self.hand = hand
        self.event = event
        self.prefix = prefix

    @classmethod
    def at(
        cls,
        cause: EngineError,
        hand: int | None = None,
        event: RecordEvent | None = None,
        prefix: GameRecord | None = None,
    ) -> RecordError:
        """Return the error of a record whose reading failed with ``cause``."""
        return cls(cause.key, hand, event, prefix, **cause.params)

    def __str__(self) -> str:
        """Return the position and the detail."""
        where = [f"hand {self.hand}"] if self.hand is not None else []
        where += [str(self.event)] if self.event is not None else []
        return f"{', '.join(where)}: {self.detail}" if where else self.detail


def read_record(data: object) -> GameRecord:
    """Return the game recorded in ``data``, a value from `json.loads`.

    Raises:
        RecordError: if the record is malformed, or the rules do not allow the game.
    """
    try:
        record = shape.mapping(data, "record")
        reader = _Reader(_ruleset(record))
        hands = shape.items(record.get("hands"), "hands")
        resigned = record.get("resigned")
        seat = None if resigned is None else shape.number(resigned, "resigned")
    except (ShapeError, RulesetError) as cause:
        raise RecordError.at(cause) from cause
    try:
        for hand in hands:
            reader.read_hand(hand)
        if seat is not None:
            reader.event = RecordEvent("resignation")
            reader.do(Resign(seat))
        reader.difference = reader.difference or end_difference(record, reader.state)
    except (ShapeError, MoveError, IllegalMove) as cause:
        number = reader.number or None
        raise RecordError.at(cause, number, reader.event, reader.result()) from cause
    return reader.result()


def write_records(ruleset: Ruleset, moves: Iterable[Move]) -> list[dict[str, Any]]:
    """Return a record of each game in which a hand was dealt; the last may be unfinished.

    Raises:
        IllegalMove: if the rules do not allow the moves.
    """
    records = []
    log: list[Move] = []
    state = start(ruleset)
    written = 0
    for move in moves:
        log.append(move)
        step = apply(state, move)
        state = step.state
        if any(isinstance(event, GameWon) for event in step.events):
            records.append(_record(state, log))
            written, log = state.game, []
    if state.game > written and _hands(state):
        records.append(_record(state, log))
    return records


class _Reader:
    """A reader of one record; it holds the game read so far."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.state = start(ruleset)
        self.moves: list[Move] = []
        self.number = 0
        self.event: RecordEvent | None = None
        self.difference: Difference | None = None

    def result(self) -> GameRecord:
        """Return the game read so far."""
        hands = _hands(self.state)
        scores = tuple(scores for hand in hands for scores in running_scores(hand))
        moves = tuple(self.moves)
        return GameRecord(self.state.ruleset, moves, self.state, scores, self.difference)

    def do(self, move: Move) -> None:
        """Apply a move."""
        self.state = apply(self.state, move).state
        self.moves.append(move)

    def read_hand(self, data: object) -> None:
        """Read the next hand and compare its derived fields."""
        self.number += 1
        self.event = RecordEvent("deal")
        hand = shape.mapping(data, "hand")
        self._read_deal(hand)
        self._read_discards(hand)
        self._read_starter(hand)
        if self.state.ruleset.counting == "manual":
            self._read_log(hand)
        else:
            self._read_plays(hand)
        if self.difference is None:
            self.difference = hand_difference(self.number, hand, _hands(self.state)[-1])

    def _read_deal(self, hand: shape.Mapping) -> None:
        dealer = shape.number(hand.get("dealer"), "dealer")
        crib_card = hand.get("crib_card")
        deal = Deal(
            tuple(
                shape.cards(cards, f"dealt[{seat}]")
                for seat, cards in enumerate(shape.items(hand.get("dealt"), "dealt"))
            ),
            None if crib_card is None else shape.card(crib_card, "crib_card"),
        )
        expected = self.state.dealer
        if self.state.phase is Phase.DEAL and dealer != expected:
            raise ShapeError("wrong_dealer", seat=dealer, expected_seat=expected)
        self.do(deal)

    def _read_discards(self, hand: shape.Mapping) -> None:
        self.event = RecordEvent("discard")
        players = self.state.ruleset.players
        discards = shape.items(hand.get("discards") or [], "discards", most=players)
        for seat, cards in enumerate(discards):
            self.event = RecordEvent("discard", seat)
            thrown = shape.cards(cards or [], f"discards[{seat}]")
            if thrown:
                self.do(Discard(seat, thrown))

    def _read_starter(self, hand: shape.Mapping) -> None:
        self.event = RecordEvent("starter")
        starter = hand.get("starter")
        if starter is not None:
            self.do(Starter(shape.card(starter, "starter")))

    def _read_plays(self, hand: shape.Mapping) -> None:
        self.event = RecordEvent("play")
        for at, play in enumerate(shape.items(hand.get("plays") or [], "plays")):
            self.event = RecordEvent("play", at + 1)
            place = f"plays[{at}]"
            seat, card, *_ = shape.items(play, place, least=2, most=5)
            self.do(Play(shape.number(seat, f"{place}[0]"), shape.card(card, f"{place}[1]")))

    def _read_log(self, hand: shape.Mapping) -> None:
        self.event = RecordEvent("log")
        for at, line in enumerate(shape.items(hand.get("log") or [], "log")):
            self.event = RecordEvent("log", at + 1)
            move = parse_move(shape.text(line, f"log[{at}]"))
            if isinstance(move, Cut | Deal | Discard | Starter | Resign):
                raise ShapeError("wrong_log", found=quoted(line))
            self.do(move)


def _ruleset(record: shape.Mapping) -> Ruleset:
    rules = shape.mapping(record.get("rules") or {}, "rules")
    unknown = ", ".join(sorted(set(rules) - set(_RULES)))
    if unknown:
        raise ShapeError("bad_rule.unknown", names=unknown, known=", ".join(_RULES))
    basic = {name: record.get(name) for name in ("players", "target", "first_dealer")}
    if basic["first_dealer"] is None:
        raise ShapeError("missing", place="first_dealer")
    return Ruleset.from_dict({**basic, **rules})


def _hands(state: State) -> tuple[Hand, ...]:
    return state.hands if state.hand is None else (*state.hands, state.hand)


def _record(state: State, log: list[Move]) -> dict[str, Any]:
    """Return the record of the last game of ``state``; ``log`` has the moves of that game."""
    ruleset = state.ruleset
    defaults = {item.name: item.default for item in fields(Ruleset)}
    rules = {name: getattr(ruleset, name) for name in _RULES}
    rules = {name: value for name, value in rules.items() if value != defaults[name]}
    hands = _hands(state)
    written = [write_hand(hand) for hand in hands]
    if ruleset.counting == "manual":
        for hand, lines in zip(written, _logs(log), strict=True):
            hand["log"] = lines
    return {
        "players": ruleset.players,
        "target": ruleset.target,
        "first_dealer": hands[0].dealer,
        **({"rules": rules} if rules else {}),
        "hands": written,
        **({"resigned": state.resigned} if state.resigned is not None else {}),
        **write_end(state),
    }


def _logs(log: list[Move]) -> list[list[str]]:
    """Return the text of each hand's moves after the starter, without a resignation."""
    logs: list[list[str]] = []
    for move in log:
        if isinstance(move, Deal):
            logs.append([])
        elif isinstance(move, Play | Claim | Muggins | Pass):
            logs[-1].append(to_text(move))
    return logs
