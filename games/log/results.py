"""Results of finished matches: the columns of the match and its seats, and the players' outcomes.

They are written in the transaction of the last move, for all matches that end in it together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from games import models
from games.engine.state import GameResult, State
from games.log import outcomes
from games.models import statements
from games.models.matches import began_from_position
from games.models.prepared import Prepared
from games.models.seats import others_clockwise

_MATCHES = models.Match._meta.db_table  # noqa: SLF001 - Django's documented interface to a model
_SEATS = models.Seat._meta.db_table  # noqa: SLF001

_RESULT = ("score", "games_won", "match_points", "won", "margin", "skunks", "skunked")
_FILED = ("ended_at", "kind", "places", "computers", "opponent_id", "opponent_2_id", "watchable")
_COLUMNS = ("id", *_RESULT, *_FILED)


class _Player(NamedTuple):
    """The player of a seat, as far as lists and outcomes need them."""

    pk: int
    kind: str
    bot: str
    owner_id: int | None

    @property
    def is_computer(self) -> bool:
        """Whether this is a computer player."""
        return self.kind == models.Player.Kind.COMPUTER


@dataclass(slots=True)
class _Seat:
    """A seat of a finished match with the columns that are written at its end: see `models.Seat`.

    Not the model's own row: reading and filling those takes longer than all the statements.
    """

    id: int
    match: int
    player: _Player | None
    score: int | None
    games_won: int
    match_points: int
    won: bool | None
    margin: float | None
    skunks: int
    skunked: int
    left: bool
    kind: int
    watchable: bool
    ended_at: datetime
    places: int = 0
    computers: int = 0
    opponent: _Player | None = None
    opponent_2: _Player | None = None

    @property
    def player_id(self) -> int | None:
        """The primary key of its player."""
        return None if self.player is None else self.player.pk

    @property
    def opponent_id(self) -> int | None:
        """The primary key of the player to the left."""
        return None if self.opponent is None else self.opponent.pk

    @property
    def opponent_2_id(self) -> int | None:
        """The primary key of the player to the right, with three seats."""
        return None if self.opponent_2 is None else self.opponent_2.pk


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A finished match, with the time of its end."""

    match: int
    state: State
    at: datetime


SeatRows = Iterable[Sequence[Any]]
"""The seats of matches as they are before the end: see `seats_of`."""


def seats_of(matches: Collection[int]) -> SeatRows:
    """Return the seats of these matches, by primary key, for `write`.

    Read them after the last move was written, in its transaction: a process that gives a seat away
    holds the log until that is stored.
    """
    return _SEATS_OF.rows(matches)


def asking_seats(
    matches: Collection[int],
) -> tuple[statements.Statement, Callable[[list[Any]], SeatRows]]:
    """Return the statement of `seats_of` for PostgreSQL, and what converts its rows."""
    return _SEATS_OF.asked(matches, "postgresql")


def write(ended: Sequence[MatchEnded], seats: SeatRows) -> None:
    """Write the results of matches that end, given their `seats_of`."""
    statements.update(
        _MATCHES,
        [
            {
                "id": each.match,
                "status": models.Match.Status.FINISHED,
                "finished_at": each.at,
                "winner": each.state.winner,
                "ended_by": ended_by(each.state),
            }
            for each in sorted(ended, key=lambda each: each.match)
        ],
    )
    _file(
        {each.match: each.at for each in ended},
        {each.match: result_fields(each.state) for each in ended},
        seats,
    )


def file_seats(*, match: int, at: datetime) -> None:
    """Write the columns for lists to the seats of a match: time, kind, opponents.

    Imports call it for unfinished matches too.
    """
    _file({match: at}, {}, seats_of([match]))


def _file(
    times: Mapping[int, datetime],
    results: Mapping[int, Sequence[Mapping[str, object]]],
    rows: SeatRows,
) -> None:
    """Write the columns for lists, and the results where they are given; count the outcomes."""
    found: dict[int, list[_Seat]] = {}
    for row in rows:
        seat = _read(row, times)
        found.setdefault(seat.match, []).append(seat)
    for match, seats in found.items():
        for number, seat in enumerate(seats):
            others = others_clockwise(seats, number)
            seat.places = len(seats)
            seat.computers = sum(
                other.player is not None and other.player.is_computer for other in others
            )
            seat.opponent = others[0].player
            seat.opponent_2 = others[1].player if len(others) > 1 else None
        if match in results:
            counted = as_counted(results[match], [seat.left for seat in seats])
            for seat, fields in zip(seats, counted, strict=True):
                for name, value in fields.items():
                    setattr(seat, name, value)
    filed = [seat for seats in found.values() for seat in seats]
    if filed:
        statements.update(
            _SEATS, [{name: getattr(seat, name) for name in _COLUMNS} for seat in filed]
        )
    outcomes.count(filed)


MATCH = 1
"""The place of the match's primary key in `SeatRows`."""

_SEATS_OF = Prepared(
    lambda keys: (
        models.Seat.objects.filter(match__in=keys)
        .order_by("match_id", "seat")
        .values_list(
            *("id", "match_id", "player_id", "player__kind", "player__bot", "player__owner_id"),
            *_RESULT,
            *("left_at", "match__watchable", "match__imported", "match__branch_of_id"),
            *("match__duplicate_of_id", "match__lesson", "match__ranked", "match__ruleset"),
        )
    )
)


def _read(row: Sequence[Any], times: Mapping[int, datetime]) -> _Seat:
    """Return a seat from its row of `_SEATS_OF`."""
    ident, match, player, kind, bot, owner, *rest = row
    left_at, watchable, imported, branch_of, duplicate_of, lesson, ranked, ruleset = rest[
        len(_RESULT) :
    ]
    return _Seat(
        id=ident,
        match=match,
        player=None if player is None else _Player(player, kind, bot, owner),
        **dict(zip(_RESULT, rest, strict=False)),
        left=left_at is not None,
        kind=_kind_of(imported, branch_of, duplicate_of, lesson, ranked, ruleset),
        watchable=watchable,
        ended_at=times[match],
    )


def as_counted(
    fields: Sequence[Mapping[str, Any]], left: Sequence[bool]
) -> list[Mapping[str, Any]]:
    """Return result fields as they count when players left for good.

    Those who left have lost; with two seats the other one has won. A computer's win in such a seat
    is a skunk neither for the player who left nor against the others.

    Args:
        fields: the fields of each seat by the log: see `result_fields`.
        left: whether each seat's player left for good.
    """
    if not any(left):
        return list(fields)
    two = len(left) == 2
    by_computer = any(row["won"] and gone for row, gone in zip(fields, left, strict=True))
    counted: list[Mapping[str, Any]] = []
    for row, gone in zip(fields, left, strict=True):
        won = False if gone else two or row["won"]
        skunks = 0 if gone else row["skunks"]
        skunked = 0 if by_computer else row["skunked"]
        counted.append({**row, "won": won, "skunks": skunks, "skunked": skunked})
    return counted


def result_fields(state: State) -> list[dict[str, Any]]:
    """Return the result fields of each seat of a finished match, by the log alone."""
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


def _kind_of(
    imported: bool,
    branch_of: int | None,
    duplicate_of: int | None,
    lesson: bool,
    ranked: bool,
    ruleset: Mapping[str, Any],
) -> models.Seat.Kind:
    """Return the kind of a match, given columns of it."""
    kinds = models.Seat.Kind
    if branch_of is not None or began_from_position(ruleset, imported=imported):
        return kinds.BRANCH
    if imported:
        return kinds.IMPORTED
    if duplicate_of is not None:
        return kinds.DUPLICATE
    if lesson:
        return kinds.LESSON
    return kinds.RANKED if ranked else kinds.CASUAL


def ended_by(state: State) -> str:
    """Return the reason why a finished match ended."""
    reasons = models.Match.EndedBy
    return reasons.PLAYED if state.resigned is None else reasons.RESIGNED


def _margin(results: Sequence[GameResult], seat: int) -> float | None:
    """Return a seat's points minus the mean of the others', averaged over the games."""
    if not results:
        return None
    margins = []
    for result in results:
        others = [score for other, score in enumerate(result.scores) if other != seat]
        margins.append(result.scores[seat] - sum(others) / len(others))
    return sum(margins) / len(margins)
