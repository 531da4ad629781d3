"""Tournaments that are open to people with their link, and to their organisers."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.ratings.events.test_event_pages import path
from tests.support.people import as_
from tests.support.standard_tables import people, text
from tests.support.tournaments import planned

pytestmark = pytest.mark.django_db


def buttons(browser: Client, address: str) -> str:
    """Return what the buttons that send a page's forms say."""
    page = browser.get(address).content.decode()
    return " ".join(re.findall(r"<button[^>]*type=.submit.[^>]*>([^<]*)<", page))


def test_only_the_link_opens_a_tournament_by_invitation() -> None:
    event, _ = planned("swiss", 0, entry="link")
    (player,) = people(1, 10)
    browser = as_(player)
    browser.post(path(event, "join"))
    assert not event.entrants.exists()
    assert event.token not in text(browser, path(event))
    browser.get(f"/tournaments/invited/{event.token}/")
    browser.post(path(event, "join"))
    assert event.entrants.get().player == player


@pytest.mark.parametrize("kind", ["swiss", "teams"])
def test_the_organiser_needs_no_link_to_their_own_tournament(kind: str) -> None:
    event, (organiser,) = planned(kind, 0, entry="link")
    browser = as_(organiser)
    assert "Join" in buttons(browser, path(event))
    browser.post(path(event, "join"))
    assert event.entrants.get().player == organiser
