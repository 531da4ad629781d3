"""With three seats reviews state losses that are exact to half a game in a hundred."""

from __future__ import annotations

import numpy as np
import pytest

from games.analysis import build_tables_three, tables, three, three_exact
from games.analysis.build_tables import HAND_AT, HANDS
from games.analysis.kernels import show
from games.analysis.kernels import three as three_kernel
from games.analysis.review import judge, options
from games.analysis.review_verdicts import FROM, POINT
from games.engine import rules
from games.engine.cards import RANK
from games.engine.moves import Discard, Play
from games.engine.state import Ruleset
from games.engine.view import View, view_for
from tests.support.positions import random_moves

SEEDS = range(1, 6)


def decisions(seed: int) -> list[tuple[View, tuple[int, ...]]]:
    """Return the decisions of a random match of three seats, except forced cards."""
    ruleset = Ruleset(players=3, target=61, first_dealer=0)
    state, found = rules.start(ruleset), []
    for move in random_moves(ruleset, seed):
        if isinstance(move, Discard | Play):
            view = view_for(state, move.seat)
            cards = tuple(sorted(move.cards)) if isinstance(move, Discard) else (move.card,)
            if isinstance(move, Discard) or len({RANK[card] for card in view.legal.cards}) > 1:
                found.append((view, cards))
        state = rules.apply(state, move).state
    return found


def cards(late: bool) -> list[View]:
    """Return positions in the play, before or near the end."""
    every = [view for seed in SEEDS for view, _ in decisions(seed) if view.legal.action == "play"]
    return [view for view in every if three_exact.is_by_chance(view) == late]


def test_hidden_hands_are_dealt_until_every_loss_is_exact() -> None:
    more = 0
    for view in cards(late=True)[:25]:
        parts = three_exact.rate_parts(view)
        assert three_exact.LEAST <= len(parts) <= three_exact.MOST
        exact = three_exact.errors(view, parts).max() <= three_exact.EXACT
        assert exact or len(parts) == three_exact.MOST
        more += len(parts) > three_exact.LEAST
    assert more > 3, "some positions need more deals than the least"


@pytest.mark.parametrize("late", [False, True])
def test_stated_losses_agree_with_those_of_many_more_deals(late: bool) -> None:
    off = []
    for view in cards(late=late)[:12]:
        stated = three_exact.worth(view, three_exact.rate(view)[1])
        reference = three_exact.worth(view, three.rate(view, 10_000, part=777)[1])
        off += list((stated.max() - stated) - (reference.max() - reference))
    assert np.sqrt(np.mean(np.square(off))) < three_exact.EXACT


def test_values_that_are_kept_cannot_be_changed() -> None:
    """A reader that sorted or scaled them in place would change what the next one gets."""
    parts = three_exact.rate_parts(cards(late=False)[0])
    with pytest.raises(ValueError, match="read-only"):
        parts *= 2.0


def test_values_do_not_depend_on_the_card_chosen() -> None:
    view = cards(late=True)[0]
    assert [[one.chance for one in options(view, (card,))] for card in view.legal.cards] == [
        [one.chance for one in options(view)] for _ in view.legal.cards
    ]


def test_a_card_that_the_strongest_computer_would_play_is_at_worst_close() -> None:
    denied = 0
    for seed in SEEDS:
        for view, chosen in decisions(seed):
            if view.legal.action != "play":
                continue
            ranks, rated = three.rate_by_belief(view)
            second = rated[:, 1].max() - rated[list(ranks).index(RANK[chosen[0]]), 1]
            if second >= FROM["inaccuracy"]:
                continue
            item = judge(view, chosen)
            if item.best is None or item.verdict == "best":
                continue
            own = next(one for one in item.options if set(one.cards) == set(chosen))
            by_chance = three_exact.is_by_chance(view)
            loss = item.best.chance - own.chance
            if not by_chance:
                loss = POINT * (item.best.points - own.points)
            if loss >= FROM["inaccuracy"]:
                assert item.verdict == "close"
                denied += 1
    assert denied > 3


def test_the_tables_for_reviews_can_be_reproduced() -> None:
    dealt = build_tables_three.fine_deals()
    again = build_tables_three.fine_pegs(0, dealt, HANDS[:5])
    assert np.array_equal(again, tables.load("pegs_3_fine")[0, :5])
    scored = np.full((build_tables_three.FINE_KEPT, 32), -1, dtype=np.int16)
    three_kernel.play_deals(show.five_table(), dealt[: len(scored)], scored)
    assert np.array_equal(scored, three.recorded_deals(exact=True))


def test_the_table_for_reviews_agrees_with_that_of_the_computers() -> None:
    """Both are means of the same points in the play, from 400 and 1,600 plays."""
    coarse, fine = (three.peg_means(exact=exact)[:, HAND_AT] / 100 for exact in (False, True))
    spread = 2.7 * np.sqrt(1 / 400 + 1 / build_tables_three.FINE_STEP)
    assert np.abs((coarse - fine).mean()) < 0.02
    assert np.std(coarse[..., 0] - fine[..., 0]) < spread
