"""Fixtures of the tests of notices: a player who is away, and a match in which it is her turn."""

import pytest

from games.models import Match, Player
from tests.support.letters import begin, discard, make_person


@pytest.fixture
def ann() -> Player:
    return make_person("ann")


@pytest.fixture
def match(ann: Player) -> Match:
    """Start a match in which Bob has discarded and Ann has not."""
    made = begin(ann, make_person("bob", mails=False))
    discard(made, 1)
    return made
