"""Reasons of plays: points missed, replies left open, and plans for the next card.

The features of a card are estimated, in points: what it scores, what the next player's best reply
scores, and what the seat's best card after that scores. Every card that the seat hasn't seen is
equally likely to be in the next player's hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from games.analysis.positions import hidden_from
from games.analysis.reasons import TEN_CARDS, Kind, Reason
from games.engine.cards import PIPS, RANK, Card
from games.engine.pegging import LIMIT, playable, score_play

if TYPE_CHECKING:
    from games.engine.view import View

FIVE, TEN = 4, 9

LEAST = 0.12
"""Points from which a feature is named."""

LOW = 4
"""The highest value of a card that is worth keeping for the end of a count."""

Pile = tuple[Card, ...]


@dataclass(slots=True)
class Features:
    """The estimated points of a card by idea, and by rank those that each reply scores.

    Attributes:
        takes: points now, by kind of combination.
        gives: points of the next player's reply, by kind and rank.
        plans: points of the seat's next card after that, by kind.
        ends: points for go or last card.
    """

    takes: Counter[str] = field(default_factory=Counter)
    gives: dict[tuple[str, int], float] = field(default_factory=dict)
    plans: dict[str, float] = field(default_factory=dict)
    ends: float = 0.0

    def given(self, kind: str) -> float:
        """Return the points of replies of one kind."""
        return sum(points for (one, _rank), points in self.gives.items() if one == kind)


def reason(view: View, best: Card, own: Card) -> Reason:
    """Return the feature in which the two cards differ most."""
    better, worse = features(view, best), features(view, own)
    differences: list[tuple[float, Reason]] = []
    for kind in _KINDS:
        taken = float(better.takes[kind] - worse.takes[kind])
        differences.append((taken, Reason(_MISSES[kind])))
        given = worse.given(kind) - better.given(kind)
        differences.append((given, _opened(view, own, kind, better, worse)))
        planned = better.plans.get(kind, 0.0) - worse.plans.get(kind, 0.0)
        if planned > LEAST:
            differences.append((planned, _planned(view, best, kind)))
    differences.append((better.ends - worse.ends, Reason("misses_go")))
    most, found = max(differences, key=lambda one: one[0])
    if most >= LEAST:
        return found
    if PIPS[own] <= LOW and PIPS[own] < PIPS[best]:
        return Reason("low_too_early", (own,))
    return Reason("play_on")


_KINDS = ("fifteen", "thirty_one", "pair", "royal", "run")

_MISSES: dict[str, Kind] = {
    "fifteen": "misses_fifteen",
    "thirty_one": "misses_thirty_one",
    "pair": "misses_pair",
    "royal": "misses_royal",
    "run": "misses_run",
}

_OPENS: dict[str, Kind] = {
    "fifteen": "opens_fifteen",
    "thirty_one": "opens_thirty_one",
    "pair": "opens_pair",
    "royal": "opens_royal",
    "run": "opens_run",
}


def _opened(view: View, own: Card, kind: str, better: Features, worse: Features) -> Reason:
    """Return the reply of one kind that the card allows more than the best one."""
    if not view.pile and kind == "fifteen" and RANK[own] == FIVE:
        return Reason("leads_five")
    if kind in {"pair", "royal"}:
        return Reason(_OPENS[kind], rank=RANK[own])
    if kind == "run":
        return Reason("opens_run")
    by_rank = {
        rank: points - better.gives.get((one, rank), 0.0)
        for (one, rank), points in worse.gives.items()
        if one == kind
    }
    rank = max(by_rank, key=lambda one: by_rank[one]) if by_rank else None
    if rank is not None and rank >= TEN:
        rank = TEN_CARDS
    return Reason(_OPENS[kind], rank=rank)


def _planned(view: View, best: Card, kind: str) -> Reason:
    """Return what the best card prepares."""
    same = sum(RANK[card] == RANK[best] for card in view.cards) > 1
    if kind in {"pair", "royal"}:
        if not view.pile and same:
            return Reason("lead_from_pair", rank=RANK[best])
        return Reason("plans_pair", rank=RANK[best])
    if kind == "run":
        return Reason("plans_run", (best,))
    return Reason("plans_fifteen" if view.pile else "lead_trap", (best,))


def features(view: View, card: Card) -> Features:
    """Return the estimated points of playing a card, by idea."""
    seat = view.seat or 0
    pile = (*(one for _who, one in view.pile), card)
    rest = list(view.cards)
    rest.remove(card)
    found = Features(takes=_scored(pile))
    number = view.hand_sizes[(seat + 1) % len(view.hand_sizes)]
    if view.gos[(seat + 1) % len(view.gos)]:
        number = 0
    left = 1.0
    for share, reply, points in _replies(view, pile, number):
        chance = min(share, left)
        left -= chance
        for kind, scored in points.items():
            at = (kind, RANK[reply])
            found.gives[at] = found.gives.get(at, 0.0) + chance * scored
        _plan(found, (*pile, reply), rest, chance)
    if sum(PIPS[one] for one in pile) < LIMIT:
        found.ends = left
    _plan(found, pile, rest, left)
    return found


def _replies(view: View, pile: Pile, number: int) -> Iterator[tuple[float, Card, Counter[str]]]:
    """Yield the replies that the next player may have, best first, each with its chance.

    The chance is that of a hand with this rank and none that scores more.
    """
    hidden = hidden_from(view)
    one_of = {RANK[card]: card for card in hidden}
    held = Counter(RANK[card] for card in hidden)
    fit = playable(tuple(one_of.values()), sum(PIPS[one] for one in pile))
    scored = [(card, _scored((*pile, card))) for card in fit]
    scored.sort(key=lambda one: -sum(one[1].values()))
    without, total = 1.0, len(hidden)
    passed = 0
    for card, points in scored:
        passed += held[RANK[card]]
        after = _none_of(passed, total, number)
        yield without - after, card, points
        without = after


def _none_of(these: int, total: int, number: int) -> float:
    """Return the chance that ``number`` of ``total`` cards are none of ``these``."""
    chance = 1.0
    for drawn in range(number):
        chance *= max(0, total - these - drawn) / (total - drawn)
    return chance


def _plan(found: Features, pile: Pile, rest: list[Card], chance: float) -> None:
    """Add the seat's best next card, by kind."""
    fit = playable(rest, sum(PIPS[one] for one in pile))
    if not fit or chance <= 0.0:
        return
    best = max((_scored((*pile, card)) for card in fit), key=lambda one: sum(one.values()))
    for kind, points in best.items():
        found.plans[kind] = found.plans.get(kind, 0.0) + chance * points


def _scored(pile: Pile) -> Counter[str]:
    """Return the points of the last card by kind; three and four of a kind are "royal"."""
    points: Counter[str] = Counter()
    for part in score_play(pile):
        points["royal" if "royal" in part.kind else part.kind] += part.points
    return points
