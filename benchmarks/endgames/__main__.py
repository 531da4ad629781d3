"""Benchmark of endgames: ``make bench-endgames``.

It prints what each computer loses in the solved endgames of `benchmarks.endgames.suite`, in games
in a hundred: for each decision, and for each deal that comes to such a decision. ``build`` draws
and solves the suite again; ``known`` writes the tests' list of known best moves; ``exploit``
computes what the whole play of some computers in some of these endgames loses to a best reply.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence

from benchmarks.endgames import exploit, known, suite
from games.analysis.endgames.model import PRIORS
from games.bots import get, levels
from games.engine.cards import RANK

GOAL = 0.3
"""Games in a hundred that the strongest may lose for each deal."""
COMPUTERS = (*(player.name for player in levels()), "club", "expert", "house")


def mean_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and half of its 95% interval."""
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    return statistics.fmean(values), 1.96 * spread / len(values) ** 0.5


def build() -> None:
    """Draw and solve the suite, and write its file."""
    began = time.process_time()
    drawn = suite.draw(suite.SEED)
    print(f"{len(drawn.lines)} positions of {drawn.games} games", flush=True)
    lines = [suite.solved_line(line) for line in drawn.lines]
    seconds = time.process_time() - began
    suite.write([suite.head(drawn), *lines])
    print(f"{suite.FILE.stat().st_size} bytes, {seconds:.0f} s of CPU", flush=True)


def table() -> None:
    """Print the table: one row for each computer."""
    positions = suite.load()
    often = suite.decisions_in_a_deal()
    print(f"{len(positions)} positions, {often:.3f} decisions in a deal; games in a hundred")
    print("| computer | good | a decision | a deal | a decision, kept | a deal, kept |")
    for name in COMPUTERS:
        player = get(name)
        ranks = [RANK[player.play(one.view)] for one in positions]
        words = []
        for prior in range(len(PRIORS)):
            losses = [
                100 * one.loss(rank, prior) for one, rank in zip(positions, ranks, strict=True)
            ]
            mean, error = mean_error(losses)
            if prior == 0:
                words.append(f"{sum(loss < 0.05 for loss in losses) / len(losses):.0%}")
            words.append(f"{mean:.2f} ±{error:.2f}")
            words.append(f"{often * mean:.2f} ±{often * error:.2f}")
        print(f"| {name} | {' | '.join(words)} |", flush=True)
    print(f"goal: the strongest loses at most {GOAL} for each deal")


def main() -> None:
    """Print the table, or do what is asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "what", nargs="?", choices=("table", "build", "known", "exploit"), default="table"
    )
    asked = parser.parse_args()
    {"table": table, "build": build, "known": known.main, "exploit": exploit.main}[asked.what]()


if __name__ == "__main__":
    main()
