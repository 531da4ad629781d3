"""Benchmark of endgames: ``make bench-endgames``.

It prints what each computer loses in the solved endgames of `benchmarks.endgames.suite`, in games
in a hundred: for each decision, and for each deal that comes to such a decision. ``build`` draws
and solves a suite again (``--cards 3``: that of decisions with three cards); ``known`` writes the
tests' list of known best moves; ``exploit`` computes what the whole play of some computers in some
of these endgames loses to a best reply.
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


def build(which: suite.Suite) -> None:
    """Draw and solve a suite, and write its file."""
    began = time.process_time()
    drawn = suite.draw(which)
    print(f"{len(drawn.lines)} positions of {drawn.games} games", flush=True)
    lines = [suite.solved_line(line, which.gap) for line in drawn.lines]
    seconds = time.process_time() - began
    suite.write([suite.head(which, drawn), *lines], which)
    print(f"{which.file.stat().st_size} bytes, {seconds:.0f} s of CPU", flush=True)


def table(which: suite.Suite) -> None:
    """Print the table of a suite: one row for each computer."""
    positions = suite.load(which)
    often = suite.decisions_in_a_deal(which)
    words = ", ".join(f"{own} against {other}" for own, other in which.sizes)
    print(f"{len(positions)} positions, cards {words}; {often:.3f} decisions in a deal")
    print("| computer | good | a decision | a deal | a decision, kept | a deal, kept |")
    for name in COMPUTERS:
        player = get(name)
        ranks = [RANK[player.play(one.view)] for one in positions]
        cells = []
        for prior in range(len(PRIORS)):
            losses = [
                100 * one.loss(rank, prior) for one, rank in zip(positions, ranks, strict=True)
            ]
            mean, error = mean_error(losses)
            if prior == 0:
                cells.append(f"{sum(loss < 0.05 for loss in losses) / len(losses):.0%}")
            cells.append(f"{mean:.2f} ±{error:.2f}")
            cells.append(f"{often * mean:.2f} ±{often * error:.2f}")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print(f"goal: the strongest loses at most {GOAL} for each deal")


def main() -> None:
    """Print the tables, or do what is asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "what", nargs="?", choices=("table", "build", "known", "exploit"), default="table"
    )
    parser.add_argument("--cards", type=int, choices=(2, 3), help="one suite; both without")
    asked = parser.parse_args()
    suites = {2: suite.TWO, 3: suite.THREE}
    if asked.what == "table":
        for which in [suites[asked.cards]] if asked.cards else suites.values():
            table(which)
    elif asked.what == "build":
        build(suites[asked.cards or 2])
    else:
        {"known": known.main, "exploit": exploit.main}[asked.what]()


if __name__ == "__main__":
    main()
