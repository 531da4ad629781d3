"""The tests' list of known best moves: clear endgames of the suite, and certain discards.

- ``solved``: both priors' solutions agree on the best rank, and every other loses at least one game
  in a hundred by both. ``dominant`` is the same, and the choice is proven by
  `benchmarks.endgames.dominance` as well.
- ``counts``: a discard of pone after which the hand counts enough to win with every starter, while
  no other discard does and the dealer cannot win before that count.
- ``published``: problems from Dan Barlow's columns for the American Cribbage Congress ("Endgame
  two-on-one" and quizzes, tips 3, 8, 16, 17 and 20), with suits that matter to nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from benchmarks.endgames import suite
from benchmarks.endgames.dominance import dominant
from games.analysis.arena import pack
from games.analysis.endgames.model import endgame
from games.analysis.kernels.endgames import JACK, NOBS
from games.engine.cards import RANKS, Card, card_names
from games.engine.scoring import count_hand

FILE = Path(__file__).parents[2] / "tests/analysis/known_best.txt"
CLEAR = 0.01
"""The least margin, in chance to win."""
CERTAIN = 40
"""Certain discards in the list."""
FAR = 32
"""The dealer's need in these positions: more than can be pegged in a deal, heels included."""
PUBLISHED = """
published: 105-114 7D6S6HKS AC4D4S5H TD3C7C9D 8H 6SAC7D4D6H 4
published: 107-114 7D6S6HKS AC4D4S5H TD3C7C9D 8H 6SAC7D4D6H 5
published: 119-105 TD9S3HKS 6C6D7S8H QDJC4CTS AD TD6C9S6D3H 8
published: 118-105 TD9S3HKS 6C6D7S8H QDJC4CTS AD TD6C9S6D3H 7
published: 115-105 TD9S3HKS 6C6D7S8H QDJC4CTS AD TD6C9S6D3H 8
published: 115-103 KD7S6HKS 7D7C4S8H QDJCKCTS 7H KD7D7S7C6H 8
published: 113-103 KD7S6HKS 7D7C4S8H QDJCKCTS 7H KD7D7S7C6H 4
published: 104-103 KD7S6HKS 7D7C4S8H QDJCKCTS 7H KD7D7S7C6H 8
published: 116-109 4DKSQHKH AD8C9STH 2D7C2C6S JC 4D8CKS9SQH A
published: 114-109 4DKSQHKH AD8C9STH 2D7C2C6S JC 4D8CKS9SQH T
published: 112-109 4DKSQHKH AD8C9STH 2D7C2C6S JC 4D8CKS9SQH A
published: 115-109 TD5S4HKS 3D5C5DKH ADKC7C9S 8C TDKH5S5C4H 5
published: 87-114 4D3S3HKS 2D3C4C5H 8DJCKCTS 4S 4D2D3S3C3H 5
published: 115-118 3DTS2HKS 4DTC5C6H 8DJC5DQS KH 3DTCTS6H2H 5
"""


def clear() -> Iterator[str]:
    """Yield the clear positions of the suite with their best rank."""
    for one in suite.load():
        found = set()
        for values in one.values:
            best, second = sorted(values.items(), key=lambda item: -item[1])[:2]
            found.add(best[0] if best[1] - second[1] >= CLEAR else -1)
        if len(found) > 1 or -1 in found:
            continue
        rank = found.pop()
        proof = dominant(endgame(one.view))
        proven = proof is not None and rank == (JACK if proof[0] == NOBS else proof[0])
        yield f"{'dominant' if proven else 'solved'}: {one.line} {RANKS[rank]}"


def certain() -> Iterator[str]:
    """Yield discards of pone: ``counts: own-dealer cards discard``."""
    found, seed = 0, 0
    while found < CERTAIN:
        seed += 1
        cards = tuple(sorted(pack(suite.TWO.seed, seed)[:6]))
        least = sorted((_least(cards, thrown), thrown) for thrown in combinations(cards, 2))
        (second, _), (first, best) = least[-2:]
        if first > max(second, 5):
            found += 1
            names = card_names(cards)
            yield f"counts: {suite.TARGET - first}-{suite.TARGET - FAR} {names} {card_names(best)}"


def _least(cards: tuple[Card, ...], thrown: tuple[Card, ...]) -> int:
    """Return what the cards kept count at least, over all starters."""
    kept = [card for card in cards if card not in thrown]
    return min(count_hand(kept, starter) for starter in range(52) if starter not in cards)


def main() -> None:
    """Write the list."""
    lines = [*clear(), *certain(), *PUBLISHED.split("\n")]
    FILE.write_text("".join(f"{line}\n" for line in lines if line))
    print(f"{FILE.name}: {len([line for line in lines if line])} positions")
