"""Readers of a large event share what is alike for all of them; small events are always new."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Player
from ratings.events import event_pages, events
from ratings.events.event_pages import LINES
from ratings.models import Event
from ratings.pages import events_snapshot
from ratings.pages.events_snapshot import KEPT_S, SHARED_S, Snapshot
from tests.support.people import as_
from tests.support.standard_tables import people, text
from tests.support.tournaments import again, begun, planned

pytestmark = pytest.mark.django_db


@pytest.fixture
def large() -> tuple[Event, Player]:
    """Return an event with more players than a page lists, and the one who is listed last."""
    event, (organiser, *_) = planned("swiss", 0, places=LINES + 20)
    events.fill(event=event, by=organiser, number=LINES + 2)
    (last,) = people(1, 20)
    events.join(event=event, player=last)
    return again(event), last


def test_a_change_of_a_large_event_is_shown_after_a_moment(large: tuple[Event, Player]) -> None:
    event, last = large
    first = events_snapshot.of(event, lambda: 0.0)
    events.leave(event=event, player=last)
    changed = again(event)
    assert changed.version > event.version
    assert events_snapshot.of(changed, lambda: SHARED_S - 0.1) is first
    later = events_snapshot.of(changed, lambda: SHARED_S + 0.1)
    assert later.sheet.number == first.sheet.number - 1


def test_a_new_stage_of_a_large_event_is_shown_at_once(large: tuple[Event, Player]) -> None:
    event, _ = large
    first = events_snapshot.of(event, lambda: 0.0)
    Event.objects.filter(pk=event.pk).update(state=Event.State.OFF, version=event.version + 1)
    assert events_snapshot.of(again(event), lambda: 0.1) is not first


def test_a_new_name_is_shown_in_a_large_event_after_a_minute(
    large: tuple[Event, Player],
) -> None:
    event, last = large
    first = events_snapshot.of(event, lambda: 0.0)
    Player.objects.filter(pk=last.pk).update(name="Renamed")
    assert events_snapshot.of(again(event), lambda: KEPT_S - 0.1) is first
    later = events_snapshot.of(again(event), lambda: KEPT_S + 0.1)
    assert later.sheet.rest[-1].entrant.player.name == "Renamed"
    assert later.version == first.version, "those who poll are not sent everything again"


def test_an_event_does_not_wait_for_the_snapshot_of_another(
    large: tuple[Event, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    event, last = large
    first = events_snapshot.of(event, lambda: 0.0)
    events.leave(event=event, player=last)
    other, _ = planned("swiss", 0, start=40)
    shared_sheet, meanwhile = event_pages.shared_sheet, list[Snapshot]()

    def slow(found: Event) -> event_pages.Sheet:
        if found == other:
            meanwhile.append(events_snapshot.of(again(event), lambda: SHARED_S + 0.1))
        return shared_sheet(found)

    monkeypatch.setattr(event_pages, "shared_sheet", slow)
    events_snapshot.of(other)
    assert meanwhile[0].sheet.number == first.sheet.number - 1


def test_a_small_event_is_always_the_newest() -> None:
    event, (_, player) = planned("swiss", 1)
    first = events_snapshot.of(again(event), lambda: 0.0)
    events.leave(event=event, player=player)
    assert events_snapshot.of(again(event), lambda: 0.0).sheet.number == first.sheet.number - 1


def test_each_reader_finds_their_own_line_in_a_shared_snapshot(
    large: tuple[Event, Player],
) -> None:
    event, last = large
    live = f"/tournaments/{event.public_id}/live/"
    assert last.name not in text(Client(), live)
    page = text(as_(last), live)
    assert page.count("tag-own") == 1
    assert last.name in page
    assert f"{LINES + 3} players have joined." in page


def test_a_poll_costs_no_new_snapshot_while_one_is_shared(
    large: tuple[Event, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    event, last = large
    browser, live = as_(last), f"/tournaments/{event.public_id}/live/"
    monkeypatch.setattr(events_snapshot, "SHARED_S", 10**9)
    tag = browser.get(live)["ETag"]
    (another,) = people(1, 30)
    events.join(event=event, player=another)
    assert browser.get(live, headers={"If-None-Match": tag}).status_code == 304
    monkeypatch.setattr(events_snapshot, "SHARED_S", 0)
    fresh = browser.get(live, headers={"If-None-Match": tag})
    assert fresh.status_code == 200
    assert fresh["ETag"] != tag


@pytest.mark.parametrize("reader", [0, 1])
def test_a_poll_asks_only_once_what_comes_first_for_its_reader(
    reader: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Beside the session, its player, and the event: many readers poll every few seconds."""
    event, who = begun("swiss", 2)
    browser, live = as_(who[reader]), f"/tournaments/{event.public_id}/live/"
    tag = browser.get(live)["ETag"]
    with django_assert_num_queries(4):
        same = browser.get(live, headers={"If-None-Match": tag})
    assert same.status_code == 304
