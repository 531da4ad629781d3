"""The experiment that compares what verdicts say with what better choices gain."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from benchmarks.calibration import gains, styles
from benchmarks.calibration.deal import REVIEWS, Deal, Judge, Line, Tables
from games.analysis import winning
from games.analysis.arena import chance_move, pack
from games.analysis.positions import play_position
from games.bots import get
from games.engine import rules
from games.engine.cards import RANK
from games.engine.moves import Discard, Play
from games.engine.state import Phase, Ruleset
from games.engine.view import view_for

NAMES = ("keen", "club", "expert")


def deal_of(
    style: int, number: int, scores: tuple[int, int] = (0, 0), judge: Judge = REVIEWS
) -> Deal:
    cards = pack(77, number)
    six = [np.sort(np.array(cards[6 * role : 6 * role + 6])) for role in range(2)]
    made = Deal(
        Tables.of(style, 3, pool=300, judge=judge),
        six,
        cards[12],
        np.array(scores),
        np.array([1, 2]),
    )
    made.throw()
    return made


@pytest.mark.parametrize("name", NAMES)
def test_a_style_answers_as_the_computer_whose_name_it_has(name: str) -> None:
    player = get(name)
    for number in range(12):
        deal = deal_of(styles.STYLES[name], number)
        state = rules.start(Ruleset(first_dealer=1))
        state = rules.apply(state, chance_move(state, pack(77, number))).state
        for seat in range(2):
            thrown = player.discard(view_for(state, seat))
            assert set(thrown) == set(deal.kept[seat][4:])
            state = rules.apply(state, Discard(seat, thrown)).state
        state = rules.apply(state, chance_move(state, pack(77, number))).state
        line = deal.begin()
        while state.phase is Phase.PLAY:
            seat = rules.waiting(state)[0]
            view = view_for(state, seat)
            assert line.turn == seat
            seen, told = play_position(view), deal.position(line)
            for one in fields(seen):
                assert np.array_equal(getattr(seen, one.name), getattr(told, one.name)), one.name
            card = player.play(view)
            assert RANK[card] == deal.card(line)
            line.play(RANK[card])
            state = rules.apply(state, Play(seat, card)).state


def end_of(deal: Deal, line: Line, me: int) -> tuple[float, float]:
    kept = np.array([cards[:4] for cards in deal.kept])
    thrown = np.array([cards[4:] for cards in deal.kept])
    chance = gains.chance_after(
        line.scores,
        line.winner,
        me,
        kept,
        thrown,
        deal.starter,
        deal.tables.five,
        winning.dealer_chances(),
    )
    return float(line.scores[me] - line.scores[1 - me]), chance


@pytest.mark.parametrize("scores", [(0, 0), (108, 110)])
def test_the_gains_of_changed_cards_add_up_to_the_difference_of_the_deals(
    scores: tuple[int, int],
) -> None:
    changed = 0
    for number in range(8):
        deal = deal_of(styles.KEEN, number, scores)
        for me in range(2):
            _, _, unchanged = deal.follow(me, "")
            for part in ("leads", "answers", "cards"):
                plain, _, swapped = deal.follow(me, part)
                before, after = end_of(deal, unchanged, me), end_of(deal, swapped, me)
                changed += before != after
                assert plain == pytest.approx([b - a for a, b in zip(before, after, strict=True)])
    assert changed > 5


def test_hands_of_the_pool_are_taken_only_if_the_style_would_have_played_what_was_seen() -> None:
    deal = deal_of(styles.CLUB, 4)
    pool = deal.tables.pool
    for role in range(2):
        pool[role][0] = deal.kept[role]
        deal.tables.masks[role][0] = sum(1 << int(card) for card in deal.kept[role])
    line = deal.begin()
    tried = 0
    while line.turn >= 0:
        me = line.turn
        if len(line.legal) > 1:
            own = deal.card(line)
            other = next(rank for rank in line.legal if rank != own)
            found, _ = deal.gain(line, other, own, first=0, looks=1)
            assert found == 2, "the real hand, and its copy in the pool"
            moved = replace(line, past=line.past.copy())
            seen = [at for at in range(int(line.place[1])) if line.who[at] != me]
            for at in seen[-1:]:
                moved.past[at] = (moved.past[at] + 1) % 13
                assert deal.gain(moved, other, own, first=0, looks=1)[0] < 2
                tried += 1
        line.play(deal.card(line))
    assert tried > 1


def test_another_judge_says_other_losses_of_the_same_cards() -> None:
    def said(judge: Judge) -> list[tuple[str, float, float]]:
        deals = [deal_of(styles.KEEN, number, judge=judge) for number in range(4)]
        found = [one for deal in deals for me in range(2) for one in deal.decisions(me)]
        return [(one.part, one.loss.chance, one.loss.second) for one in found]

    reviews = said(REVIEWS)
    assert said(Judge()) == reviews
    for other in (Judge(share=0.0), Judge(doubt=0.9)):
        losses = said(other)
        assert [part for part, _, _ in losses] == [part for part, _, _ in reviews]
        assert losses != reviews
    for _, chance, second in said(Judge(share=0.0)):
        assert chance == pytest.approx(second, abs=1e-8)
