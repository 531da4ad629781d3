"""Luck and skill: the parts sum."""

import pytest

from games.analysis.luck import luck_and_skill
from games.engine.moves import Deal
from games.engine.state import Ruleset
from tests.analysis.hands import game_log


def test_the_parts_add_up_from_the_first_chance_to_the_result() -> None:
    ruleset, moves, state = game_log(5)
    account = luck_and_skill(ruleset, moves)
    assert account.end == (1.0 if state.results[0].winner == 0 else 0.0)
    parts = account.start + account.deals + account.starters + sum(account.decisions)
    assert parts == pytest.approx(account.end, abs=1e-9)
    for before, after in zip(account.shifts, account.shifts[1:], strict=False):
        assert before.after == after.before
    assert {shift.kind for shift in account.shifts} == {"deal", "starter", "discard", "play"}
    assert all(0 <= shift.after <= 1 for shift in account.shifts)


def test_the_house_computers_own_throw_moves_nothing_before_the_other_throws() -> None:
    ruleset, moves, _ = game_log(6)
    account = luck_and_skill(ruleset, moves)
    throws = [shift for shift in account.shifts if shift.kind == "discard"]
    assert sum(shift.before == shift.after for shift in throws) > len(throws) / 3


def test_without_a_deal_or_with_three_seats_there_is_nothing_to_tell() -> None:
    with pytest.raises(ValueError, match="no deal"):
        luck_and_skill(Ruleset(first_dealer=0), [])
    with pytest.raises(ValueError, match="two seats, not 3"):
        luck_and_skill(Ruleset(players=3, first_dealer=0), [Deal(((), (), ()), 0)])
