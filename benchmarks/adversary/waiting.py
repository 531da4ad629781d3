"""Queue times of honest players, with and without keeping a network's players apart."""

from __future__ import annotations

from random import Random

from benchmarks.adversary.traffic import HOUSE

PATIENCE_S = 45.0
"""Mean time in seconds until a waiting player takes the house computer, which is offered at 15."""
OFFER_S = 15.0
NEIGHBOURS = (0.0, 0.01, 0.05)
"""Share of pairs of honest players that enter from one network."""
PLAYERS = 40_000


def main() -> None:
    """Print the mean wait in seconds; the first column is the rule before."""
    print("\nmean wait in the queue, seconds, by the share of pairs of players on one network")
    print("honest/day  " + "".join(f"{share:>9.0%}" for share in NEIGHBOURS))
    for honest in HOUSE:
        waits = [mean_wait(honest, share, Random(7)) for share in NEIGHBOURS]
        print(f"{honest:>10}  " + "".join(f"{wait:9.2f}" for wait in waits), flush=True)


def mean_wait(honest: int, neighbours: float, rng: Random) -> float:
    """Return the mean wait of players who arrive at random, two for each game of a day.

    Draws do not depend on ``neighbours``, so that results differ by it alone.
    """
    gap = 24 * 3600 / (2 * honest)
    now, total = 0.0, 0.0
    waiting: list[tuple[float, float]] = []
    for _ in range(PLAYERS):
        now += rng.expovariate(1 / gap)
        patience = OFFER_S + rng.expovariate(1 / PATIENCE_S)
        for row in [row for row in waiting if row[1] <= now]:
            waiting.remove(row)
            total += row[1] - row[0]
        apart = rng.random() < neighbours
        if waiting and not apart:
            total += now - waiting.pop(0)[0]
        else:
            waiting.append((now, now + patience))
    return total / PLAYERS
