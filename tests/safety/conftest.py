"""Fixtures of the tests of safety."""

import pytest

from games.models import Player
from tests.support.moderators import PASSWORD, a_moderator


@pytest.fixture
def mo() -> Player:
    return a_moderator("Mo")


@pytest.fixture
def bea() -> Player:
    return Player.objects.create_user("Bea", password=PASSWORD)
