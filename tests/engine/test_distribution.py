"""Every hand with every starter: the counts have the published distribution."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations

from games.engine.cards import JACK, PACK, RANK, SUIT, Card
from games.engine.scoring import count_hand

KNOWN = {
    0: 1_009_008,
    1: 99_792,
    2: 2_813_796,
    3: 505_008,
    4: 2_855_676,
    5: 697_508,
    6: 1_800_268,
    7: 751_324,
    8: 1_137_236,
    9: 361_224,
    10: 388_740,
    11: 51_680,
    12: 317_340,
    13: 19_656,
    14: 90_100,
    15: 9_168,
    16: 58_248,
    17: 11_196,
    18: 2_708,
    20: 8_068,
    21: 2_496,
    22: 444,
    23: 356,
    24: 3_680,
    28: 76,
    29: 4,
}
"""Count -> number of hands with it, from the published table."""


OF_STARTER, *OTHERS = range(4)
"""The suits: that of the starter, and those that may be exchanged without changing it."""


def of_other_suits(number: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield so many cards of the other suits, and the number of hands that exchanges make of them.

    Of hands that differ only by an exchange of suits, the one whose suits are in order is given.
    """
    for cards in combinations([card for card in PACK if SUIT[card] != OF_STARTER], number):
        first, second, third = ([RANK[card] for card in cards if SUIT[card] == n] for n in OTHERS)
        if first >= second >= third:
            yield cards, len(set(permutations(map(tuple, (first, second, third)))))


def test_the_suits_may_be_exchanged() -> None:
    rng = random.Random(7)
    hands = [rng.sample(PACK, 5) for _ in range(500)]
    of_one_suit = [[4 * rank + suit for rank in rng.sample(range(13), 5)] for suit in range(4)]
    with_nobs = [[4 * JACK + suit, *rng.sample(range(20), 3), 24 + suit] for suit in range(4)]
    for hand in [*hands, *of_one_suit, *with_nobs]:
        counts = set()
        for suits in permutations(range(4)):
            *kept, starter = (4 * RANK[card] + suits[SUIT[card]] for card in hand)
            counts.add((count_hand(kept, starter), count_hand(kept, starter, True)))
        assert len(counts) == 1, hand


def test_all_12_994_800_hands_have_the_known_distribution() -> None:
    """Those that differ only by an exchange of suits are counted once (see the test above)."""
    seen: Counter[int] = Counter()
    suited = [card for card in PACK if SUIT[card] == OF_STARTER]
    for number in range(5):
        for others, times in of_other_suits(number):
            for cards in combinations(suited, 4 - number):
                for starter in suited:
                    if starter not in cards:
                        seen[count_hand((*cards, *others), starter)] += 4 * times
    assert seen.total() == 12_994_800
    assert seen == KNOWN
    assert not {19, 25, 26, 27} & set(seen)
