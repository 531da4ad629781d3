"""Match metadata: what a live table knows about its seats."""

import pytest

from games.engine.state import Ruleset
from games.log import match_meta
from games.people.accounts import create_guest
from games.tables.tables import create_match

pytestmark = pytest.mark.django_db


def names(computers: dict[int, str]) -> list[str]:
    match = create_match(
        creator=create_guest(name="Ann"), ruleset=Ruleset(players=3), computers=computers
    )
    meta = match_meta.load(pk=match.pk)
    assert meta is not None
    return [seat.name for seat in meta.seats]


def test_the_same_computer_in_two_seats_is_numbered() -> None:
    assert names({1: "walter", 2: "walter"})[1:] == ["Walter", "Walter 2"]


def test_two_computers_keep_their_names() -> None:
    assert names({1: "walter", 2: "poppy"})[1:] == ["Walter", "Poppy"]
