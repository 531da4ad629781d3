"""Benchmark of the engine: ``python -m benchmarks.engine``.

Times are CPU times (user and system), and both sides of a ratio alternate within one run. Each line
ends with its goal, and says whether it was met.
"""

from __future__ import annotations

import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterable
from itertools import combinations, pairwise
from pathlib import Path

import orjson

from benchmarks.figures import Figure
from games.bots.registry import get
from games.engine.cards import NAMES, PACK, PIPS, RANK, SUIT, Card
from games.engine.moves import Discard, Move, Play, parse_move, to_text
from games.engine.record import read_record
from games.engine.rules import apply, chance, fold, legal_moves, start, waiting
from games.engine.scoring import count_hand
from games.engine.state import Phase, Ruleset
from games.engine.view import view_for
from tests.support.positions import Moment, chance_move, random_match, random_moves

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "tests" / "data" / "sample.jsonl"
ROUNDS = 7
TWO, THREE = Ruleset(), Ruleset(players=3)

Hand = tuple[tuple[Card, ...], Card]


def measure() -> Iterable[Figure]:
    """Yield all figures as they are measured."""
    yield from _scoring()
    yield from _moves()
    yield from _replay()
    yield from _memory()


def naive_count(hand: tuple[Card, ...], starter: Card) -> int:
    """Count a hand by examining every subset of cards with itertools."""
    five = (*hand, starter)
    points = 0
    longest = 3
    runs = 0
    for size in range(2, 6):
        for some in combinations(five, size):
            if sum(PIPS[card] for card in some) == 15:
                points += 2
            if size == 2 and RANK[some[0]] == RANK[some[1]]:
                points += 2
            if size >= longest:
                ranks = sorted(RANK[card] for card in some)
                if all(high - low == 1 for low, high in pairwise(ranks)):
                    runs, longest = (runs + size if size == longest else size), size
    suits = {SUIT[card] for card in hand}
    if len(suits) == 1:
        points += 5 if SUIT[starter] in suits else 4
    nobs = any(RANK[card] == 10 and SUIT[card] == SUIT[starter] for card in hand)
    return points + runs + nobs


def _scoring() -> Iterable[Figure]:
    rng = random.Random(1)
    hands: list[Hand] = []
    for _ in range(40_000):
        *four, starter = rng.sample(PACK, 5)
        hands.append((tuple(four), starter))
    some = hands[:2_000]
    if [naive_count(*hand) for hand in some] != [count_hand(*hand) for hand in some]:
        raise RuntimeError("the two scorers disagree")
    slow, fast = [], []
    for _ in range(ROUNDS):
        slow.append(_cpu(lambda: [naive_count(*hand) for hand in some]) / len(some))
        fast.append(_cpu(lambda: [count_hand(*hand) for hand in hands]) / len(hands))
    ratios = [one / other for one, other in zip(slow, fast, strict=True)]
    yield Figure("P7: hands counted a second, by table", 1 / statistics.median(fast), "hands/s")
    yield Figure(
        "P7: hands counted a second, plain itertools", 1 / statistics.median(slow), "hands/s"
    )
    yield Figure("P7: table against plain", statistics.median(ratios), "times", at_least=80)
    lines = b"".join(
        " ".join(NAMES[card] for card in (*four, starter)).encode() + b"\n"
        for four, starter in hands * 5
    )
    spent = _child(["manage.py", "count", "-"], lines)
    rate = 5 * len(hands) / spent
    yield Figure("manage.py count -, start-up included", rate, "lines/s", at_least=20_000)


def _moves() -> Iterable[Figure]:
    for ruleset, name in ((TWO, "two"), (THREE, "three")):
        spent: dict[str, list[float]] = {"legal moves": [], "apply": [], "views": [], "all": []}
        for seed in range(12):
            for moment in random_match(ruleset, seed):
                _time_move(moment, spent)
        for what, times in spent.items():
            median = statistics.median(times) * 1e6
            goal = 100 if what == "all" else None
            yield Figure(f"a move of {name}: {what}, median", median, "us", at_most=goal)
        yield Figure(f"a move of {name}: all, mean", statistics.mean(spent["all"]) * 1e6, "us")


def _time_move(moment: Moment, spent: dict[str, list[float]]) -> None:
    """Add the times of one move: legal moves of the seats to act, `apply`, and a view per seat."""
    state = moment.state
    began = time.process_time()
    for seat in waiting(state):
        list(legal_moves(state, seat))
    listed = time.process_time()
    after = apply(state, moment.move).state
    made = time.process_time()
    for seat in range(state.ruleset.players):
        view_for(after, seat)
    seen = time.process_time()
    spent["legal moves"].append(listed - began)
    spent["apply"].append(made - listed)
    spent["views"].append(seen - made)
    spent["all"].append(seen - began)


def _replay() -> Iterable[Figure]:
    lines = SAMPLE.read_bytes().splitlines()
    games = [orjson.loads(line) for line in lines]
    rates = [len(games) / _cpu(lambda: list(map(read_record, games))) for _ in range(ROUNDS)]
    yield Figure("records read and checked", statistics.median(rates), "games/s", at_least=100)
    logs = [random_moves(TWO, seed) for seed in range(10)]
    hands = sum(type(move).__name__ == "Deal" for log in logs for move in log)
    rates = [hands / _cpu(lambda: [fold(TWO, log) for log in logs]) for _ in range(ROUNDS)]
    yield Figure("hands of two folded from a log", statistics.median(rates), "hands/s")
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(b"\n".join(lines * 50))
        file.flush()
        spent = _child(["manage.py", "replay", file.name])
    rate = 50 * len(lines) / spent
    yield Figure("manage.py replay, 1,000 games, start-up included", rate, "games/s", at_least=100)


def _memory() -> Iterable[Figure]:
    """Measure the memory of matches between club players, as folded from a log.

    A match is largest before its last move; its mean size is about half of that.
    """
    for name, ruleset in {"two": TWO, "three": THREE}.items():
        logs = [_club_match(ruleset, seed) for seed in range(10)]
        ends = _folded_kilobytes(ruleset, [log[:-1] for log in logs])
        cuts = [[log[: len(log) * tenth // 10] for log in logs] for tenth in range(1, 10)]
        life = statistics.mean(_folded_kilobytes(ruleset, cut) for cut in cuts)
        yield Figure(f"one cached match of {name}, mean of its life", life, "KB", at_most=40)
        yield Figure(f"one cached match of {name}, before its end", ends, "KB", at_most=40)


def _club_match(ruleset: Ruleset, seed: int) -> list[str]:
    """Return the log of a match between club players, as text."""
    rng = random.Random(seed)
    club = get("club")
    state = start(ruleset)
    log = []
    while state.phase is not Phase.OVER:
        move: Move
        if chance(state):
            move = chance_move(state, rng)
        else:
            seat = waiting(state)[0]
            view = view_for(state, seat)
            if view.legal.action == "discard":
                move = Discard(seat, club.discard(view))
            else:
                move = Play(seat, club.play(view))
        log.append(to_text(move))
        state = apply(state, move).state
    return log


def _folded_kilobytes(ruleset: Ruleset, logs: list[list[str]]) -> float:
    """Return the mean memory of the states that logs fold to, KB."""
    tracemalloc.start()
    states = [fold(ruleset, map(parse_move, log)) for log in logs]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(states) / 1024


def _cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds that ``work`` takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def _child(command: list[str], fed: bytes = b"") -> float:
    """Return the CPU seconds of a Python process, start-up included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *command], cwd=ROOT, input=fed, stdout=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print every figure."""
    for figure in measure():
        print(figure, flush=True)


if __name__ == "__main__":
    main()
