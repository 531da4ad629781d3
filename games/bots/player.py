"""The protocol of computer players, which decide from a View only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from games.engine.cards import Card

if TYPE_CHECKING:
    from games.engine.view import View


class Player(Protocol):
    """A computer player: a deterministic function of the view, with the same result on any machine.

    A player keeps no state between calls, so one object serves all tables.
    """

    @property
    def name(self) -> str:
        """The player's first name, which is its key in the registry."""

    @property
    def version(self) -> int:
        """The version, increased whenever a decision may change and stored with each match."""

    @property
    def description(self) -> str:
        """The playing style, in English (a gettext message)."""

    def discard(self, view: View) -> tuple[Card, ...]:
        """Return the cards to discard: two of six, or one of five with three seats."""

    def play(self, view: View) -> Card:
        """Return the card to play, one of ``view.legal.cards``."""
