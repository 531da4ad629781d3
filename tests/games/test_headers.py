"""What a live table knows of its seats."""

import pytest

from games import headers, services
from games.accounts import create_guest
from games.engine.state import Ruleset

pytestmark = pytest.mark.django_db


def names(computers: dict[int, str]) -> list[str]:
    match = services.create_match(
        creator=create_guest(name="Ann"), ruleset=Ruleset(players=3), computers=computers
    )
    header = headers.load(pk=match.pk)
    assert header is not None
    return [seat.name for seat in header.seats]


def test_the_same_computer_in_two_seats_is_told_apart() -> None:
    assert names({1: "walter", 2: "walter"})[1:] == ["Walter", "Walter 2"]


def test_two_computers_keep_their_names() -> None:
    assert names({1: "walter", 2: "poppy"})[1:] == ["Walter", "Poppy"]
