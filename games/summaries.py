"""What a move of the log changes in the summaries: hands that ended, and the match's result.

The log is the truth; these rows save pages from folding it. They are written in the transaction
of the move that caused them, and `verify_matches` compares them with the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Model

from games import models, outcomes
from games.engine.cards import NAMES, Card
from games.engine.state import GameResult, Hand, Phase, State


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A hand that is over, with the scores after it."""

    match: int
    hand: Hand
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A match that is over, and when."""

    match: int
    state: State
    at: datetime


@dataclass(frozen=True, slots=True)
class Effects:
    """What a move changes in the summaries."""

    hand: HandEnded | None = None
    match: MatchEnded | None = None


def effects(match: int, before: State, after: State, at: datetime) -> Effects | None:
    """Return what the move from ``before`` to ``after`` changes; None for most moves."""
    hand = None
    if before.hand is not None and after.hand is None:
        hand = HandEnded(match, after.hands[-1], after.scores)
    ended = None
    if after.phase is Phase.OVER and before.phase is not Phase.OVER:
        ended = MatchEnded(match, after, at)
    return Effects(hand, ended) if hand or ended else None


def write(changes: Sequence[Effects]) -> None:
    """Write the summaries of many matches; few statements, and one for each seat at an end."""
    hands = [change.hand for change in changes if change.hand is not None]
    if hands:
        _write_hands(hands)
    for change in changes:
        if change.match is not None:
            _write_result(change.match)


def hand_row(ended: HandEnded) -> models.Hand:
    """Return the row of a hand (games and hands are numbered from 0 there), unsaved."""
    hand = ended.hand
    return models.Hand(
        match_id=ended.match,
        game=hand.game - 1,
        number=hand.number - 1,
        dealer=hand.dealer,
        crib=_names(hand.crib),
        starter="" if hand.starter is None else NAMES[hand.starter],
        plays=" ".join(f"{seat}:{NAMES[card]}" for seat, card in hand.plays),
    )


def seat_rows(ended: HandEnded) -> list[models.HandSeat]:
    """Return a row for each seat of a hand, unsaved, without their keys."""
    hand = ended.hand
    return [
        models.HandSeat(
            is_dealer=seat == hand.dealer,
            dealt=_names(hand.dealt[seat]),
            discarded=_names(hand.discards[seat]),
            pegging=hand.pegged[seat],
            hand_points=hand.shown[seat],
            crib_points=hand.crib_points if seat == hand.dealer else None,
            muggins=hand.mugged[seat],
            score_before=hand.before[seat],
            score_after=ended.scores[seat],
        )
        for seat in range(hand.players)
    ]


def result_fields(state: State) -> list[dict[str, object]]:
    """Return for each seat of a finished match the fields of its result."""
    results = state.results
    wins = [result.winner for result in results]
    skunks = [result.winner for result in results if any(result.skunks)]
    return [
        {
            "score": state.scores[seat],
            "games_won": wins.count(seat),
            "match_points": state.match_points[seat],
            "won": None if state.winner is None else seat == state.winner,
            "margin": _margin(results, seat),
            "skunks": skunks.count(seat),
            "skunked": sum(result.skunks[seat] > 0 for result in results),
        }
        for seat in range(state.ruleset.players)
    ]


def file_seats(*, match: int, at: datetime) -> None:
    """Write to the seats of a match that is over what lists look for: when, what, against whom.

    Done with the last move; for a match that breaks off, as an imported one may, by whoever
    stores it.
    """
    seats = list(
        models.Seat.objects.filter(match_id=match)
        .select_related("match", "player")
        .order_by("seat")
    )
    for row in seats:
        others = [seats[(row.seat + step) % len(seats)] for step in range(1, len(seats))]
        row.ended_at, row.kind, row.places = at, kind_of(row.match), len(seats)
        row.computers = sum(
            other.player is not None and other.player.is_computer for other in others
        )
        row.watchable = row.match.watchable
        row.opponent = others[0].player
        row.opponent_2 = others[1].player if len(others) > 1 else None
    fields = ["ended_at", "kind", "places", "computers", "opponent", "opponent_2", "watchable"]
    models.Seat.objects.bulk_update(seats, fields)
    outcomes.count(seats)


def kind_of(match: models.Match) -> models.Seat.Kind:
    """Return what sort of match it is."""
    kinds = models.Seat.Kind
    if match.branch_of_id is not None:
        return kinds.BRANCH
    if match.imported:
        return kinds.IMPORTED
    if match.duplicate_of_id is not None:
        return kinds.DUPLICATE
    return kinds.RANKED if match.ranked else kinds.CASUAL


def _margin(results: Sequence[GameResult], seat: int) -> float | None:
    """Return own points less the mean of the others', averaged over the games."""
    if not results:
        return None
    margins = []
    for result in results:
        others = [score for other, score in enumerate(result.scores) if other != seat]
        margins.append(result.scores[seat] - sum(others) / len(others))
    return sum(margins) / len(margins)


def ended_by(state: State) -> str:
    """Return why a finished match is over."""
    reasons = models.Match.EndedBy
    return reasons.PLAYED if state.resigned is None else reasons.RESIGNED


def _write_hands(ended: Sequence[HandEnded]) -> None:
    """Insert the rows of hands: two statements, since they share the transaction of many moves."""
    hands = [hand_row(each) for each in ended]
    hand_values = [tuple(getattr(hand, name) for name in _HAND_COLUMNS) for hand in hands]
    seat_values = [
        (
            *(hand.match_id, hand.game, hand.number, hand.match_id, number),
            *(getattr(seat, name) for name in _SEAT_COLUMNS),
        )
        for hand, each in zip(hands, ended, strict=True)
        for number, seat in enumerate(seat_rows(each))
    ]
    with connection.cursor() as cursor:
        for statement, row, values in (
            (_INSERT_HANDS, _HAND_VALUES, hand_values),
            (_INSERT_SEATS, _SEAT_VALUES, seat_values),
        ):
            flat = [value for each in values for value in each]
            cursor.execute(statement + ", ".join([row] * len(values)), flat)


def _columns(model: type[Model], *without: str) -> tuple[str, ...]:
    fields = model._meta.concrete_fields  # noqa: SLF001 - Django's documented interface to a model
    return tuple(field.column for field in fields if field.column not in {"id", *without})


_HAND_COLUMNS = _columns(models.Hand)
_MEASURED_LATER = ("worth", "worth_hand", "worth_crib", "worth_pegging")
_SEAT_COLUMNS = _columns(models.HandSeat, "hand_id", "seat_id", *_MEASURED_LATER)
_INSERT_HANDS = f"INSERT INTO games_hand ({', '.join(_HAND_COLUMNS)}) VALUES "  # noqa: S608
_HAND_VALUES = f"({', '.join(['%s'] * len(_HAND_COLUMNS))})"
_INSERT_SEATS = f"INSERT INTO games_handseat (hand_id, seat_id, {', '.join(_SEAT_COLUMNS)}) VALUES "  # noqa: S608
# The keys are looked up where they are: no statement has to fetch them first.
_SEAT_VALUES = (
    "((SELECT id FROM games_hand WHERE match_id = %s AND game = %s AND number = %s), "  # noqa: S608
    "(SELECT id FROM games_seat WHERE match_id = %s AND seat = %s), "
    f"{', '.join(['%s'] * len(_SEAT_COLUMNS))})"
)


def _write_result(ended: MatchEnded) -> None:
    state = ended.state
    models.Match.objects.filter(pk=ended.match).update(
        status=models.Match.Status.FINISHED,
        finished_at=ended.at,
        winner=state.winner,
        ended_by=ended_by(state),
    )
    for seat, values in enumerate(result_fields(state)):
        models.Seat.objects.filter(match_id=ended.match, seat=seat).update(**values)
    file_seats(match=ended.match, at=ended.at)


def _names(cards: Sequence[Card]) -> str:
    return " ".join(NAMES[card] for card in cards)
