"""The sample data for screenshots and for the pages of other browsers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.engine.state import Ruleset, State
from scripts import sample


@pytest.mark.parametrize(
    ("players", "seed", "until"),
    [
        (2, sample.RUNNING_SEED, sample.is_own_turn),
        (3, sample.RUNNING_THREE_SEED, sample.is_own_turn),
        (2, sample.SHOW_SEED, sample.is_last_card),
    ],
)
def test_each_running_match_reaches_the_moment_that_is_shown(
    players: int, seed: int, until: Callable[[State], bool]
) -> None:
    moments = sample.played_well(Ruleset(players=players, first_dealer=0), seed)
    assert any(until(moment.state) for moment in moments)
