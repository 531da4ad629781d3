"""Decision apart from outcome: what each discard was worth by the analysis, and what it made.

A discard's worth is its average over all starters and plays, in points (`average_points`). In
standard games the margin counts, so the points decide and not the chance to win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.api import NAMES, average_points, parse_cards
from ratings.standard.field import DiscardChoice, HandComparison

RIGHT = 0.25
"""Points below the best discard within which a discard counts as right."""
LUCKY = 1.5
"""Points from the starter above or below its average that count as luck."""
NEAR_END = 100
"""Points of either side from which averages do not decide any more."""
CARDS = {2: 6, 3: 5}
"""Number of cards dealt to a player, by number of seats."""


@dataclass(frozen=True, slots=True)
class ThrowValue:
    """A discard with its average worth and its result.

    Attributes:
        cards: the cards, by name.
        number: how many threw them; 0 for the best discard if nobody found it.
        cost: points below the best discard on average; 0 for the best.
        made: mean net points in this game beyond the mean of all; None if nobody threw them.
        own: whether the player threw them.
    """

    cards: str
    number: int
    cost: float
    made: float | None
    own: bool

    @property
    def is_right(self) -> bool:
        """Whether it is as good as the best, or nearly."""
        return self.cost < RIGHT


@dataclass(frozen=True, slots=True)
class JudgedHand:
    """A hand's discards, with the decision judged apart from its outcome.

    Attributes:
        compared: the comparison with the field.
        own: the player's discard.
        best: the cards of the best discard.
        gain: points that the player's discard is worth beyond the mean of the others'; None without
            others.
        throws: all discards made, and the best one; the best first.
    """

    compared: HandComparison
    own: ThrowValue
    best: str
    gain: float | None
    throws: tuple[ThrowValue, ...]

    @property
    def luck(self) -> float:
        """Points from the starter beyond its average for the cards kept; 0 without a starter."""
        return float(self.compared.own.get("luck") or 0.0)

    @property
    def is_lucky(self) -> bool:
        """Whether the starter helped clearly more than it does on average."""
        return self.luck >= LUCKY

    @property
    def is_unlucky(self) -> bool:
        """Whether the starter helped clearly less than it does on average."""
        return self.luck <= -LUCKY


def judge(hands: Sequence[HandComparison], *, seats: int) -> dict[int, JudgedHand]:
    """Return the judged hands of an attempt by number.

    Left out are hands whose cards are unknown, and those that begin near the end of the game, where
    the game may be over before a hand or the crib counts. ``hands`` begin with the first hand.
    """
    found: dict[int, JudgedHand] = {}
    score, margin = 0, 0.0
    for hand in hands:
        ahead = max(score, score - margin)
        judged = _judged(hand, seats) if ahead < NEAR_END else None
        if judged is not None:
            found[hand.number] = judged
        score, margin = int(hand.own["after"]), margin + float(hand.own["net"])
    return found


def best_and_worst(
    judged: Mapping[int, JudgedHand],
) -> tuple[JudgedHand | None, JudgedHand | None]:
    """Return the hands with the best and the worst decision; luck plays no part.

    The best is a right discard that gains most on what the others threw; the worst is furthest
    below the best possible one.
    """
    right = [hand for hand in judged.values() if hand.own.is_right and (hand.gain or 0.0) > 0]
    wrong = [hand for hand in judged.values() if not hand.own.is_right]
    best = max(right, key=lambda hand: hand.gain or 0.0, default=None)
    worst = max(wrong, key=lambda hand: hand.own.cost, default=None)
    return best, worst


def _judged(hand: HandComparison, seats: int) -> JudgedHand | None:
    if len(hand.dealt.split()) != CARDS[seats]:
        return None
    worth = _worth(hand.dealt, hand.dealer, seats)
    best = max(worth, key=lambda cards: (worth[cards], cards))
    if any(throw.cards not in worth for throw in hand.throws):
        return None
    number = sum(throw.number for throw in hand.throws)
    mean = sum(throw.net * throw.number for throw in hand.throws) / number
    throws = [
        ThrowValue(
            cards=throw.cards,
            number=throw.number,
            cost=worth[best] - worth[throw.cards],
            made=throw.net - mean,
            own=throw.own,
        )
        for throw in hand.throws
    ]
    own = next(throw for throw in throws if throw.own)
    if best not in {throw.cards for throw in throws}:
        throws.append(ThrowValue(best, 0, 0.0, None, own=False))
    return JudgedHand(
        compared=hand,
        own=own,
        best=best,
        gain=_gain(hand.throws, worth),
        throws=tuple(sorted(throws, key=lambda throw: (throw.cost, -throw.number))),
    )


def _gain(throws: Sequence[DiscardChoice], worth: Mapping[str, float]) -> float | None:
    """Return the worth of the player's discard less the mean of the others'."""
    others = [(throw.number - throw.own, worth[throw.cards]) for throw in throws]
    number = sum(count for count, _ in others)
    if not number:
        return None
    own = next(worth[throw.cards] for throw in throws if throw.own)
    return own - sum(count * points for count, points in others) / number


@lru_cache(maxsize=4096)
def _worth(dealt: str, dealer: bool, seats: int) -> dict[str, float]:
    """Return the average points of each discard by its cards' names, as in `Attempt.hands`."""
    points = average_points(parse_cards(dealt), "dealer" if dealer else "pone", seats)
    return {" ".join(NAMES[card] for card in thrown): worth for thrown, worth in points.items()}
