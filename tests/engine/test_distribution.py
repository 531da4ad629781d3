"""Every hand with every starter: the counts have the published distribution."""

from collections import Counter
from itertools import combinations

import pytest

from games.engine.cards import PACK
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


@pytest.mark.slow
def test_all_12_994_800_hands_have_the_known_distribution() -> None:
    seen: Counter[int] = Counter()
    for hand in combinations(PACK, 4):
        starters = [card for card in PACK if card not in hand]
        seen.update([count_hand(hand, starter) for starter in starters])
    assert seen.total() == 12_994_800
    assert seen == KNOWN
    assert not {19, 25, 26, 27} & set(seen)
