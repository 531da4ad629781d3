"""How tournaments start: what they wait for, the time for decisions, and where they are listed."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.api import Refused
from games.safety.erasure import erase
from games.tables.turn_deadlines import deadlines
from ratings.events import events
from ratings.models import Event
from ratings.pages import events_words
from tests.support.standard_tables import people, text
from tests.support.tournaments import again, begun, planned, under_way, work

pytestmark = pytest.mark.django_db


def test_an_arena_of_three_waits_for_a_third_player() -> None:
    event, who = planned("arena", 2, seats=3)
    with pytest.raises(Refused) as refusal:
        events.begin(event=event, by=who[0])
    assert refusal.value.message == "At least 3 players are needed to start."
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now())
    work()
    assert again(event).is_planned
    events.join(event=again(event), player=people(1, 90)[0])
    work()
    assert len(under_way(event)) == 1


@pytest.mark.parametrize(("no_show", "minutes"), [(7, 7), (1, 2)])
def test_the_rules_name_the_time_for_the_first_decision_and_for_the_others(
    no_show: int, minutes: int
) -> None:
    event, _ = begun("knockout", 2, no_show=no_show)
    (match,) = under_way(event)
    first, later = (
        f"If you haven't come to the table {minutes} minutes after a game starts, you lose it.",
        "After that, you have 120 seconds for each decision.",
    )
    assert {first, later} <= set(events_words.rules_in_words(event))
    assert match.started_at is not None
    begins = deadlines([match.pk])[match.pk] - match.started_at
    assert (begins, match.clock) == (timedelta(minutes=minutes), 120)


def test_a_deleted_organiser_leaves_no_words_of_their_own_behind() -> None:
    event, who = planned("swiss", 2, note="Questions? Call Person 0.")
    erase(player=who[0])
    assert (again(event).note, again(event).made_by) == ("", None)


def test_the_page_says_what_its_numbers_mean() -> None:
    swiss = Event(format="swiss", seats=3, no_show=5)
    assert any("at most 100 a round" in line for line in events_words.rules_in_words(swiss))
    spread = {
        seats: events_words.order_in_words(Event(format="arena", seats=seats))[2]
        for seats in (2, 3)
    }
    assert "winning margins" in spread[2]
    assert "the best of the others" in spread[3]
    assert events_words.order_in_words(Event(format="qualifying"))[0] == "the playoff"
    robin = events_words.rules_in_words(Event(format="robin", no_show=5))
    assert any("counts as a win, but not as a game" in line for line in robin)
    fixture = events_words.rules_in_words(Event(format="teams", entry="team", no_show=5))
    assert "title" not in " ".join(fixture), "only its league has one"
    assert "title" in " ".join(robin)


def test_the_list_tells_tournaments_under_way_from_those_to_come() -> None:
    planned("swiss", 2, title="Later Cup")
    begun("swiss", 2, start=10, title="Running Cup")
    page = text(Client(), "/tournaments/")
    order = ("Under way now", "Running Cup", "Coming up", "Later Cup")
    assert sorted(order, key=page.index) == list(order)


def test_the_big_screen_says_when_a_tournament_begins_and_how_many_have_joined() -> None:
    event, _ = planned("robin", 2)
    screen = text(Client(), f"/tournaments/{event.public_id}/wall/")
    assert event.starts_at.isoformat()[:16] in screen
    assert "2 players have joined." in screen
    assert "At least 3 players are needed to start." in screen
