"""Games that computers play by themselves on given packs, move by move through the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from games.api import Discard, Move, Play, Ruleset, View, draw, rules, view_for


class Plays(Protocol):
    """A computer player."""

    def discard(self, view: View) -> tuple[int, ...]:
        """Return the cards to lay away."""

    def play(self, view: View) -> int:
        """Return the card to play."""


def play_out(players: Sequence[Plays], packs: Sequence[str]) -> tuple[Ruleset, list[Move]]:
    """Play a game to its end, seat 0 dealing first; return its rules and log."""
    ruleset = Ruleset(players=len(players), first_dealer=0)
    state = rules.start(ruleset)
    moves: list[Move] = []
    while not state.results:
        move: Move | None = draw(state, packs)
        if move is None:
            seat = rules.waiting(state)[0]
            view = view_for(state, seat)
            if view.legal.action == "discard":
                move = Discard(seat, players[seat].discard(view))
            else:
                move = Play(seat, players[seat].play(view))
        moves.append(move)
        state = rules.apply(state, move).state
    return ruleset, moves
