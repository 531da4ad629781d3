"""The winning chance with all cards known, at every step of a two-player game."""

from itertools import pairwise

import pytest

from games.analysis.luck import open_value
from games.analysis.review_luck import accounts
from games.engine import rules
from tests.support.hands import game_log


def test_every_step_of_an_account_has_the_winning_chance_of_the_open_cards() -> None:
    ruleset, moves, over = game_log(5)
    (account,) = accounts(ruleset, moves)
    states = [rules.start(ruleset)]
    for move in moves:
        states.append(rules.apply(states[-1], move).state)
    assert {shift.kind for shift in account.shifts} == {"deal", "starter", "discard", "play"}
    for shift in account.shifts:
        was, state = states[shift.sequence : shift.sequence + 2]
        assert 0 <= shift.after[0] <= 1
        assert shift.after[0] == pytest.approx(open_value(state, was))
    for before, after in pairwise(account.shifts):
        assert before.after == after.before
    assert account.end[0] == (1.0 if over.results[0].winner == 0 else 0.0)


def test_the_house_computers_first_discard_does_not_change_the_chance() -> None:
    ruleset, moves, _ = game_log(6)
    (account,) = accounts(ruleset, moves)
    throws = [shift for shift in account.shifts if shift.kind == "discard"]
    assert sum(shift.before == shift.after for shift in throws) > len(throws) / 3
