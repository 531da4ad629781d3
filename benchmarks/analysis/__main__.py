"""Benchmark of the analysis: CPU times of one process, with goals.

Loops are compiled before timing starts. Imports are measured in separate processes.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations

import numpy as np

from games.analysis.arena import pack, play_game
from games.analysis.discards import evaluate_discards, value_throws
from games.analysis.kernels import show
from games.analysis.par import par
from games.analysis.plays import evaluate_plays
from games.bots import get
from games.bots.warmup import warm_up
from games.engine.cards import PIPS, RANK, Card
from games.engine.view import View

HANDS = 400


def cpu() -> float:
    """Return the CPU seconds that this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def timed(work: Callable[[], object]) -> float:
    """Return the CPU seconds that ``work`` takes."""
    begun = cpu()
    work()
    return cpu() - begun


def print_figure(name: str, value: float, unit: str, goal: str = "") -> None:
    """Print one figure and its goal."""
    print(f"{name:58} {value:12,.3f} {unit:8} {goal}", flush=True)


def naive(hand: tuple[Card, ...], starter: Card) -> int:
    """Return the count of a hand by examining every subset of cards."""
    five = (*hand, starter)
    points = sum(
        2
        for size in range(2, 6)
        for some in combinations(five, size)
        if sum(PIPS[card] for card in some) == 15
    )
    points += sum(2 for a, b in combinations(five, 2) if RANK[a] == RANK[b])
    for size in (5, 4, 3):
        runs = [
            some
            for some in combinations(five, size)
            if sorted(RANK[card] for card in some)
            == list(
                range(min(RANK[card] for card in some), min(RANK[card] for card in some) + size)
            )
        ]
        if runs:
            points += size * len(runs)
            break
    if len({card & 3 for card in hand}) == 1:
        points += 5 if starter & 3 == hand[0] & 3 else 4
    return points + (4 * 10 + (starter & 3) in hand)


def scorer() -> None:
    """Time hand counting: naive, and by the kernel in a compiled loop."""
    rng = random.Random(1)
    hands = [tuple(rng.sample(range(52), 5)) for _ in range(4000)]
    slow = timed(lambda: [naive(hand[:4], hand[4]) for hand in hands]) / len(hands)
    five = show.five_table()
    many = np.array(hands * 500)
    out = np.zeros(len(many), dtype=np.int64)
    show.count_many(five, many[:10], out[:10])
    fast = timed(lambda: show.count_many(five, many, out)) / len(many)
    if out[: len(hands)].tolist() != [naive(hand[:4], hand[4]) for hand in hands]:
        raise SystemExit("the kernel counts otherwise than the naive way")
    print_figure("counting a hand: naive", 1e6 * slow, "us")
    print_figure("counting a hand: kernel", 1e6 * fast, "us")
    print_figure("ratio", slow / fast, "times", "goal 80 (P7)")


def throws() -> None:
    """Time the evaluation of discards."""
    rng = random.Random(2)
    hands = [tuple(rng.sample(range(52), 6)) for _ in range(HANDS)]
    plain = timed(lambda: [value_throws(hand, True) for hand in hands]) / HANDS
    print_figure("15 throws, hand and crib exact", 1e3 * plain, "ms", "goal 1 (P7)")
    times = sorted(
        timed(lambda hand=hand: evaluate_discards(hand, "pone", (80, 75)))  # type: ignore[misc]
        for hand in hands
    )
    print_figure("evaluate_discards, mean", 1e3 * sum(times) / HANDS, "ms")
    print_figure("evaluate_discards, p99", 1e3 * times[int(0.99 * HANDS)], "ms", "goal 5; B4: 10")


class Watcher:
    """A player that records the views of another player who decides."""

    def __init__(self, name: str) -> None:
        self.player = get(name)
        self.views: list[View] = []

    def discard(self, view: View) -> tuple[Card, ...]:
        """Return the other player's discard."""
        return self.player.discard(view)

    def play(self, view: View) -> Card:
        """Return the other player's card."""
        self.views.append(view)
        return self.player.play(view)


def plays() -> None:
    """Time the evaluation of plays on views of real games, without forced cards."""
    watcher = Watcher("expert")
    for seed in range(8):
        play_game([watcher] * 2, lambda number, seed=seed: pack(seed, number))  # type: ignore[misc]
    views = [view for view in watcher.views if len(view.legal.cards) > 1]
    times = sorted(timed(lambda view=view: evaluate_plays(view)) for view in views)  # type: ignore[misc]
    print_figure(f"evaluate_plays, mean of {len(views)}", 1e3 * sum(times) / len(times), "ms")
    print_figure("evaluate_plays, p99", 1e3 * times[int(0.99 * len(times))], "ms", "goal 50 (B4)")


def pars() -> None:
    """Time par."""
    packs = [pack(5, number) for number in range(1, 60)]
    for seats in (2, 3):
        spent = timed(lambda seats=seats: par(packs, seats=seats))  # type: ignore[misc]
        print_figure(f"par, 16 play-outs, {seats} seats", 1e3 * spent, "ms", "goal 250")


def imports() -> None:
    """Time the site's imports, each in its own process."""
    for what in ("games.engine.rules", "games.bots", "games.bots.warmup"):
        code = (
            "import time; begun = time.process_time(); "
            f"import {what}; print(time.process_time() - begun)"
        )
        runs = [
            float(
                subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
            )
            for _ in range(5)
        ]
        goal = "goal: at most 0.3 s more than the rules" if what == "games.bots" else ""
        print_figure(f"import {what}", min(runs), "s", goal)


def main() -> None:
    """Print every figure."""
    print_figure("warm_up", timed(warm_up), "s")
    for part in (scorer, throws, plays, pars, imports):
        part()


if __name__ == "__main__":
    main()
