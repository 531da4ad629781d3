"""Yardsticks never change: what is measured against them stays comparable."""

from functools import partial
from hashlib import sha256

import pytest

from games.analysis.arena import pack, play_game
from games.bots import get

GAMES = 12
DIGESTS = {
    "novice": "8a74fa879938c39c",
    "plain": "c6bffbbbbc66c063",
    "keen": "a7f5033a015ee618",
    "club": "e59d2614d3d06e02",
    "expert": "e8f71e0103fc8b25",
}
"""Name -> digest of its throws and plays in games to 61 of two and of three against itself."""


@pytest.mark.parametrize("name", DIGESTS)
def test_a_yardstick_throws_and_plays_as_ever(name: str) -> None:
    digest = sha256()
    for seats in (2, 3):
        for seed in range(GAMES):
            record = play_game([get(name)] * seats, partial(pack, seed), target=61)
            for hand in record.hands:
                digest.update(repr((hand.crib, hand.plays)).encode())
    assert digest.hexdigest()[:16] == DIGESTS[name]
