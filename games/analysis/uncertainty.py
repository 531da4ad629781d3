"""Uncertainty of a review's losses: where the analysis can't tell two choices apart.

A loss within two standard errors, or one that the second line of analysis denies, is *close*:

- Two seats, cards: the first line expects that the opponent follows the solved strategy or rules of
  thumb (`games.analysis.opponents`), the second one the solved strategy alone.
- Two seats, discards: the error comes from the table of points in the play.
- Three seats: the error comes from sampling: of the tables for discards, of the hidden cards for
  cards. It is estimated from parts of the samples. The first line takes hidden cards as equally
  likely and expects rules of thumb; the second one is the strongest computer's, which weighs how
  hands are kept and how these opponents have played (`games.analysis.three_opponents`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from games.analysis import plays, three, three_exact, winning
from games.analysis.opponents import solving
from games.analysis.positions import play_position
from games.analysis.review_verdicts import FROM, POINT
from games.engine.cards import RANK

if TYPE_CHECKING:
    from games.engine.cards import Card
    from games.engine.view import View

Array = NDArray[Any]

ERRORS = 2.0
"""Standard errors within which a loss is close."""

PARTS = 10
"""Three seats: parts of the recorded deals from which the error of a discard is estimated."""

PEGGED_TWO = 0.105
"""Two seats: standard error of the difference of two discards in the play, in points.

A hand's pegging, less the opponent's, spreads by 2.85 points; each is the average of 1,500 plays
(`games.analysis.build_tables.PEG_EACH`).
"""

PEGGED_THREE = 0.095
"""Three seats: the same, of 1,600 plays and a spread of 2.7 points, the others' counting half."""


def is_close(view: View, best: tuple[Card, ...], own: tuple[Card, ...], loss: float) -> bool:
    """Whether the analysis can't be sure that ``own`` loses, by ``loss``, against ``best``."""
    throws = view.legal.action == "discard"
    if view.ruleset.players == 3:
        error = (_throw_error_three if throws else _play_error_three)(view, best, own)
        return loss <= ERRORS * error or is_denied(view, own, loss)
    if throws:
        return loss <= ERRORS * PEGGED_TWO * point_worth(view)
    return loss >= FROM["inaccuracy"] > _second_loss(view, own[0])


def point_worth(view: View) -> float:
    """Return what one point more is worth to the seat at these scores, in chance to win."""
    if view.ruleset.players == 3:
        return POINT
    seat, target = view.seat or 0, view.ruleset.target
    scores = list(view.scores)
    if scores[seat] + 1 >= target:
        return POINT
    before = winning.win_probability(tuple(scores), view.dealer or 0, target=target)[seat]
    scores[seat] += 1
    return winning.win_probability(tuple(scores), view.dealer or 0, target=target)[seat] - before


def _second_loss(view: View, own: Card) -> float:
    """Return the loss of a card if the opponent follows the solved strategy."""
    position = play_position(view)
    chances = plays.rate(position, plays.MOST_HANDS, solving(position))[:, 1]
    return float(chances.max() - chances[list(position.legal).index(RANK[own])])


def is_denied(view: View, own: tuple[Card, ...], loss: float) -> bool:
    """Return whether the second line, the strongest computer's, denies a loss that matters."""
    if loss < FROM["inaccuracy"]:
        return False
    if view.legal.action == "discard":
        chances = {value.thrown: value.chance for value in three.evaluate_by_deals(view)}
        return max(chances.values()) - chances.get(own, -1.0) < FROM["inaccuracy"]
    ranks, rated = three.rate_by_belief(view)
    won = rated[:, 1]
    return float(won.max() - won[list(ranks).index(RANK[own[0]])]) < FROM["inaccuracy"]


def _play_error_three(view: View, best: tuple[Card, ...], own: tuple[Card, ...]) -> float:
    """Return the standard error of the loss of a card, from the parts of its deals."""
    ranks = sorted({RANK[card] for card in view.legal.cards})
    worth = three_exact.worth(view, three_exact.rate_parts(view))
    return _error(worth[:, ranks.index(RANK[best[0]])] - worth[:, ranks.index(RANK[own[0]])])


def _throw_error_three(view: View, best: tuple[Card, ...], own: tuple[Card, ...]) -> float:
    """Return the standard error of the loss of a discard, by the tables or the recorded deals."""
    if not three_exact.is_by_chance(view):
        return POINT * PEGGED_THREE
    cards = tuple(sorted(view.cards))
    deals = three.recorded_deals(exact=True)
    parts = [three_exact.value_throws(view, deals=deals[at::PARTS].copy()) for at in range(PARTS)]
    chances = np.array([won for _, _, won in parts])
    return _error(chances[:, cards.index(best[0])] - chances[:, cards.index(own[0])])


def _error(parts: Array) -> float:
    """Return the standard error of the mean of independent parts."""
    return float(np.std(parts, ddof=1) / np.sqrt(len(parts)))
