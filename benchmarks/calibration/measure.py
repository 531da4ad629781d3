"""The experiment: deals of real games of one style, with one part played by the strongest computer.

*Said* is what the reviews' analysis says that a seat lost in a part. *Seen* is what it gains if the
strongest computer decides that part for it. The gain is the sum, along the changed deal, of what
each changed choice gains while the style plays all that follows: these sums telescope to the
difference of the two deals, and each can be averaged over hidden hands (`worlds`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration import styles, worlds
from benchmarks.calibration.choices import Choice
from benchmarks.calibration.deal import POOL, REVIEWS, Deal, Judge, Tables
from games.analysis.arena import pack

Array = NDArray[Any]

PARTS = ("throws", "leads", "answers", "cards")
"""The parts that are swapped; "cards" are leads and answers together."""


@dataclass(slots=True)
class SeatDeal:
    """Predictions and results for one seat in one deal, by part."""

    choices: list[Choice] = field(default_factory=list)
    plain: dict[str, tuple[float, float]] = field(default_factory=dict)
    seen: dict[str, tuple[float, float]] = field(default_factory=dict)


def measure(style: str, number: int, seed: int, judge: Judge = REVIEWS) -> Iterator[SeatDeal]:
    """Yield both roles of ``number`` deals, in games between players of one style."""
    made = Tables.of(styles.STYLES[style], seed, judge=judge)
    rng = np.array([seed], dtype=np.int64)
    game = hand = dealer = 0
    scores = [0, 0]
    for at in range(number):
        hand += 1
        cards = pack(seed + game, hand)
        deal = Deal(
            made,
            [np.sort(np.array(cards[6 * role : 6 * role + 6])) for role in range(2)],
            int(cards[12]),
            np.array([scores[1 - dealer], scores[dealer]]),
            np.array([2 * at + 1, 2 * at + 2]) + 1_000_003 * seed,
        )
        deal.throw()
        for me in range(2):
            yield _seat(deal, me, at, rng)
        after = _counted(deal)
        scores = [after[1], after[0]] if dealer == 0 else [after[0], after[1]]
        dealer = 1 - dealer
        if max(scores) >= worlds.TARGET:
            game, hand = game + 1, 0
            scores, dealer = [0, 0], (game + 1) % 2


def _seat(deal: Deal, me: int, at: int, rng: Array) -> SeatDeal:
    found = SeatDeal()
    thrown = deal.judge_throw(me, (at * 977) % POOL, rng)
    found.choices.append(thrown)
    found.plain["throws"], found.seen["throws"] = thrown.plain, thrown.seen
    found.choices.extend(deal.decisions(me))
    for part in PARTS[1:]:
        found.plain[part], found.seen[part], _ = deal.follow(me, part)
    return found


def _counted(deal: Deal) -> list[int]:
    """Return the scores of pone and dealer after the deal as the style plays it."""
    from games.analysis.kernels import show

    _, _, line = deal.follow(0, "")
    scores = [int(line.scores[0]), int(line.scores[1])]
    crib = np.concatenate([deal.kept[0][4:], deal.kept[1][4:]])
    shown = ((0, deal.kept[0][:4], False), (1, deal.kept[1][:4], False), (1, crib, True))
    for role, cards, is_crib in shown:
        if max(scores) < worlds.TARGET:
            scores[role] += show.count_cards(deal.tables.five, cards, deal.starter, is_crib)
    return scores
