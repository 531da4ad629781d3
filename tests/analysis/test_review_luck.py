"""Luck and skill over whole matches: each seat's parts add up to its result in every game."""

from __future__ import annotations

import pytest

from games.analysis.review_luck import accounts
from games.engine import rules
from games.engine.moves import Deal, Discard, Resign
from games.engine.state import Ruleset
from tests.support.hands import game_log
from tests.support.positions import random_moves

MATCHES = {
    "two": Ruleset(target=61, first_dealer=0),
    "two games": Ruleset(target=61, games=2),
    "three": Ruleset(players=3, target=61),
    "muggins": Ruleset(target=61, counting="manual", muggins=True),
    "three, counted manually": Ruleset(players=3, target=61, counting="manual"),
}


@pytest.mark.parametrize("ruleset", MATCHES.values(), ids=MATCHES)
def test_luck_and_skill_add_up_to_the_result_for_every_seat_of_every_game(ruleset: Ruleset) -> None:
    moves = random_moves(ruleset, 7)
    results = rules.fold(ruleset, moves).results
    found = list(accounts(ruleset, moves))
    assert [account.game for account in found] == list(range(1, ruleset.games + 1))
    for account, result in zip(found, results, strict=True):
        assert sum(account.start) == pytest.approx(1.0)
        for seat in range(ruleset.players):
            skill = sum(account.skill(seat, by) for by in range(ruleset.players))
            parts = account.start[seat] + account.luck(seat) + skill + account.resigned(seat)
            assert parts == pytest.approx(account.end[seat], abs=1e-9)
            assert account.end[seat] == float(seat == result.winner)
        for shift in account.shifts:
            assert sum(shift.after) == pytest.approx(1.0)


def test_with_two_seats_one_seats_gain_is_the_others_loss() -> None:
    ruleset, moves, _ = game_log(6)
    (account,) = accounts(ruleset, moves)
    assert account.luck(0) == pytest.approx(-account.luck(1))
    assert account.skill(0, 1) == pytest.approx(-account.skill(1, 1))


def test_steps_refer_to_their_log_entries() -> None:
    ruleset = MATCHES["two games"]
    moves = random_moves(ruleset, 7)
    for account in accounts(ruleset, moves):
        for shift in account.shifts:
            move = moves[shift.sequence]
            assert isinstance(move, Deal) == (shift.kind == "deal")
            assert isinstance(move, Discard) == (shift.kind == "discard")
            assert getattr(move, "seat", None) == shift.seat


def test_resigning_counts_as_neither_luck_nor_skill() -> None:
    ruleset, moves, _ = game_log(5)
    (account,) = accounts(ruleset, [*moves[:20], Resign(1)])
    assert account.end == (1.0, 0.0)
    assert account.resigned(0) > 0
    parts = account.start[0] + account.luck(0) + account.skill(0, 0) + account.skill(0, 1)
    assert parts + account.resigned(0) == pytest.approx(1.0)


def test_a_match_without_a_deal_has_no_account() -> None:
    assert list(accounts(MATCHES["two"], [])) == []
