"""Grace and the expert ignore the score early in a game, and discard to it near the end."""

from collections.abc import Iterator

from games.analysis import discards, winning
from games.analysis.arena import chance_move, pack
from games.bots import get, house
from games.engine import rules
from games.engine.cards import Card
from games.engine.moves import Discard, Play
from games.engine.state import Ruleset
from games.engine.view import View, view_for

EXPERT = get("expert")
GRACE = get("grace")
FOR_POINTS = house(fast=True)
HANDS = 12


def decisions(scores: tuple[int, int]) -> Iterator[tuple[View, tuple[Card, ...], tuple[Card, ...]]]:
    """Yield (view, the expert's choice, that for points) in the first deal from these scores."""
    for seed in range(HANDS):
        state = rules.start(Ruleset(players=2, first_dealer=seed % 2, scores=scores))
        dealt = False
        while not state.results:
            kind = rules.chance(state)
            if kind is not None:
                if kind == "deal" and dealt:
                    break
                dealt = dealt or kind == "deal"
                state = rules.apply(state, chance_move(state, pack(seed, 1))).state
                continue
            seat = rules.waiting(state)[0]
            view = view_for(state, seat)
            if view.legal.action == "discard":
                yield view, EXPERT.discard(view), FOR_POINTS.discard(view)
                state = rules.apply(state, Discard(seat, FOR_POINTS.discard(view))).state
            else:
                card = FOR_POINTS.play(view)
                yield view, (EXPERT.play(view),), (card,)
                state = rules.apply(state, Play(seat, card)).state


def chance(view: View, thrown: tuple[Card, ...]) -> float:
    """Return the chance to win with a discard."""
    throws = discards.value_throws(view.cards, view.seat == view.dealer, habits=False)
    values = discards.chances(throws, *winning.to_full(view))
    return float(values[throws.thrown.index(thrown)])


def test_early_in_a_game_only_points_count() -> None:
    seen = list(decisions((0, 0)))
    assert len(seen) > 8 * HANDS
    assert all(own == for_points for _, own, for_points in seen)


def test_near_the_end_the_score_decides_on_discards() -> None:
    changed = []
    for scores in [(118, 116), (116, 119), (120, 117)]:
        for view, own, for_points in decisions(scores):
            if view.legal.action == "play":
                assert own == for_points
            elif own != for_points:
                changed.append(chance(view, own) - chance(view, for_points))
    assert changed, "no discard depended on the score"
    assert min(changed) > -1e-9
    assert max(changed) > 0.01, "the score was worth less than one game in a hundred"


def test_grace_discards_as_the_expert_at_every_score() -> None:
    for scores in [(0, 0), (118, 116), (116, 119)]:
        for view, own, _ in decisions(scores):
            if view.legal.action == "discard":
                assert GRACE.discard(view) == own
