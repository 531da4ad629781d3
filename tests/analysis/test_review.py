"""Match reviews: verdicts use only what each player could know, and the totals add up."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache

import pytest

from games.analysis.discards import evaluate_discards
from games.analysis.plays import evaluate_plays
from games.analysis.review import Item, decisions, judge, options, review, throw_view
from games.analysis.review_verdicts import (
    FROM,
    HALF,
    PARTS,
    Judgement,
    accuracy,
    summaries,
    verdict,
)
from games.engine import rules
from games.engine.cards import RANK, parse_cards
from games.engine.moves import Deal, Discard, Move, Play
from games.engine.state import Ruleset
from games.engine.view import resample, view_for
from tests.support.hands import game_log, played, some_cards
from tests.support.positions import random_moves

SHORT = Ruleset(target=61, first_dealer=0)
THREE = Ruleset(players=3, target=61, first_dealer=0)


@cache
def reviewed(ruleset: Ruleset, seed: int = 1) -> tuple[list[Move], list[Item]]:
    """Return the log of a random match and its review, which takes a second with three seats."""
    moves = random_moves(ruleset, seed)
    return moves, list(review(ruleset, moves))


@pytest.mark.parametrize("ruleset", [SHORT, THREE])
def test_every_discard_and_play_of_every_seat_is_judged_in_order(ruleset: Ruleset) -> None:
    moves, items = reviewed(ruleset)
    done = [at for at, move in enumerate(moves) if isinstance(move, Discard | Play)]
    assert [item.sequence for item in items] == done
    assert decisions(moves) == len(items)
    assert [item.seat for item in items] == [getattr(moves[at], "seat", None) for at in done]
    assert {item.part for item in items} == set(PARTS)


@pytest.mark.parametrize("ruleset", [SHORT, THREE])
def test_a_verdict_does_not_depend_on_hidden_cards(ruleset: Ruleset) -> None:
    rng = random.Random(4)
    state = rules.start(ruleset)
    tried = 0
    for move in random_moves(ruleset, 2)[:40]:
        if isinstance(move, Discard | Play):
            chosen = move.cards if isinstance(move, Discard) else (move.card,)
            seen = judge(view_for(state, move.seat), tuple(sorted(chosen)))
            other = resample(state, move.seat, rng)
            tried += other.hand != state.hand
            assert judge(view_for(other, move.seat), tuple(sorted(chosen))) == seen
        state = rules.apply(state, move).state
    assert tried > 20


def test_hindsight_depends_on_hidden_cards() -> None:
    """Verdicts must ignore hidden cards (see the test above); hindsight is based on them."""
    plain = played("5H6C7D8S", "TDTHJCQC", "2C3C4DKD", "9H", scores=(80, 80))
    other = played("5H6C7D8S", "9C9D8H7H", "2C3C4DKD", "9H", scores=(80, 80))
    shown = []
    for state in (plain, other):
        hand = state.hand
        assert hand is not None
        moves: list[Move] = [Deal(hand.dealt), *(Discard(at, hand.discards[at]) for at in (0, 1))]
        moves += [rules_starter(state), Play(0, parse_cards("5H")[0])]
        shown.append(list(review(Ruleset(first_dealer=1), moves))[-1])
    assert shown[0].options == shown[1].options
    assert shown[0].verdict == shown[1].verdict
    assert shown[0].hindsight != shown[1].hindsight


def rules_starter(state: object) -> Move:
    from games.engine.moves import Starter
    from games.engine.state import State

    assert isinstance(state, State)
    assert state.hand is not None
    assert state.hand.starter is not None
    return Starter(state.hand.starter)


def test_a_discard_is_valued_as_by_the_discard_tool() -> None:
    hands = parse_cards("5H5C6S7DJDKH"), parse_cards("2C2D9H9STCTD")
    state = replace(rules.apply(rules.start(SHORT), Deal(hands)).state, scores=(20, 31))
    item = judge(view_for(state, 0), parse_cards("5C5H"))
    values = evaluate_discards(hands[0], "dealer", (20, 31), target=61)
    own = next(value for value in values if set(value.thrown) == set(parse_cards("5C5H")))
    assert item.best is not None
    assert item.best.cards == values[0].thrown
    assert item.chance_lost == pytest.approx(values[0].chance - own.chance)
    assert item.points_lost == pytest.approx(values[0].total - own.total)
    assert item.verdict == "blunder"
    assert set(item.options[-1].cards) == set(parse_cards("5C5H"))


def test_points_gained_at_the_cost_of_the_chance_to_win_are_negative_points_lost() -> None:
    found = 0
    for cards in some_cards(6, 40, seed=8):
        view = throw_view(cards, dealer=False, scores=(110, 116))
        most = max(options(view), key=lambda one: one.points)
        item = judge(view, most.cards)
        assert item.best is not None
        if item.loss > 0.0 and item.best.points < most.points:
            assert item.points_lost == pytest.approx(item.best.points - most.points)
            found += 1
    assert found > 5


def test_a_play_is_valued_as_by_the_strongest_computer() -> None:
    state = played("2C3DKHQH", "TD9S8C7C", "AC3C4DKD", "6H", plays="KH9S")
    view = view_for(state, 0)
    values = evaluate_plays(view)
    item = judge(view, (values[-1].card,))
    assert item.best is not None
    assert RANK[item.best.cards[0]] == RANK[values[0].card]
    assert item.loss == pytest.approx(values[0].chance - values[-1].chance)


def test_the_strongest_computers_own_choice_is_always_best() -> None:
    state = played("2C3DKHQH", "TD9S8C7C", "AC3C4DKD", "6H", plays="KH9S2C")
    view = view_for(state, 1)
    found = judge(view, options(view)[0].cards)
    assert (found.verdict, found.loss, found.points_lost) == ("best", 0.0, 0.0)


def test_forced_cards_have_no_loss_and_no_options() -> None:
    _, items = reviewed(SHORT)
    forced = [item for item in items if item.forced]
    assert forced
    assert all((item.verdict, item.options, item.loss) == ("best", (), 0.0) for item in forced)


def test_an_illegal_choice_cannot_be_judged() -> None:
    state = played("2C3DKHQH", "TD9S8C7C", "AC3C4DKD", "6H", plays="KH")
    with pytest.raises(ValueError, match="5H cannot be chosen"):
        judge(view_for(state, 1), parse_cards("5H"))
    with pytest.raises(ValueError, match="must discard or play"):
        judge(view_for(state, 0), parse_cards("2C"))


@pytest.mark.parametrize("ruleset", [SHORT, THREE])
def test_an_item_survives_serialization(ruleset: Ruleset) -> None:
    _, items = reviewed(ruleset)
    for item in items[:12]:
        stored = json.loads(json.dumps(item.to_dict()))
        back = Item.from_dict(stored)
        assert back.to_dict() == stored
        assert (back.chosen, back.verdict) == (item.chosen, item.verdict)
        assert [one.cards for one in back.options] == [one.cards for one in item.options]


def test_with_manual_counting_the_card_is_judged_and_not_the_claim() -> None:
    ruleset = Ruleset(target=61, counting="manual", muggins=True, first_dealer=0)
    moves, items = reviewed(ruleset)
    assert decisions(moves) == len(items)
    assert any(item.hindsight for item in items if item.action == "play")


def test_each_verdict_begins_at_its_threshold() -> None:
    for name, least in FROM.items():
        assert verdict(least) == name
        assert verdict(least - 1e-9) != name
    assert verdict(0.0) == "best"


def test_accuracy_halves_with_each_half_life_of_loss() -> None:
    assert accuracy([0.0]) == 100.0
    assert accuracy([HALF]) == 50.0
    assert accuracy([0.0, HALF, 2 * HALF]) == pytest.approx((100 + 50 + 25) / 3)
    assert accuracy([]) is None


def test_a_summary_adds_up_and_leaves_forced_cards_out() -> None:
    ruleset, moves, _ = game_log(5)
    judged = [item.judgement for item in review(ruleset, moves)]
    for found in summaries(judged, 2):
        own = [one for one in judged if one.seat == found.seat]
        free = [one for one in own if not one.forced]
        assert sum(found.verdicts.values()) == len(free) == len(found.losses)
        assert found.forced == len(own) - len(free)
        assert found.points == pytest.approx(sum(one.points_lost for one in free))
        assert found.chance == pytest.approx(sum(one.chance_lost for one in free))
    assert summaries([Judgement(0, "lead", "best", True, 0, 0, 0)], 2)[0].accuracy is None
