"""Par: play-outs that keep the engine's rules, and come out the same again."""

import pytest

from games.analysis.arena import pack
from games.analysis.par import par

PACKS = [pack(77, number) for number in range(1, 41)]


@pytest.mark.parametrize("seats", [2, 3])
def test_the_same_packs_have_the_same_par_and_shares_add_up(seats: int) -> None:
    first = par(PACKS, seats=seats)
    assert first == par(PACKS, seats=seats)
    assert sum(first.wins) == pytest.approx(1)
    assert len(first.margins) == seats


def test_what_is_good_for_one_seat_is_bad_for_the_other() -> None:
    found = par(PACKS)
    assert found.margins[0] == -found.margins[1]


def test_whoever_deals_first_decides_whose_cards_are_whose() -> None:
    assert par(PACKS, first_dealer=0).margins == par(PACKS, first_dealer=1).margins[::-1]


def test_too_few_packs_are_refused() -> None:
    with pytest.raises(ValueError, match="2 packs do not suffice"):
        par(PACKS[:2])
