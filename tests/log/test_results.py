"""Results of matches: those that end in one batch are written together."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.engine.moves import Chance, to_text
from games.engine.state import Ruleset
from games.log import results, summaries
from games.log.store import Entry
from games.log.writer import Append, Writer
from games.models import Match, Outcome, Seat
from tests.support.people import make_match
from tests.support.positions import random_match

pytestmark = pytest.mark.django_db(transaction=True)


def last_move(seed: int) -> Append:
    """Write all but the last move of a new match, and return that one."""
    match = make_match()[0].pk
    moves = []
    for sequence, moment in enumerate(random_match(Ruleset(), seed)):
        seat = None if isinstance(moment.move, Chance) else moment.move.seat
        entry = Entry(match, sequence, seat, to_text(moment.move), "", timezone.now())
        change = summaries.effects(match, moment.state, moment.step.state, entry.at)
        moves.append(Append(entry, change))
    Writer().work(moves[:-1])
    return moves[-1]


def number_of_queries(ends: list[Append]) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert all(Writer().work(ends))
    return len(queries)


def test_many_ends_in_a_batch_take_as_many_statements_as_one() -> None:
    first, *others = [last_move(seed) for seed in range(1, 5)]
    assert number_of_queries(others) == number_of_queries([first])
    assert set(Match.objects.values_list("status", flat=True)) == {"finished"}
    for end in (first, *others):
        assert end.effects is not None
        assert end.effects.match is not None
        state = end.effects.match.state
        seats = Seat.objects.filter(match=end.entry.match).order_by("seat")
        assert [row.score for row in seats] == list(state.scores)
        assert [row.won for row in seats] == [seat == state.winner for seat in range(2)]
        assert [row.opponent_id for row in seats] == [row.player_id for row in reversed(seats)]
        assert {row.ended_at for row in seats} == {end.entry.at}
    assert sum(Outcome.objects.values_list("matches", flat=True)) == 8
    jobs = DBTaskResult.objects.filter(task_path="games.log.endings.follow_up")
    assert sorted(row.args_kwargs["args"] for row in jobs) == [
        [end.entry.match] for end in (first, *others)
    ]


def test_outcomes_of_the_same_players_add_up() -> None:
    """The same two people end two matches with the same result, in one batch and in two."""
    ends = [last_move(3) for _ in range(3)]
    ann, bob = (row.player for row in Seat.objects.filter(match=ends[0].entry.match))
    for end in ends[1:]:
        for seat, player in enumerate((ann, bob)):
            Seat.objects.filter(match=end.entry.match, seat=seat).update(player=player)
    writer = Writer()
    writer.work(ends[:2])
    writer.work(ends[2:])
    assert list(Outcome.objects.values_list("matches", flat=True)) == [3, 3]
    assert sum(Outcome.objects.values_list("margin", flat=True)) == pytest.approx(0)


@pytest.mark.parametrize(
    ("won", "left", "counted"),
    [
        ([True, False], [False, False], [True, False]),
        ([True, False], [True, False], [False, True]),
        ([True, False], [True, True], [False, False]),
        ([False, True, False], [False, True, False], [False, False, False]),
        ([False, True, False], [True, False, False], [False, True, False]),
    ],
)
def test_a_player_who_left_for_good_has_not_won(
    won: list[bool], left: list[bool], counted: list[bool]
) -> None:
    rows = [{"won": each, "skunks": 0, "skunked": 0} for each in won]
    assert [row["won"] for row in results.as_counted(rows, left)] == counted


@pytest.mark.parametrize(
    ("left", "skunks"),
    [
        ([False, False], [(1, 0), (0, 1)]),
        ([True, False], [(0, 0), (0, 0)]),
        ([False, True], [(1, 0), (0, 1)]),
    ],
)
def test_a_computers_win_for_a_player_who_left_is_no_skunk(
    left: list[bool], skunks: list[tuple[int, int]]
) -> None:
    """By the log, seat 0 wins by a skunk."""
    rows = [{"won": True, "skunks": 1, "skunked": 0}, {"won": False, "skunks": 0, "skunked": 1}]
    counted = results.as_counted(rows, left)
    assert [(row["skunks"], row["skunked"]) for row in counted] == skunks
