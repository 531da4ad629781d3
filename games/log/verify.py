"""Verification of stored matches: folds the log again and compares it with the summaries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.engine import rules
from games.engine.illegal import IllegalMove
from games.engine.moves import MoveError, parse_move
from games.engine.state import Phase, Ruleset, RulesetError, State
from games.log import results, store, summaries
from games.log.summaries import HandEnded
from games.models import Hand, HandSeat, Match

_HAND_FIELDS = ("dealer", "crib", "starter", "plays")
_SEAT_FIELDS = (
    "is_dealer",
    "dealt",
    "discarded",
    "pegging",
    "hand_points",
    "crib_points",
    "muggins",
    "score_before",
    "score_after",
)


def differences(match: Match) -> Iterator[str]:
    """Yield a sentence for each difference between a match's rows and its log."""
    try:
        ruleset = Ruleset.from_dict(match.ruleset)
    except RulesetError as cause:
        yield f"the ruleset cannot be read: {cause}"
        return
    state = rules.start(ruleset)
    ended: list[HandEnded] = []
    for number, entry in enumerate(store.whole(match.pk)):
        if entry.sequence != number:
            yield f"entry {number} is missing"
            return
        try:
            step = rules.apply(state, parse_move(entry.text))
        except (IllegalMove, MoveError) as cause:
            yield f"entry {number}, {entry.text!r}, is not allowed: {cause}"
            return
        change = summaries.effects(match.pk, state, step.state, entry.at)
        if change is not None and change.hand is not None:
            ended.append(change.hand)
        state = step.state
    yield from _status(match, state)
    yield from _hands(match, ended)


def _status(match: Match, state: State) -> Iterator[str]:
    over = state.phase is Phase.OVER
    if not over:
        # An imported game may be incomplete; no other finished match may.
        if match.status == Match.Status.FINISHED and not match.imported:
            yield "the status is finished, but the log has no end"
        return
    expected = (Match.Status.FINISHED, state.winner, results.ended_by(state))
    found = (match.status, match.winner, match.ended_by)
    if found != expected:
        yield f"status, winner and end are {found}, not {expected}"
    seats = list(match.seats.order_by("seat"))
    left = [seat.left_at is not None for seat in seats]
    counted = results.as_counted(results.result_fields(state), left)
    for seat, fields in zip(seats, counted, strict=True):
        yield from _compare(seat, fields, f"seat {seat.seat}")


def _hands(match: Match, ended: list[HandEnded]) -> Iterator[str]:
    stored = {(hand.game, hand.number): hand for hand in match.hands.all()}
    for each in ended:
        wanted = summaries.hand_row(each)
        place = f"game {wanted.game + 1}, hand {wanted.number + 1}"
        hand = stored.pop((wanted.game, wanted.number), None)
        if hand is None:
            yield f"{place} has no summary"
            continue
        yield from _compare(hand, {name: getattr(wanted, name) for name in _HAND_FIELDS}, place)
        yield from _seats(hand, each, place)
    for game, number in stored:
        yield f"game {game + 1}, hand {number + 1} has a summary, but was not played"


def _seats(hand: Hand, ended: HandEnded, place: str) -> Iterator[str]:
    rows: dict[int, HandSeat] = {row.seat.seat: row for row in hand.seats.select_related("seat")}
    for seat, wanted in enumerate(summaries.seat_rows(ended)):
        row = rows.get(seat)
        if row is None:
            yield f"{place}, seat {seat} has no summary"
            continue
        fields = {name: getattr(wanted, name) for name in _SEAT_FIELDS}
        yield from _compare(row, fields, f"{place}, seat {seat}")


def _compare(row: object, fields: Mapping[str, object], place: str) -> Iterator[str]:
    for name, expected in fields.items():
        found = getattr(row, name)
        if found != expected:
            yield f"{place}: {name} is {found!r}, the log gives {expected!r}"
