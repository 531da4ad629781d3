"""A question to the explorer: its spot, the reader's cards for each choice, and the analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games.archive.explorer import spots
from games.engine.cards import RANK, Card
from games.pages.learn.explorer_form import KEPT, ExplorerForm
from games.pages.learn.tools import percent, signed

Kind = Literal["throw", "lead", "answer"]


@dataclass(frozen=True, slots=True)
class Question:
    """A reader's question to the explorer.

    Attributes:
        kind: what is chosen.
        spot: the situation.
        cards: the reader's cards for each choice that they have.
        values: what the analysis says of each choice: points of a throw, else the share of the
            solved strategy. Empty where it says nothing.
    """

    kind: Kind
    spot: int
    cards: dict[int, tuple[Card, ...]]
    values: dict[int, float]

    @property
    def best(self) -> int | None:
        """The choice that the analysis prefers."""
        return max(self.values, key=self.values.__getitem__, default=None)

    def said(self, choice: int) -> str:
        """Return what the analysis says of a choice, as text."""
        value = self.values.get(choice)
        if value is None:
            return "–"
        return signed(value, plus="") if self.kind == "throw" else percent(value, 0)


def question_of(form: ExplorerForm) -> Question:
    """Return the question of a valid form."""
    data = form.cleaned_data
    cards, dealer = data["cards"], data["role"] != "pone"
    return _play(cards, data["led"]) if len(cards) == KEPT else throw_question(cards, dealer=dealer)


def throw_question(cards: tuple[Card, ...], *, dealer: bool) -> Question:
    """Return the question what was thrown from six cards."""
    from games.analysis.discards import average_points

    values: dict[int, float] = {}
    for pair, value in average_points(cards, "dealer" if dealer else "pone").items():
        choice = spots.throw_choice(cards, pair)
        values[choice] = max(value, values.get(choice, value))
    return Question("throw", spots.throw_spot(cards, dealer=dealer), spots.throws(cards), values)


def _play(kept: tuple[Card, ...], led: int | None) -> Question:
    from games.analysis.plays import opening_shares

    cards: dict[int, tuple[Card, ...]] = {}
    for card in sorted(kept):
        cards.setdefault(RANK[card], (card,))
    spot = spots.lead_spot(kept) if led is None else spots.answer_spot(kept, led)
    return Question("lead" if led is None else "answer", spot, cards, opening_shares(kept, led))
