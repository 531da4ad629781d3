"""Late decisions of the strongest level, which are solved, against solutions with known values."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

from benchmarks.endgames import suite
from benchmarks.endgames.suite import Solved
from games.analysis import plays
from games.analysis.endgames import late
from games.analysis.endgames.model import endgame
from games.bots import get, house
from games.engine.cards import RANK
from games.engine.view import View

EVERY = 7
TWO_EACH = "110-117 2C6D9SQH 3D4H8SJC AC5CTDKH 7C QHJC6D4H"
"""The dealer has 8S and 3D, pone two cards."""


@pytest.fixture(scope="module")
def solved() -> list[Solved]:
    return suite.load()[::EVERY]


@pytest.fixture(scope="module")
def ranks(solved: list[Solved]) -> list[int]:
    """Return the rank that the solution of each position plays, solved once."""
    return [late.rank_by_solution(one.view) for one in solved]


@pytest.fixture(scope="module")
def ranks_of_first_house(solved: list[Solved]) -> list[int]:
    return [plays.rank_of_first_house(one.view) for one in solved]


def test_every_position_of_the_suite_is_late(solved: list[Solved]) -> None:
    assert all(late.is_late(one.view) for one in solved)


@pytest.mark.parametrize("prior", [0, 1], ids=["even", "kept"])
def test_hardly_anything_is_lost_whatever_is_more_likely(
    solved: list[Solved], ranks: list[int], ranks_of_first_house: list[int], prior: int
) -> None:
    losses = [one.loss(rank, prior) for one, rank in zip(solved, ranks, strict=True)]
    first = zip(solved, ranks_of_first_house, strict=True)
    by_first = [one.loss(rank, prior) for one, rank in first]
    assert all(
        rank in {RANK[card] for card in one.view.legal.cards}
        for one, rank in zip(solved, ranks, strict=True)
    )
    assert fmean(losses) < 0.001
    assert fmean(losses) < fmean(by_first)


def test_the_strongest_plays_the_solution_and_the_house_does_not_change(
    solved: list[Solved], ranks: list[int], ranks_of_first_house: list[int]
) -> None:
    ada, first = get("ada"), house(1)
    assert [RANK[ada.play(one.view)] for one in solved] == ranks
    assert [RANK[first.play(one.view)] for one in solved] == ranks_of_first_house


@pytest.fixture(scope="module")
def solved_with_three() -> list[Solved]:
    """Return decisions with three cards against one or two."""
    some = [one for one in suite.load(suite.THREE) if one.size in {(3, 1), (3, 2)}]
    return some[3::EVERY]


@pytest.fixture(scope="module")
def ranks_with_three(solved_with_three: list[Solved]) -> list[tuple[int, int]]:
    """Return the ranks that the solution and the search play in each position."""
    views = [one.view for one in solved_with_three]
    return [(late.rank_by_solution(view), plays.rank_by_search(view)) for view in views]


@pytest.mark.parametrize("prior", [0, 1], ids=["even", "kept"])
def test_little_is_lost_with_three_cards(
    solved_with_three: list[Solved], ranks_with_three: list[tuple[int, int]], prior: int
) -> None:
    assert {one.size for one in solved_with_three} == {(3, 1), (3, 2)}
    assert all(late.is_late(one.view) for one in solved_with_three)
    losses, by_search = [], []
    for one, (solution, search) in zip(solved_with_three, ranks_with_three, strict=True):
        losses.append(one.loss(solution, prior))
        by_search.append(one.loss(search, prior))
    assert fmean(losses) < 0.006
    assert fmean(losses) < fmean(by_search)


def test_types_are_left_out_evenly_and_never_ones_own(solved_with_three: list[Solved]) -> None:
    view = next(one.view for one in solved_with_three if one.size == (3, 2))
    whole = endgame(view)
    some = late.thinned(whole)
    me = whole.me
    assert len(whole.kinds[me]) > late.HELD >= len(some.kinds[me]) > late.HELD // 2
    assert some.kinds[me][some.own] == whole.kinds[me][whole.own]
    assert some.kinds[1 - me] == whole.kinds[1 - me]
    assert some.joint.sum() == pytest.approx(1)
    row, rest = (np.take(game.joint, game.own, axis=me) for game in (whole, some))
    assert rest / rest.sum() == pytest.approx(row / row.sum())
    assert late.thinned(some) is some


def test_only_decisions_near_the_end_with_few_cards_are_late() -> None:
    view = suite.view_of(TWO_EACH)
    assert late.is_late(view)
    assert late.is_late(at(view, 109, 109))
    assert not late.is_late(at(view, 108, 109))
    assert not late.is_late(at(view, 109, 108))
    for own, other in ((2, 3), (3, 3), (4, 2)):
        assert not late.is_late(replace(view, hand_sizes=(own, other)))
    for own, other in ((2, 1), (3, 1), (3, 2)):
        assert late.is_late(replace(view, hand_sizes=(own, other)))
    assert not late.is_late(replace(view, seat=None))


def at(view: View, *scores: int) -> View:
    """Return the view with other scores."""
    return replace(view, scores=scores)


def test_a_single_choice_needs_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    view = suite.view_of(TWO_EACH)
    only = view.legal.cards[0]
    one = replace(view, legal=replace(view.legal, cards=(only,)))
    monkeypatch.setattr("games.analysis.endgames.model.endgame", None)
    assert late.rank_by_solution(one) == RANK[only]
