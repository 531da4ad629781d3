"""One attempt beside the field: everybody who held the same seat of the same standard game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.api import HandSeat
from ratings.comparison import matchpoints
from ratings.models import Attempt, Play, StandardGame
from ratings.selectors.access import hands_reached

READ = 400
"""Attempts of one seat that are compared hand by hand; a daily game may have more."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an attempt did with its cards.

    Attributes:
        others: how many other attempts there are in that seat.
        beaten: share (0..100) of them that it beats, ties counting half; None without others.
        points: matchpoints (0..100), drawn to the middle while few have played.
        margin: the margin that counts, points.
        mean: the mean margin of the others, points; None without others.
    """

    others: int
    beaten: float | None
    points: float
    margin: float
    mean: float | None


@dataclass(frozen=True, slots=True)
class Throw:
    """One way to discard from a hand: the cards, how many chose it, what came of it (points)."""

    cards: str
    number: int
    net: float
    own: bool


@dataclass(frozen=True, slots=True)
class HandCompared:
    """One hand of an attempt beside the field.

    Attributes:
        number: 1 for the first.
        dealer: whether the seat deals it.
        dealt, starter: cards by name, "" where unknown.
        own: what the attempt made of it, as in `Attempt.hands`.
        mean: the mean net points of the others who played it; None where nobody did.
        others, same: how many others played it, and how many of them threw the same.
        throws: each discard that was chosen, the commonest first.
        swing: net points of the own discard less those of who threw otherwise; None where all
            threw the same.
    """

    number: int
    dealer: bool
    dealt: str
    starter: str
    own: dict[str, Any]
    mean: float | None
    others: int
    same: int
    throws: tuple[Throw, ...]
    swing: float | None

    @property
    def beyond(self) -> float | None:
        """Own net points beyond the field's mean; None where nobody else played the hand."""
        return None if self.mean is None else float(self.own["net"]) - self.mean


def field_of(*, game: StandardGame, seat: int) -> list[Attempt]:
    """Return the finished attempts in a seat, the newest first; neither practice nor removed ones.

    House computers are among them. Their players are fetched.
    """
    return list(
        Attempt.objects.filter(standard_game=game, seat=seat, play__finished_at__isnull=False)
        .exclude(play__exclusion__in=[Play.Exclusion.PRACTICE, Play.Exclusion.REMOVED])
        .select_related("player", "play__match")
        .order_by("-pk")[:READ]
    )


def verdict(attempt: Attempt, field: Sequence[Attempt]) -> Verdict:
    """Return how a finished attempt did beside the others of its seat."""
    return judged(
        margin_of(attempt), [margin_of(other) for other in field if other.pk != attempt.pk]
    )


def judged(margin: float, others: Sequence[float]) -> Verdict:
    """Return how a margin does beside those of the others, points."""
    beaten = sum((other < margin) + (other == margin) / 2 for other in others)
    return Verdict(
        others=len(others),
        beaten=100.0 * beaten / len(others) if others else None,
        points=matchpoints(margin, others),
        margin=margin,
        mean=sum(others) / len(others) if others else None,
    )


def margin_of(attempt: Attempt) -> float:
    """Return the margin of an attempt that counts, points."""
    return attempt.counted if attempt.counted is not None else float(attempt.margin or 0.0)


def hands_compared(
    attempt: Attempt, field: Sequence[Attempt], *, upto: int | None = None
) -> list[HandCompared]:
    """Return an attempt's hands beside the field, as far as its player got, or ``upto`` of them."""
    reached = hands_reached(attempt) if upto is None else min(upto, len(attempt.hands))
    others = [other for other in field if other.pk != attempt.pk]
    cards = _cards(attempt)
    return [
        _compared(
            number,
            attempt,
            [other.hands[number] for other in others if number < len(other.hands)],
            *cards.get(number, ("", "")),
        )
        for number in range(min(reached, len(attempt.hands)))
    ]


def best_and_worst(
    hands: Sequence[HandCompared],
) -> tuple[HandCompared | None, HandCompared | None]:
    """Return the hands whose discard did best and worst beside other discards of the same cards."""
    judged = [hand for hand in hands if hand.swing is not None]
    gains = [hand for hand in judged if (hand.swing or 0.0) > 0]
    losses = [hand for hand in judged if (hand.swing or 0.0) < 0]
    best = max(gains, key=lambda hand: hand.swing or 0.0, default=None)
    worst = min(losses, key=lambda hand: hand.swing or 0.0, default=None)
    return best, worst


def _compared(
    number: int,
    attempt: Attempt,
    others: Sequence[dict[str, Any]],
    dealt: str,
    starter: str,
) -> HandCompared:
    own = attempt.hands[number]
    nets: dict[str, list[float]] = {}
    for hand in (own, *others):
        nets.setdefault(hand["thrown"], []).append(float(hand["net"]))
    throws = [
        Throw(cards, len(found), sum(found) / len(found), cards == own["thrown"])
        for cards, found in nets.items()
    ]
    otherwise = [float(hand["net"]) for hand in others if hand["thrown"] != own["thrown"]]
    alike = nets[own["thrown"]]
    swing = None
    if otherwise:
        swing = sum(alike) / len(alike) - sum(otherwise) / len(otherwise)
    return HandCompared(
        number=number + 1,
        dealer=number % attempt.standard_game.seats == attempt.seat,
        dealt=dealt,
        starter=starter,
        own=own,
        mean=sum(float(hand["net"]) for hand in others) / len(others) if others else None,
        others=len(others),
        same=len(others) - len(otherwise),
        throws=tuple(sorted(throws, key=lambda throw: (-throw.number, -throw.net))),
        swing=swing,
    )


def _cards(attempt: Attempt) -> dict[int, tuple[str, str]]:
    """Return for each hand of an attempt's match the cards dealt to it, and the starter."""
    rows = HandSeat.objects.filter(
        hand__match=attempt.play.match_id,
        seat__player=attempt.player_id,
        seat__computer=attempt.player.is_computer,
    ).values_list("hand__number", "dealt", "hand__starter")
    return {number: (dealt, starter) for number, dealt, starter in rows}
