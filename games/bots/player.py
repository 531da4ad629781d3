"""What a computer player is: something that answers a View, and sees nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from games.engine.cards import Card

if TYPE_CHECKING:
    from games.engine.view import View


class Player(Protocol):
    """A computer player. The same view gets the same answer, in any process, on any machine.

    A player has no state between two calls, so that one object serves every table.
    """

    @property
    def name(self) -> str:
        """The name of a person, by which the registry finds it."""

    @property
    def version(self) -> int:
        """Goes up whenever an answer may differ; stored with each match."""

    @property
    def description(self) -> str:
        """How it plays, in plain English words (a message for gettext)."""

    def discard(self, view: View) -> tuple[Card, ...]:
        """Return the cards to lay away: two of six, or one of five with three seats."""

    def play(self, view: View) -> Card:
        """Return the card to play, one of ``view.legal.cards``."""
