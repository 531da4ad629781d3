"""Arenas: free players are paired at once, until the time is up."""

from datetime import timedelta

import pytest
from django.utils import timezone

from ratings.events import (
    arena,
    events,
    progress,
    results,
)
from ratings.models import Event
from tests.support.standard_tables import people
from tests.support.tournaments import (
    again,
    begun,
    finish,
    planned,
    under_way,
    work,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_event")]


def test_free_players_are_paired_at_once_but_not_with_the_last_opponent() -> None:
    event, _ = begun("arena", 4)
    first, second = under_way(event)
    assert first.ruleset["target"] == 61
    finish(first, 61, 40)
    assert under_way(event) == [second]
    finish(second, 61, 40)
    pairs = [{seat.player_id for seat in match.seats.all()} for match in under_way(event)]
    assert len(pairs) == 2
    assert {seat.player_id for seat in first.seats.all()} not in pairs


def test_the_last_opponents_meet_again_when_there_is_nobody_else() -> None:
    event, _ = begun("arena", 2)
    finish(under_way(event)[0], 61, 40)
    assert not under_way(event)
    progress.advance(event=again(event), now=timezone.now() + timedelta(seconds=21))
    assert len(under_way(event)) == 1


def test_it_ends_when_its_time_is_up_and_all_games_are_over() -> None:
    event, _ = begun("arena", 3, minutes=10)
    ends = again(event).starts_at + timedelta(minutes=10)
    event = progress.advance(event=again(event), now=ends)
    assert event.is_running
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() - timedelta(minutes=11))
    finish(under_way(event)[0], 61, 40)
    assert again(event).state == Event.State.OVER


def test_one_that_waited_for_players_has_its_whole_time() -> None:
    event, _ = planned("arena", 1, minutes=10)
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() - timedelta(minutes=11))
    progress.advance(event=again(event))
    (late,) = people(1, 20)
    events.join(event=event, player=late)
    work()
    assert len(under_way(event)) == 1
    assert arena.seconds_left(again(event)) > 9 * 60


def test_three_seats() -> None:
    event, _ = begun("arena", 4, seats=3)
    (match,) = under_way(event)
    assert match.ruleset["players"] == 3
    finish(match, 61, 50, 40)
    found = results.totals(event, list(event.entrants.all()))
    assert sorted(total.points for total in found.values()) == [0, 0, 1, 2]
