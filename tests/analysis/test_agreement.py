"""Replies in the play in which a club player's card loses points."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.analysis.agreement import NEAR_END, STAKES, judged, replies, reply_values
from games.analysis.heuristics import rank_to_play
from games.bots import get
from games.engine import rules
from games.engine.cards import RANK
from games.engine.moves import Play
from games.engine.view import View, view_for
from tests.support.hands import game_log


def decisions(seed: int) -> list[tuple[View, int]]:
    """Return the views of all plays of a game, and the rank played."""
    ruleset, moves, _ = game_log(seed)
    state, found = rules.start(ruleset), []
    for move in moves:
        if isinstance(move, Play):
            found.append((view_for(state, move.seat), RANK[move.card]))
        state = rules.apply(state, move).state
    return found


def test_only_replies_with_a_choice_are_judged_and_only_before_the_end() -> None:
    ruleset, moves, _ = game_log(5)
    for seat in range(2):
        wanted = [
            view
            for view, _ in decisions(5)
            if view.seat == seat
            and view.plays
            and len({RANK[card] for card in view.legal.cards}) > 1
            and max(view.scores) < NEAR_END
        ]
        found = list(replies(ruleset, moves, seat))
        assert [reply.hand for reply in found] == [view.hand for view in wanted]


def test_stakes_are_high_if_the_rules_of_thumb_lose_points_and_the_best_card_agrees() -> None:
    high = 0
    for view, rank in decisions(5) + decisions(6):
        values = reply_values(view)
        if values:
            best = max(values, key=lambda each: values[each])
            usual = rank_to_play(view)
            assert judged(view, values, best).best
            assert judged(view, values, best).lost == 0.0
            reply = judged(view, values, usual)
            assert reply.high == (reply.lost >= STAKES) == judged(view, values, rank).high
            assert not (reply.high and reply.best)
            high += reply.high
    assert high > 0


def test_the_strongest_computer_finds_most_of_them_and_the_club_player_none() -> None:
    hits = {"ada": 0, "club": 0}
    number = 0
    for seed in range(5, 9):
        for view, _ in decisions(seed):
            values = reply_values(view)
            if values and judged(view, values, rank_to_play(view)).high:
                number += 1
                for name in hits:
                    hits[name] += judged(view, values, RANK[get(name).play(view)]).best
    assert hits["club"] == 0
    assert hits["ada"] > 0.8 * number > 3


def test_a_lead_is_no_reply() -> None:
    view, _ = decisions(5)[0]
    assert not view.plays and reply_values(view) == {}
    with pytest.raises(ValueError, match="only for the seat"):
        reply_values(replace(view, plays=((0, 1),), seat=None))
