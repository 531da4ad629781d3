"""Fixtures of the tests about people."""

import pytest

from games.models import Player


@pytest.fixture
def ann() -> Player:
    return Player.objects.create_user("Ann")


@pytest.fixture
def bob() -> Player:
    return Player.objects.create_user("Bob")
