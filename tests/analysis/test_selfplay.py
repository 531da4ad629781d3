"""Games played by the kernels score as in the engine when replayed card by card."""

import numpy as np
import pytest

from games.analysis import build_tables
from games.analysis.kernels import selfplay, show, three
from games.analysis.plays import strategy
from games.engine import rules
from games.engine.cards import RANK
from games.engine.events import Counted, CountEnded, Heels, Played
from games.engine.moves import Deal, Discard, Move, Play, Starter
from games.engine.state import Ruleset
from tests.support.hands import some_cards

Scores = list[tuple[int, int]]


def replay(seats: int, cards: tuple[int, ...], ranks: list[int]) -> Scores:
    """Return (role, points) for every score in a hand in which these ranks are played.

    `cards` holds four cards for each role, then the crib's four, then the starter; roles are seats.
    """
    state = rules.start(Ruleset(players=seats, first_dealer=seats - 1))
    crib = cards[4 * seats : 4 * seats + 4]
    each = 2 if seats == 2 else 1
    thrown = [crib[each * role : each * role + each] for role in range(seats)]
    kept = [cards[4 * role : 4 * role + 4] for role in range(seats)]
    hands = tuple((*kept[role], *thrown[role]) for role in range(seats))
    moves: list[Move] = [Deal(hands, crib[3] if seats == 3 else None)]
    moves += [Discard(role, thrown[role]) for role in range(seats)]
    moves.append(Starter(cards[-1]))
    found: Scores = []
    left = list(ranks)
    while moves or left:
        if not moves:
            seat, rank = rules.waiting(state)[0], left.pop(0)
            card = next(c for c in rules.legal(state, seat).cards if RANK[c] == rank)
            moves.append(Play(seat, card))
        step = rules.apply(state, moves.pop(0))
        state = step.state
        for event in step.events:
            match event:
                case Heels() | Played() | CountEnded() | Counted():
                    found.append((event.seat, event.points))
    return merged(found)


def merged(scores: Scores) -> Scores:
    """Merge consecutive scores of the same seat, and leave out zero scores."""
    out: Scores = []
    for seat, points in scores:
        if points:
            if out and out[-1][0] == seat:
                out[-1] = (seat, out[-1][1] + points)
            else:
                out.append((seat, points))
    return out


@pytest.mark.parametrize("seats", [2, 3])
def test_kernel_deals_score_as_in_the_engine(seats: int) -> None:
    five = show.five_table()
    for index, cards in enumerate(some_cards(13 if seats == 2 else 17, 80, seed=seats)):
        dealt = np.array([cards])
        scored = np.full((1, 32), -1, dtype=np.int64)
        past = np.zeros(14, dtype=np.int64)
        log = np.zeros((24, 2), dtype=np.int64)
        hands = np.zeros((seats, 13), dtype=np.int64)
        for at in range(4 * seats):
            hands[at // 4, RANK[cards[at]]] += 1
        if seats == 2:
            rng = build_tables.rng_from(index)
            selfplay.play_out(hands, np.array([4, 4]), past, strategy(), rng, log)
            selfplay.play_deals(
                five, dealt, strategy(), build_tables.rng_from(index), scored[:, :24]
            )
        else:
            three.play_out_three(hands, past, 0, 0, 0, 0, -1, log)
            three.play_deals(five, dealt, scored)
        kernel = [(int(score) // 32, int(score) % 32) for score in scored[0] if score >= 0]
        assert merged(kernel) == replay(seats, cards, [int(rank) for rank in past[: 4 * seats]])
