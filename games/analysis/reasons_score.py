"""Reasons about the score: the choice costs more of the chance to win than its points say."""

from __future__ import annotations

from statistics import pstdev
from typing import TYPE_CHECKING

from games.analysis import reasons_play
from games.analysis.positions import hidden_from
from games.analysis.reasons import Choice, Reason
from games.engine.scoring import count_hand

if TYPE_CHECKING:
    from games.engine.cards import Card
    from games.engine.view import View

COUNTED = 14
"""Points that the hand which counts first may well have."""

PEGGED = 6
"""Points that a player often makes in one play."""


def reason(view: View, best: Choice, own: Choice) -> Reason:
    """Return what the score asks for: to score now, to give nothing, to be safe, or to dare."""
    if view.legal.action == "discard":
        return _throw(view, best, own)
    return _play(view, best.cards[0], own.cards[0])


def _needs(view: View) -> tuple[int, int]:
    """Return the points that the seat needs, and the fewest that an opponent needs."""
    target, seat = view.ruleset.target, view.seat or 0
    others = [score for other, score in enumerate(view.scores) if other != seat]
    return target - view.scores[seat], target - max(others)


def _throw(view: View, best: Choice, own: Choice) -> Reason:
    need, theirs = _needs(view)
    first = view.seat == view.pone
    pegs_more = (best.pegging or 0.0) > (own.pegging or 0.0)
    if first and theirs <= PEGGED and pegs_more:
        return Reason("give_nothing", number=theirs)
    if first and need <= COUNTED:
        return Reason("count_first", number=need)
    if not first and theirs <= COUNTED and pegs_more:
        return Reason("pegs_decide", number=theirs)
    dares = _spread(view, best.cards) > _spread(view, own.cards)
    return Reason("too_cautious" if dares else "too_bold")


def _spread(view: View, thrown: tuple[Card, ...]) -> float:
    """Return the standard deviation of the hand kept, over all starters."""
    kept = [card for card in view.cards if card not in thrown]
    return pstdev(count_hand(kept, starter) for starter in hidden_from(view))


def _play(view: View, best: Card, own: Card) -> Reason:
    _need, theirs = _needs(view)
    better, worse = (reasons_play.features(view, card) for card in (best, own))
    saves = sum(worse.gives.values()) - sum(better.gives.values())
    scores = sum(better.takes.values()) - sum(worse.takes.values())
    if scores > 0 or saves < 0:
        late = view.seat != view.pone and theirs <= COUNTED
        return Reason("score_now", number=theirs) if late else Reason("too_cautious")
    if theirs <= PEGGED:
        return Reason("give_nothing", number=theirs)
    return Reason("too_bold")
