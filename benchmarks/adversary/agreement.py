"""Agreement with the analysis at high stakes: honest players, and cheats who let it choose.

The positions are those of games between computers of four levels, seen from both seats. Every
honest player and every cheat answers all of them. Honest players are the computer levels, and
people who value each card like the analysis with an error of their own.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from benchmarks.adversary.batches import batches
from benchmarks.adversary.collusion import wilson
from games.analysis.agreement import Reply, judged, reply_values
from games.api import Play, View, bot, rules, view_for
from games.bots import get
from games.engine.cards import RANK
from ratings.rating.seat_signals import AGREEMENT_ALARM, Agreement, agreement_z
from ratings.standard.decks import HANDS, complete_pack
from ratings.standard.simulation import simulate

GAMES = 2_000
BATCH = 4
TABLE_LEVELS = ("plain", "keen", "club", "expert")
LEVELS = ("novice", "elsie", "plain", "keen", "club", "expert", "ada")
ENGINE = "ada"
"""The level that chooses like the analysis."""
ERRORS = (0.3, 0.6, 1.0, 1.5)
"""Standard errors of people's estimates of a card, in points."""
HONEST = (*LEVELS, *(f"error {error:g}" for error in ERRORS))
OWN = ("plain", "club", "error 1", "error 1.5")
"""The players that cheats follow when they do not ask."""
CHEATS = (*(f"{name}, asks" for name in OWN), *(f"{name}, asks half" for name in OWN))
WINDOWS = (10, 20, 40)

Row = list[list[float]]
"""For each player: replies at high stakes, the best of them, other replies, points lost there."""


def main(games: int = GAMES, file: Path | None = None) -> None:
    """Print the agreement of each kind of player, and the shares above the threshold."""
    found = batches(play_batch, max(1, games // BATCH), file)
    rows = np.array([row for batch in found for row in batch])
    players = (*HONEST, *CHEATS)
    print(f"\nagreement at high stakes: {len(rows)} games of each player, of which the positions")
    print(f"are those of both seats of {len(rows) // 2} games")
    print("player                  high stakes a game   best of them   points lost in another")
    for index, name in enumerate(players):
        high, best, others, lost = rows[:, index].sum(axis=0)
        print(f"{name:<22} {high / len(rows):19.2f} {best / high:14.3f} {lost / others:24.3f}")
    print(f"share of players with z above {AGREEMENT_ALARM:g}, of those with enough replies")
    print("games  player                  players  alarms   95% interval (Wilson)  largest   mean")
    for window in WINDOWS:
        scores = {name: _scores(rows[:, index], window) for index, name in enumerate(players)}
        people = [name for name in HONEST if name != ENGINE]
        scores["all honest but the engine"] = [z for name in people for z in scores[name]]
        for name, known in scores.items():
            alarms = sum(z > AGREEMENT_ALARM for z in known)
            low, high = wilson(alarms, len(known))
            print(
                f"{window:>5}  {name:<25} {len(known):>5}  {alarms:>6}   {low:9.5f} to {high:.5f}"
                f"  {max(known, default=0.0):7.2f}  {sum(known) / max(1, len(known)):6.2f}"
            )


def _scores(rows: np.ndarray[Any, np.dtype[np.float64]], window: int) -> list[float]:
    """Return the z-scores of players of so many games who have enough replies."""
    parts = [rows[at : at + window] for at in range(0, len(rows) - window + 1, window)]
    scores = [agreement_z(Agreement(*part.sum(axis=0))) for part in parts]
    return [z for z in scores if z is not None]


def play_batch(seed: int) -> list[Row]:
    """Play `BATCH` games, and answer their positions; return a row for each seat."""
    rng = Random(seed)
    return [row for _ in range(BATCH) for row in _game(rng)]


def _game(rng: Random) -> list[Row]:
    packs = [complete_pack(rng.sample(range(52), 52)) for _ in range(HANDS)]
    out = simulate([bot(rng.choice(TABLE_LEVELS)) for _ in range(2)], packs)
    state = rules.start(out.ruleset)
    sums = np.zeros((2, len(HONEST) + len(CHEATS), 4))
    for move in out.moves:
        if isinstance(move, Play):
            view = view_for(state, move.seat)
            values = reply_values(view)
            if values:
                for index, reply in enumerate(_answers(rng, view, values)):
                    sums[move.seat, index] += (
                        (1, reply.best, 0, 0) if reply.high else (0, 0, 1, reply.lost)
                    )
        state = rules.apply(state, move).state
    return [[[round(float(value), 3) for value in row] for row in seat] for seat in sums]


def _answers(rng: Random, view: View, values: dict[int, float]) -> list[Reply]:
    """Return the reply of each player."""
    ranks = [RANK[get(name).play(view)] for name in LEVELS]
    for error in ERRORS:
        guesses = {rank: points + rng.gauss(0.0, error) for rank, points in values.items()}
        ranks.append(max(guesses, key=lambda rank: guesses[rank]))
    replies = [judged(view, values, rank) for rank in ranks]
    best = judged(view, values, max(values, key=lambda rank: values[rank]))
    own = [replies[HONEST.index(name)] for name in OWN]
    asked = [best if reply.high else reply for reply in own]
    half = [best if reply.high and rng.random() < 0.5 else reply for reply in own]
    return [*replies, *asked, *half]
