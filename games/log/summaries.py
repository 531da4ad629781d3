"""Summaries of the log: rows for finished hands and the result of the match.

The log is the source of truth; these rows save pages from folding it. They are written in the
transaction of the move that caused them, and `verify_matches` compares them with the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from games import models
from games.engine.cards import NAMES, Card
from games.engine.state import Hand, Phase, State
from games.log import results
from games.log.results import MatchEnded
from games.log.store import Part
from games.models import statements
from games.wire.serializers import dumps


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A finished hand, with the scores after it."""

    match: int
    hand: Hand
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Effects:
    """The changes of the summaries caused by a move."""

    hand: HandEnded | None = None
    match: MatchEnded | None = None


def effects(match: int, before: State, after: State, at: datetime) -> Effects | None:
    """Return the changes caused by the move from ``before`` to ``after``; None for most moves."""
    hand = None
    if before.hand is not None and after.hand is None:
        hand = HandEnded(match, after.hands[-1], after.scores)
    ended = None
    if after.phase is Phase.OVER and before.phase is not Phase.OVER:
        ended = MatchEnded(match, after, at)
    return Effects(hand, ended) if hand or ended else None


def write(changes: Sequence[Effects]) -> None:
    """Write the summaries of many matches in few statements."""
    hands = [change.hand for change in changes if change.hand is not None]
    if hands:
        _write_hands(hands)
    ended = [change.match for change in changes if change.match is not None]
    if ended:
        results.write(ended, results.seats_of([each.match for each in ended]))


def parts(hands: Sequence[HandEnded]) -> list[Part]:
    """Return what writes the rows of hands together with the moves that end them."""
    if not hands:
        return []
    rows, seats = _rows(hands)
    return [
        Part("hands", _INSERT_HANDS_WON, [dumps(rows)]),
        Part("hand_seats", _INSERT_SEATS_WON, [dumps(seats)]),
    ]


def hand_row(ended: HandEnded) -> models.Hand:
    """Return the unsaved row of a hand; games and hands are numbered from 0 there."""
    return models.Hand(**_hand_values(ended))


def seat_rows(ended: HandEnded) -> list[models.HandSeat]:
    """Return the unsaved row of each seat of a hand, without foreign keys."""
    return [models.HandSeat(**values) for values in _seat_values(ended)]


def _hand_values(ended: HandEnded) -> dict[str, Any]:
    hand = ended.hand
    return {
        "match_id": ended.match,
        "game": hand.game - 1,
        "number": hand.number - 1,
        "dealer": hand.dealer,
        "crib": _names(hand.crib),
        "starter": "" if hand.starter is None else NAMES[hand.starter],
        "plays": " ".join(f"{seat}:{NAMES[card]}" for seat, card in hand.plays),
    }


def _seat_values(ended: HandEnded) -> list[dict[str, Any]]:
    hand = ended.hand
    return [
        {
            "is_dealer": seat == hand.dealer,
            "dealt": _names(hand.dealt[seat]),
            "discarded": _names(hand.discards[seat]),
            "pegging": hand.pegged[seat],
            "hand_points": hand.shown[seat],
            "crib_points": hand.crib_points if seat == hand.dealer else None,
            "muggins": hand.mugged[seat],
            "score_before": hand.before[seat],
            "score_after": ended.scores[seat],
        }
        for seat in range(hand.players)
    ]


def _write_hands(ended: Sequence[HandEnded]) -> None:
    """Insert the rows of hands in two statements, sent together if the caller allows it."""
    hands, seats = _rows(ended)
    if connection.vendor == "postgresql":
        statements.tell((_INSERT_HANDS_JSON, [dumps(hands)]))
        statements.tell((_INSERT_SEATS_JSON, [dumps(seats)]))
        return
    for statement, row, rows in (
        (_INSERT_HANDS, _HAND_ROW, hands),
        (_INSERT_SEATS, _SEAT_ROW, seats),
    ):
        flat = [value for each in rows for value in each.values()]
        statements.tell((statement + ", ".join([row] * len(rows)), flat))


def _rows(ended: Sequence[HandEnded]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the values of hands and of their seats."""
    hands = [_hand_values(each) for each in ended]
    seats = [
        {**_place(hand, number), **values}
        for hand, each in zip(hands, ended, strict=True)
        for number, values in enumerate(_seat_values(each))
    ]
    return hands, seats


def _place(hand: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return the lookup values for the foreign keys of a seat's hand; see `_SEAT_ROW`."""
    match = hand["match_id"]
    return {
        "match": match,
        "game": hand["game"],
        "number": hand["number"],
        "match_again": match,
        "place": seat,
    }


_HAND_COLUMNS = "match_id, game, number, dealer, crib, starter, plays"
_SEAT_COLUMNS = (
    "is_dealer, dealt, discarded, pegging, hand_points, crib_points, muggins, "
    "score_before, score_after"
)
# Subqueries look up the foreign keys, so that no other statement has to fetch them first.
_SEAT_KEYS = (
    "(SELECT id FROM games_hand WHERE match_id = {} AND game = {} AND number = {}), "
    "(SELECT id FROM games_seat WHERE match_id = {} AND seat = {})"
)
_INSERT_HANDS = f"INSERT INTO games_hand ({_HAND_COLUMNS}) VALUES "  # noqa: S608
_INSERT_SEATS = f"INSERT INTO games_handseat (hand_id, seat_id, {_SEAT_COLUMNS}) VALUES "  # noqa: S608
_HAND_ROW = f"({', '.join(['%s'] * 7)})"
_SEAT_ROW = f"({_SEAT_KEYS.format(*['%s'] * 5)}, {', '.join(['%s'] * 9)})"
# PostgreSQL gets all rows as one JSON value, as in `games.log.store`.
_INSERT_HANDS_JSON = (
    f"INSERT INTO games_hand ({_HAND_COLUMNS}) SELECT {_HAND_COLUMNS} "  # noqa: S608
    "FROM json_populate_recordset(NULL::games_hand, %s::json)"
)
_KEYS_IN_JSON = ("match", "game", "number", "match_again", "place")
_INSERT_SEATS_JSON = (
    f"INSERT INTO games_handseat (hand_id, seat_id, {_SEAT_COLUMNS}) SELECT "  # noqa: S608
    f"{_SEAT_KEYS.format(*[f'(row ->> {key!r})::bigint' for key in _KEYS_IN_JSON])}, "
    f"{_SEAT_COLUMNS} FROM json_array_elements(%s::json) AS row, "
    "json_populate_record(NULL::games_handseat, row)"
)
_INSERT_HANDS_WON = (
    f"INSERT INTO games_hand ({_HAND_COLUMNS}) SELECT {_HAND_COLUMNS} "  # noqa: S608
    "FROM json_populate_recordset(NULL::games_hand, %s::json) JOIN won USING (match_id) "
    "RETURNING id, match_id, game, number"
)
_INSERT_SEATS_WON = (
    f"INSERT INTO games_handseat (hand_id, seat_id, {_SEAT_COLUMNS}) SELECT hands.id, "  # noqa: S608
    "(SELECT id FROM games_seat WHERE match_id = hands.match_id AND seat = (given ->> 'place')::int"
    f"), {_SEAT_COLUMNS} FROM json_array_elements(%s::json) AS given "
    "JOIN hands ON hands.match_id = (given ->> 'match')::bigint "
    "AND hands.game = (given ->> 'game')::int AND hands.number = (given ->> 'number')::int, "
    "json_populate_record(NULL::games_handseat, given)"
)


def _names(cards: Sequence[Card]) -> str:
    return " ".join(NAMES[card] for card in cards)
