"""Simulation of games between computer players on given packs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from games.api import Discard, Move, Play, Ruleset, State, View, draw, rules, view_for


class ComputerPlayer(Protocol):
    """A computer player that decides from views."""

    def discard(self, view: View) -> tuple[int, ...]:
        """Return the cards to discard."""

    def play(self, view: View) -> int:
        """Return the card to play."""


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """A finished game: its rules, log and final state.

    ``whole_hands`` is the number of complete hands after each entry of the log.
    """

    ruleset: Ruleset
    moves: tuple[Move, ...]
    state: State
    whole_hands: tuple[int, ...]


def simulate(
    players: Sequence[ComputerPlayer], packs: Sequence[str], *, target: int = 121
) -> SimulatedGame:
    """Play a game to its end at ``target`` points, with seat 0 dealing first.

    It is slow and needs no database: call it outside a transaction.
    """
    ruleset = Ruleset(players=len(players), target=target, first_dealer=0)
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
    return SimulatedGame(ruleset, tuple(moves), state, tuple(whole))
