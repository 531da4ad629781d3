"""Benchmark of verdicts: ``make bench-calibration``.

It prints, for each style and part, what the analysis says that the style loses and what is seen if
the strongest computer decides that part (`benchmarks.calibration.measure`): points a deal and seat,
then games in a hundred, with 95% errors. They agree if they differ by at most `GOAL` of what was
seen. "plain" is seen in the real deals alone, without averaging: the same expectation, with a wider
error. ``--bins`` prints said and seen of single cards by the size of the loss instead. ``--share``
and ``--doubt`` let another judge of cards say and choose, on the same deals.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence

from benchmarks.calibration.choices import Choice
from benchmarks.calibration.deal import REVIEWS, Judge
from benchmarks.calibration.measure import PARTS, SeatDeal, measure

NAMES = ("keen", "club", "expert", "casual")
DEALS = 2_000
SEED = 2026
GOAL = 0.15
"""Said and seen should agree within this share of what was seen."""
BINS = (0.0005, 0.005, 0.010, 0.025, 0.060)
"""Minimum loss of the bins, in chance to win."""


def of_part(seat: SeatDeal, part: str) -> list[Choice]:
    """Return a seat's choices in a part."""
    parts = ("leads", "answers") if part == "cards" else (part,)
    return [one for one in seat.choices if one.part in parts]


def estimate(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and half of its 95% interval."""
    error = 1.96 * statistics.stdev(values) / len(values) ** 0.5
    return statistics.fmean(values), error


def verdict(said: Sequence[float], seen: Sequence[float]) -> str:
    """Return whether said and seen agree: by the goal, within the error, or not."""
    off, error = estimate([a - b for a, b in zip(said, seen, strict=True)])
    if abs(off) <= GOAL * abs(statistics.fmean(seen)):
        return "yes"
    return "within the error" if abs(off) <= error else "no"


def lines(style: str, seats: list[SeatDeal]) -> list[str]:
    """Return the table of one style: a line for each part and unit."""
    out = []
    for unit, (name, times) in enumerate((("points", 1.0), ("games of 100", 100.0))):
        for part in PARTS:
            said = [sum(one.loss.reviewed[unit] for one in of_part(seat, part)) for seat in seats]
            sure = [
                sum(one.loss.reviewed[unit] for one in of_part(seat, part) if not one.loss.close)
                for seat in seats
            ]
            seen = [seat.seen[part][unit] for seat in seats]
            plain = [seat.plain[part][unit] for seat in seats]
            cells = [estimate([times * one for one in row]) for row in (said, sure, seen, plain)]
            words = " | ".join(f"{mean:.3f} ±{error:.3f}" for mean, error in cells)
            out.append(f"| {style} | {name} | {part} | {words} | {verdict(said, seen)} |")
    return out


def bins(style: str, seats: list[SeatDeal]) -> list[str]:
    """Return said and seen of single cards, by part, cards in hand and loss."""
    found: dict[tuple[str, int, float], list[Choice]] = defaultdict(list)
    for seat in seats:
        for one in seat.choices:
            least = max((least for least in BINS if one.loss.chance >= least), default=0.0)
            if least and one.part != "throws":
                found[one.part, one.held, least].append(one)
    out = []
    for (part, held, least), some in sorted(found.items()):
        if len(some) > 1:
            said = 100 * statistics.fmean(one.loss.chance for one in some)
            seen, error = estimate([100 * one.seen[1] for one in some])
            out.append(
                f"| {style} | {part} | {held} | {100 * least:g} | {len(some)} | {said:.2f} | "
                f"{seen:.2f} ±{error:.2f} |"
            )
    return out


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--styles", nargs="+", default=list(NAMES))
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--bins", action="store_true")
    parser.add_argument("--share", type=float, default=REVIEWS.share)
    parser.add_argument("--doubt", type=float, default=REVIEWS.doubt)
    asked = parser.parse_args()
    if asked.bins:
        print("| style | part | cards in hand | loss from | cards | said | seen |")
    else:
        print(
            "| style | unit | part | said by reviews | without close ones | seen | plain | agrees |"
        )
    for style in asked.styles:
        began = time.process_time()
        judge = Judge(asked.share, asked.doubt)
        seats = list(measure(style, asked.deals, asked.seed, judge))
        for line in (bins if asked.bins else lines)(style, seats):
            print(line, flush=True)
        print(
            f"{style}: {asked.deals} deals, {time.process_time() - began:.0f} s of CPU", flush=True
        )


if __name__ == "__main__":
    main()
