"""Cards and draws come from the operating system's generator, which nobody can predict.

Tests of ratings begin with fixed packs, so they cannot notice another generator.
"""

import random
from importlib import import_module

import pytest

from games.live import dealing
from tests.support.stored import RANDOM_MODULES


@pytest.mark.parametrize("module", RANDOM_MODULES)
def test_cards_and_draws_come_from_the_operating_system(module: str) -> None:
    known = (random.SystemRandom, dealing._OperatingSystem)
    assert isinstance(import_module(module)._random, known)
