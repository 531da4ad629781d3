"""Benchmark of what three-seat reviews state: part of ``make bench-review``.

Decisions of held-out games between computers are valued with several independent samples: cards
with other random deals, discards with other tables of the play and cribs, or near the end other
recorded deals. It prints the standard error and the largest error of the chance to win stated for a
choice, and of the loss of the choice made, in games in a hundred. The errors of cards are those to
a reference of `REFERENCE` deals, those of discards to the mean of all samples.

It also lists decisions that the first line of analysis calls wrong, in games of the strongest
computer against two whose styles are known, and what they lose against these styles.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from games.analysis import build_tables_three, three, three_exact, three_opponents, uncertainty
from games.analysis.arena import chance_move, pack
from games.analysis.kernels import show
from games.analysis.kernels import three as three_kernel
from games.analysis.review import judge
from games.analysis.review_verdicts import SOUND
from games.bots import get
from games.bots.player import Player
from games.engine import rules
from games.engine.cards import RANK, Card
from games.engine.moves import Discard, Move, Play
from games.engine.state import Ruleset
from games.engine.view import View, view_for

Array = NDArray[Any]

SEED = 70_000_000
"""Number of the first game's packs; nothing was chosen by them."""
GAMES = 12
EACH = 60
"""Decisions of each group: cards and discards, before and after `three.NEAR_END`."""
SAMPLES = 6
"""Independent samples of each decision."""
REFERENCE = 20_000
GOAL = 0.5
SEATED = ("poppy", "elsie", "alfie", "nora", "walter", "grace")
STYLE_GAMES = 20
OTHERS = ("walter", "keen")
"""The opponents of the strongest computer; each plays in one of the styles that she knows."""
STYLE = {"walter": 2, "keen": 3}
"""The places of their styles in `three_opponents.STYLES`."""
DEEPER_WORLDS = 20_000
DEEPER_DEALS = 18_800
WORST = 30.0
"""Points by which a discard may trail the best one in the deeper analysis."""


class Decision(NamedTuple):
    """A view, and the cards chosen in it."""

    view: View
    chosen: tuple[Card, ...]


class Error(NamedTuple):
    """Errors of one decision, in games in a hundred: of each choice's chance, and of the loss."""

    chances: Array
    losses: Array


def decisions(seated: list[Player], seed: int) -> Iterator[Decision]:
    """Play a game on the packs of a seed, and yield its decisions but forced ones."""
    state = rules.start(Ruleset(players=3, first_dealer=0))
    hand = 0
    while not state.results:
        kind = rules.chance(state)
        if kind is not None:
            hand += kind == "deal"
            state = rules.apply(state, chance_move(state, pack(seed, hand))).state
            continue
        seat = rules.waiting(state)[0]
        view = view_for(state, seat)
        if view.legal.action == "discard":
            chosen = seated[seat].discard(view)
            move: Move = Discard(seat, chosen)
        else:
            card = seated[seat].play(view)
            chosen, move = (card,), Play(seat, card)
        if view.legal.action == "discard" or len({RANK[card] for card in view.legal.cards}) > 1:
            yield Decision(view, chosen)
        state = rules.apply(state, move).state


def groups(games: int, each: int) -> dict[tuple[str, bool], list[Decision]]:
    """Return decisions of each kind, before and after the score from which chances decide."""
    found: dict[tuple[str, bool], list[Decision]] = {}
    for game in range(games):
        seated = [get(SEATED[(game + 2 * seat) % len(SEATED)]) for seat in range(3)]
        for one in decisions(seated, SEED + game):
            key = str(one.view.legal.action), three_exact.is_by_chance(one.view)
            found.setdefault(key, []).append(one)
    return {key: all_of[:: max(1, len(all_of) // each)][:each] for key, all_of in found.items()}


def errors(one: Decision, at: int, samples: Array, reference: Array) -> Error:
    """Return the errors of points and chances by sample and choice; ``at`` is the one made."""
    worths, true = (three_exact.worth(one.view, values) for values in (samples, reference))
    losses = worths.max(axis=1) - worths[:, at] - (true.max() - true[at])
    return Error(100 * (samples[..., 1] - reference[:, 1]), 100 * losses)


def card_errors(chosen: list[Decision]) -> Iterator[Error]:
    """Yield the errors of cards."""
    for one in chosen:
        ranks, reference = three.rate(one.view, REFERENCE, part=-1)
        samples = [
            three_exact.rate_parts(one.view, first=1000 * (1 + sample)).mean(axis=0)
            for sample in range(SAMPLES)
        ]
        yield errors(one, list(ranks).index(RANK[one.chosen[0]]), np.array(samples), reference)


class Tables(NamedTuple):
    """Other tables by which discards are valued."""

    cribs: Array
    pegs: Array
    deals: Array


def other_tables(seed: int, hands: list[Array]) -> Tables:
    """Return tables from another seed: those of the play for some hands of each role only."""
    dealt = build_tables_three.fine_deals(seed)
    cribs, pegs = np.zeros((3, 13)), np.zeros((3, 13**4, 2), dtype=np.int16)
    for role, some in enumerate(hands):
        three_kernel.crib_means(
            show.five_table(), dealt, role, np.array([seed], dtype=np.uint64), cribs[role]
        )
        if len(some):
            measured = build_tables_three.fine_pegs(role, dealt, some, seed)
            pegs[role, some @ (13**3, 13**2, 13, 1)] = measured
    pegs.flags.writeable = False
    scored = np.full((build_tables_three.FINE_KEPT, 32), -1, dtype=np.int16)
    three_kernel.play_deals(show.five_table(), dealt[: len(scored)], scored)
    return Tables(cribs, pegs, scored.astype(np.int64))


def discard_errors(chosen: list[Decision]) -> Iterator[Error]:
    """Yield the errors of discards."""
    kept: list[set[tuple[int, ...]]] = [set(), set(), set()]
    for one in chosen:
        kept[role_of(one)] |= {
            tuple(sorted(RANK[card] for card in four)) for four in combinations(one.view.cards, 4)
        }
    hands = [np.array(sorted(some), dtype=np.int64) for some in kept]
    samples = [discard_values(chosen, other_tables(1000 + at, hands)) for at in range(SAMPLES)]
    for number, one in enumerate(chosen):
        values = np.array([sample[number] for sample in samples])
        at = sorted(one.view.cards).index(one.chosen[0])
        found = errors(one, at, values, values.mean(axis=0))
        own = (SAMPLES / (SAMPLES - 1)) ** 0.5  # each sample is a part of the mean
        yield Error(own * found.chances, own * found.losses)


def role_of(one: Decision) -> int:
    """Return the role of the seat that decides."""
    return three.role_of(one.view.seat or 0, one.view.dealer or 0)


def discard_values(chosen: list[Decision], by: Tables) -> list[Array]:
    """Return the points and chance to win of the discards of each decision, by some tables."""
    found = []
    for one in chosen:
        role, cards = role_of(one), tuple(sorted(one.view.cards))
        averages, spreads = three.value_throws(cards, role, exact=True)
        at = np.array([[RANK[card] for card in cards if card != thrown] for thrown in cards])
        index = at @ (13**3, 13**2, 13, 1)
        averages[:, 1] = by.cribs[role, [RANK[card] for card in cards]]
        averages[:, 2:] = by.pegs[role, index] / 100
        scores = three.scores_by_role(one.view)
        won = three.chances(averages, spreads, role, scores, by.deals)
        found.append(np.column_stack([three.totals(averages, role), won]))
    return found


def show_group(name: str, found: list[Error], seconds: float) -> None:
    """Print the errors of a group."""
    cells = []
    for all_of in (
        np.concatenate([one.chances.ravel() for one in found]),
        np.concatenate([one.losses for one in found]),
    ):
        standard = float(np.sqrt((all_of**2).mean()))
        beyond = 100 * float((np.abs(all_of) > GOAL).mean())
        cells.append(f"{standard:.2f} | {np.abs(all_of).max():.2f} | {beyond:.1f}%")
    print(f"| {name} | {len(found)} | {' | '.join(cells)} |  ({seconds:.0f} s of CPU)", flush=True)


def deeper_loss(view: View, best: tuple[Card, ...], own: tuple[Card, ...], trust: Array) -> float:
    """Return the loss of ``own`` if the opponents have their real styles, in games in a hundred.

    `trust` is as in `games.analysis.three_opponents`. Many more hands or deals are played.
    """
    with (
        patch.object(three_opponents, "trust", lambda _view: trust),
        patch.object(three, "DEALS", DEEPER_DEALS),
        patch.object(three, "CANDIDATE", WORST),
    ):
        if view.legal.action == "discard":
            chance = {value.thrown: value.chance for value in three.evaluate_by_deals(view)}
            return 100 * (chance[best] - chance[own])
        ranks, values = three.rate_by_belief(view, DEEPER_WORLDS)
        at = list(ranks)
        return float(100 * (values[at.index(RANK[best[0]]), 1] - values[at.index(RANK[own[0]]), 1]))


def second_line(games: int) -> None:
    """Print which wrong decisions the second line of analysis denies, and what they really lose."""
    number: Counter[str] = Counter()
    wrong: dict[tuple[str, bool], list[tuple[float, float]]] = {}
    for game in range(games):
        names = [OTHERS[(game + place) % 2] for place in range(2)]
        names.insert(game % 3, "ada")
        for one in decisions([get(name) for name in names], SEED + 1000 + game):
            name = names[one.view.seat or 0]
            with patch.object(uncertainty, "is_denied", lambda *_: False):
                item = judge(one.view, one.chosen)
            number[name] += 1
            if item.best is None or item.verdict in SOUND:
                continue
            trust = np.zeros((3, len(three_opponents.STYLES)))
            for seat, other in enumerate(names):
                trust[three.role_of(seat, one.view.dealer or 0), STYLE.get(other, 0)] = 1.0
            key = name, uncertainty.is_denied(one.view, item.chosen, item.loss)
            real = deeper_loss(one.view, item.best.cards, one.chosen, trust)
            wrong.setdefault(key, []).append((100 * item.loss, real))
    print(f"\n{games} games, decisions: {dict(number)}")
    print(
        "| wrong decisions of | second line | number | said | against the real styles | 1 or more |"
    )
    for (name, denied), losses in sorted(wrong.items()):
        said, real = np.array(losses).T
        line = "denies" if denied else "agrees"
        print(
            f"| {name} | {line} | {len(losses)} | {said.mean():.2f} | {real.mean():.2f} "
            f"| {(real >= 1).sum()} |",
            flush=True,
        )


def main() -> int:
    """Print the errors of each group, and the verdicts on the strongest computer; return 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=EACH, help="decisions of each group")
    parser.add_argument("--games", type=int, default=STYLE_GAMES, help="games between known styles")
    asked = parser.parse_args()
    print(
        f"| decisions | number | chance: error | largest | beyond {GOAL} | loss: the same three |"
    )
    measure: dict[str, Callable[[list[Decision]], Iterator[Error]]]
    measure = {"play": card_errors, "discard": discard_errors}
    for (action, late), chosen in sorted(groups(GAMES, asked.each).items()):
        began = time.process_time()
        found = list(measure[action](chosen))
        name = f"{action}, {'from' if late else 'before'} {three.NEAR_END} points"
        show_group(name, found, time.process_time() - began)
    second_line(asked.games)
    return 0


if __name__ == "__main__":
    sys.exit(main())
