"""Results of finished matches: the columns of the match and its seats, and the players' outcomes.

They are written in the transaction of the last move, for all matches that end in it together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games import models
from games.engine.state import GameResult, State
from games.log import outcomes
from games.models import statements

_MATCHES = models.Match._meta.db_table  # noqa: SLF001 - Django's documented interface to a model
_SEATS = models.Seat._meta.db_table  # noqa: SLF001

_RESULT = ("score", "games_won", "match_points", "won", "margin", "skunks", "skunked")
_FILED = ("ended_at", "kind", "places", "computers", "opponent_id", "opponent_2_id", "watchable")
_READ = (
    *("match", "seat", "player", "score", "games_won", "match_points", "won", "margin", "skunks"),
    *("skunked", "player__kind", "player__bot", "player__owner"),
    *("match__watchable", "match__imported", "match__branch_of", "match__duplicate_of"),
    *("match__lesson", "match__ranked", "match__ruleset"),
)


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A finished match, with the time of its end."""

    match: int
    state: State
    at: datetime


def write(ended: Sequence[MatchEnded]) -> None:
    """Write the results of matches that end."""
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
    )


def file_seats(*, match: int, at: datetime) -> None:
    """Write the columns for lists to the seats of a match: time, kind, opponents.

    Imports call it for unfinished matches too.
    """
    _file({match: at}, {})


def _file(
    times: Mapping[int, datetime], results: Mapping[int, Sequence[Mapping[str, object]]]
) -> None:
    """Write the columns for lists, and the results where they are given; count the outcomes."""
    rows = models.Seat.objects.filter(match__in=times).select_related("match", "player")
    found: dict[int, list[models.Seat]] = {}
    for row in rows.only(*_READ).order_by("match_id", "seat"):
        found.setdefault(row.match_id, []).append(row)
    for match, seats in found.items():
        for row in seats:
            others = [seats[(row.seat + step) % len(seats)] for step in range(1, len(seats))]
            row.ended_at, row.kind, row.places = times[match], kind_of(row.match), len(seats)
            row.computers = sum(
                other.player is not None and other.player.is_computer for other in others
            )
            row.watchable = row.match.watchable
            row.opponent = others[0].player
            row.opponent_2 = others[1].player if len(others) > 1 else None
            for name, value in results[match][row.seat].items() if match in results else ():
                setattr(row, name, value)
    filed = [row for seats in found.values() for row in seats]
    if filed:
        columns = ("id", *_RESULT, *_FILED)
        statements.update(_SEATS, [{each: getattr(row, each) for each in columns} for row in filed])
    outcomes.count(filed)


def result_fields(state: State) -> list[dict[str, object]]:
    """Return the result fields of each seat of a finished match."""
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


def kind_of(match: models.Match) -> models.Seat.Kind:
    """Return the kind of a match."""
    kinds = models.Seat.Kind
    if match.is_branch:
        return kinds.BRANCH
    if match.imported:
        return kinds.IMPORTED
    if match.duplicate_of_id is not None:
        return kinds.DUPLICATE
    if match.lesson:
        return kinds.LESSON
    return kinds.RANKED if match.ranked else kinds.CASUAL


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
