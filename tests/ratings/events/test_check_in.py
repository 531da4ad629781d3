"""Tournaments: the check-in is offered only while it is open, and forms say what to enter."""

from datetime import timedelta

import pytest
from django.utils import timezone

from ratings.events import events
from ratings.models import Event
from tests.support.people import as_
from tests.support.standard_tables import people, text
from tests.support.tournaments import planned

pytestmark = pytest.mark.django_db

BUTTON = ">Check in</button>"


def test_the_button_appears_when_the_check_in_opens() -> None:
    event, who = planned("swiss", 2, check_in=20)
    browser = as_(who[1])
    address = f"/tournaments/{event.public_id}/"
    page = text(browser, address)
    assert BUTTON not in page
    assert "Check-in opens 20 minutes before the start." in page
    live = browser.get(f"{address}live/")
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() + timedelta(minutes=19))
    page = text(browser, address)
    assert BUTTON in page
    assert "Check-in opens" not in page
    # An open page notices it: its state has changed, so that it loads anew.
    again = browser.get(f"{address}live/", headers={"if-none-match": live["ETag"]})
    assert "check-" in again.content.decode()
    assert "check-" not in live.content.decode()
    events.check_in(event=event, player=who[1])
    assert BUTTON not in text(browser, address)


def test_a_cancelled_tournament_lists_its_players_under_their_own_heading() -> None:
    event, who = planned("swiss", 2)
    events.end(event=event, by=who[0])
    page = text(as_(who[1]), f"/tournaments/{event.public_id}/")
    assert '<h2 id="standings">Players</h2>' in page


def test_errors_say_what_to_enter() -> None:
    (organiser,) = people(1)
    answer = as_(organiser).post(
        "/tournaments/new/",
        {"format": "swiss", "rounds": "99", "places": "", "starts": "soon", "entry": "open"},
    )
    page = answer.content.decode()
    for expected in (
        "Give it a title.",
        "Choose a number from 1 to 15.",
        "Choose a number from 2 to 1024.",
        "Choose a date and a time.",
    ):
        assert expected in page
    assert "Ensure this value" not in page
