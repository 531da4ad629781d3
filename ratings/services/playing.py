"""Games that computers play by themselves on given packs, move by move through the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from games.api import Discard, Move, Play, Ruleset, State, View, draw, rules, view_for


class Plays(Protocol):
    """A computer player."""

    def discard(self, view: View) -> tuple[int, ...]:
        """Return the cards to lay away."""

    def play(self, view: View) -> int:
        """Return the card to play."""


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """A game that is over: its rules, its log, and what the log comes to.

    ``whole_hands``: for each entry of the log how many hands were over after it.
    """

    ruleset: Ruleset
    moves: tuple[Move, ...]
    state: State
    whole_hands: tuple[int, ...]


def play_out(players: Sequence[Plays], packs: Sequence[str]) -> PlayedOut:
    """Play a game to its end, seat 0 dealing first.

    It takes time and needs no database: to be called outside of a transaction.
    """
    ruleset = Ruleset(players=len(players), first_dealer=0)
    state = rules.start(ruleset)
    moves: list[Move] = []
    whole: list[int] = []
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
        whole.append(len(state.hands))
    return PlayedOut(ruleset, tuple(moves), state, tuple(whole))
