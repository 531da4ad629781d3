"""Uncertainty of reviews: a loss that the analysis can't be sure of is called close."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.analysis import three, uncertainty
from games.analysis.opponents import solving
from games.analysis.plays import MOST_HANDS, rate
from games.analysis.positions import play_position
from games.analysis.review import judge, options, throw_view
from games.analysis.review_verdicts import FROM, POINT, SOUND
from games.engine import rules
from games.engine.cards import RANK, parse_cards
from games.engine.moves import Discard, Play
from games.engine.state import Ruleset
from games.engine.view import View, view_for
from tests.support.hands import played
from tests.support.positions import random_moves


def three_seat_views(seed: int) -> list[tuple[View, tuple[int, ...]]]:
    ruleset = Ruleset(players=3, target=61, first_dealer=0)
    state, found = rules.start(ruleset), []
    for move in random_moves(ruleset, seed):
        if isinstance(move, Discard | Play):
            cards = tuple(sorted(move.cards)) if isinstance(move, Discard) else (move.card,)
            found.append((view_for(state, move.seat), cards))
        state = rules.apply(state, move).state
    return found


def test_a_card_that_only_one_line_of_analysis_denies_is_close() -> None:
    """Search for cards that cost a game in a hundred only against rules of thumb."""
    close = 0
    for seed in range(1, 12):
        ruleset = Ruleset(target=61, first_dealer=0)
        state = rules.start(ruleset)
        for move in random_moves(ruleset, seed):
            if isinstance(move, Play):
                view = view_for(state, move.seat)
                item = judge(view, (move.card,))
                if item.options:
                    position = play_position(view)
                    second = rate(position, MOST_HANDS, solving(position))[:, 1]
                    own = second[list(position.legal).index(RANK[move.card])]
                    first = item.options[0].chance - next(
                        one.chance for one in item.options if RANK[one.cards[0]] == RANK[move.card]
                    )
                    doubted = first >= FROM["inaccuracy"] > second.max() - own
                    assert (item.verdict == "close") == doubted
                    if doubted:
                        assert item.loss == pytest.approx(first)
                        assert item.reason is None
                    close += doubted
            state = rules.apply(state, move).state
        if close >= 2:
            break
    assert close >= 2


def test_a_choice_within_the_error_of_sampling_is_sound_costs_nothing_and_has_no_reason() -> None:
    found = [judge(view, cards) for view, cards in three_seat_views(1)]
    close = [item for item in found if item.verdict == "close"]
    assert close
    assert "close" in SOUND
    for item in close:
        assert (item.loss, item.points_lost, item.chance_lost) == (0.0, 0.0, 0.0)
        assert item.reason is None


def test_with_three_seats_no_verdict_is_finer_than_its_error() -> None:
    for view, cards in three_seat_views(2)[:40]:
        item = judge(view, cards)
        if item.verdict in {"best", "close"} or item.best is None:
            continue
        assert not uncertainty.is_close(view, item.best.cards, cards, item.loss)


def test_the_error_of_three_seats_is_that_of_repeated_samples() -> None:
    """Other samples differ as much as the error says, within a factor of two."""
    view, cards = next(
        (view, cards)
        for view, cards in three_seat_views(3)
        if view.legal.action == "play" and len({RANK[card] for card in view.legal.cards}) > 2
    )
    best = options(view)[0].cards
    if best == cards:
        cards = options(view)[-1].cards
    error = uncertainty._play_error_three(view, best, cards)
    by_chance = max(three.scores_by_role(view)) >= three.NEAR_END
    losses = []
    for part in range(100, 140):
        ranks, rated = three.rate(view, 1000, part=part)
        at = list(ranks)
        better, worse = (rated[at.index(RANK[one[0]])] for one in (best, cards))
        losses.append(better[1] - worse[1] if by_chance else POINT * (better[0] - worse[0]))
    mean = sum(losses) / len(losses)
    spread = (sum((one - mean) ** 2 for one in losses) / (len(losses) - 1)) ** 0.5
    assert 0.5 * spread < error < 2.0 * spread


@pytest.mark.parametrize("scores", [(0, 0), (100, 100)])
def test_a_point_is_worth_about_two_to_five_games_in_a_hundred(scores: tuple[int, int]) -> None:
    view = throw_view(parse_cards("2C5DTH9S9H9C"), dealer=True, scores=scores)
    assert 0.015 < uncertainty.point_worth(view) < 0.05
    last = replace(view, scores=(120, 0))
    assert uncertainty.point_worth(last) == POINT


def test_a_clear_mistake_is_not_close() -> None:
    state = played("5H2C3DTS", "7C8D9HKC", "6C4DJSQH", "AD")
    assert judge(view_for(state, 0), parse_cards("5H")).verdict not in SOUND
