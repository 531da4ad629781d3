"""Par: reproducible play-outs by the engine's rules."""

import pytest

from games.analysis.arena import pack
from games.analysis.par import par

PACKS = [pack(77, number) for number in range(1, 41)]


@pytest.mark.parametrize("seats", [2, 3])
def test_the_same_packs_give_the_same_par_and_win_shares_add_up_to_one(seats: int) -> None:
    first = par(PACKS, seats=seats)
    assert first == par(PACKS, seats=seats)
    assert sum(first.wins) == pytest.approx(1)
    assert len(first.margins) == seats


def test_the_two_seats_have_opposite_par_margins() -> None:
    found = par(PACKS)
    assert found.margins[0] == -found.margins[1]


def test_swapping_the_first_dealer_swaps_the_margins() -> None:
    assert par(PACKS, first_dealer=0).margins == par(PACKS, first_dealer=1).margins[::-1]


def test_too_few_packs_are_refused() -> None:
    with pytest.raises(ValueError, match="2 packs are too few"):
        par(PACKS[:2])
