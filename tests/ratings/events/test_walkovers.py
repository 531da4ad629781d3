"""Tournaments: pages say who got a walkover and why, and show the spread."""

import pytest
from django.test import Client
from django.utils import timezone

from ratings.events import events, pairings
from ratings.models import Event
from tests.support.standard_tables import text
from tests.support.tournaments import again, begun, finish, planned, tables, under_way, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_event")]


def path(event: Event) -> str:
    """Return the address of an event."""
    return f"/tournaments/{event.public_id}/"


def test_a_walkover_names_who_was_away() -> None:
    event, who = planned("knockout", 4)
    events.pause(event=event, by=who[0], paused=True)
    Event.objects.filter(pk=event.pk).update(state="running")
    pairings.start_round(event=again(event), number=1, now=timezone.now())
    first, second = tables(event, 1)
    away = [first.first, second.first, second.second]
    for row in away:
        events.mark(event=event, by=who[0], number=row.number, absent=True)
    events.pause(event=event, by=who[0], paused=False)
    work()
    page = text(Client(), path(event))
    assert f"walkover: {first.first.player.name} was away" in page
    assert page.count("not played") == 1, "both players of the other table were away"


def test_a_second_game_that_only_one_player_came_to_is_a_walkover() -> None:
    event, who = begun("knockout", 2, best_of=3)
    (match,) = under_way(event)
    (table,) = tables(event, 1)
    events.mark(event=event, by=who[0], number=table.second.number, absent=True)
    finish(match, 121, 100)
    page = text(Client(), path(event))
    assert f"walkover: {table.second.player.name} was away" in page
    assert "finished," not in page


def test_a_result_names_who_forfeited_the_game() -> None:
    """The computer finishes it, so the score alone may show the loser ahead."""
    event, who = begun("swiss", 2, rounds=1)
    (match,) = under_way(event)
    (table,) = tables(event, 1)
    seat = match.seats.get(player=who[1]).seat
    finish(match, *((121, 90) if seat == 0 else (90, 121)), left=seat)
    page = text(Client(), path(event))
    assert table.first.player.name in page
    assert page.count(f"forfeited by {who[1].name}") == 1
    assert f"forfeited by {who[2].name}" not in page


def test_the_spread_of_three_is_the_gap_to_the_best_of_the_others() -> None:
    event, _ = begun("swiss", 3, seats=3, rounds=1)
    (match,) = under_way(event)
    finish(match, 121, 100, 95)
    page = text(Client(), path(event))
    assert all(spread in page for spread in ("+21<", "−21<", "−26<"))
    rows = text(Client(), f"{path(event)}standings.csv").splitlines()[1:]
    assert sorted(row.split(",")[-2] for row in rows) == ["-21", "-26", "21"]
