"""Leaving a tournament in which a player has no further game: their place and title stay."""

import html
from typing import Any

import pytest

from games.tables.forfeit import leave_for_good
from ratings.events import events
from tests.support.evenings import seated
from tests.support.people import as_
from tests.support.standard_tables import text
from tests.support.tournaments import again, begun, entrant, finish, tables, under_way

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_event")]


def winner_seat(first: int) -> tuple[int, int]:
    """Return scores by seat in which this seat wins."""
    return (121, 100) if first == 0 else (100, 121)


@pytest.mark.parametrize("kind", ["knockout", "swiss"])
def test_who_leaves_in_their_last_game_and_wins_it_has_the_title(kind: str) -> None:
    event, who = begun(kind, 2, rounds=1)
    events.leave(event=event, player=who[1])
    (match,) = under_way(event)
    finish(match, *winner_seat(match.seats.get(player=who[1]).seat))
    assert again(event).is_over
    assert entrant(event, who[1]).titled


def test_who_leaves_after_their_last_game_keeps_their_title() -> None:
    event, _ = begun("swiss", 4, rounds=1)
    match, other = under_way(event)
    first, second = seated(match)
    finish(match, 121, 60)
    page = text(as_(first), f"/tournaments/{event.public_id}/")
    assert "Leave now" not in page
    events.leave(event=event, player=first)
    finish(other, 121, 119)
    assert entrant(event, first).titled
    assert not entrant(event, second).absent


def test_who_is_out_of_the_bracket_keeps_the_title_for_their_place() -> None:
    event, _ = begun("knockout", 4)
    for match in under_way(event):
        finish(match, 121, 100)
    (final,) = tables(event, 2)
    (match,) = under_way(event)
    losers = [row for row in event.entrants.all() if row not in (final.first, final.second)]
    assert "Leave now" not in text(as_(losers[0].player), f"/tournaments/{event.public_id}/")
    events.leave(event=event, player=losers[0].player)
    assert not entrant(event, losers[0].player).absent
    finish(match, 121, 100)


@pytest.mark.parametrize("plan", [{"kind": "knockout"}, {"kind": "swiss", "rounds": 3}])
def test_who_leaves_a_game_reads_that_it_is_lost_not_that_another_follows(
    plan: dict[str, Any],
) -> None:
    event, who = begun(number=2, **plan)
    (match,) = under_way(event)
    address = f"/tournaments/{event.public_id}/"
    assert leave_for_good(match=match.pk, seat=match.seats.get(player=who[1]).seat)
    page = text(as_(who[1]), address)
    assert "You left your game, so it counts as lost. The computer plays it to the end." in page
    assert "Your next game" not in page
    assert "your next game" not in page
    assert "You left your game" not in text(as_(who[2]), address)
    finish(match, 121, 100)
    assert "You left your game" not in text(as_(who[1]), address)


@pytest.mark.parametrize("kind", ["knockout", "arena"])
def test_an_open_page_hears_that_its_reader_left_their_game(kind: str) -> None:
    """It said that the table is ready until the computer had played the game to the end."""
    event, who = begun(kind, number=2)
    (match,) = under_way(event)
    address = f"/tournaments/{event.public_id}/live/"
    reader = as_(who[1])
    first = reader.get(address)
    assert "Your table is ready." in first.content.decode()
    known = {"If-None-Match": first["ETag"]}
    assert reader.get(address, headers=known).status_code == 304
    assert leave_for_good(match=match.pk, seat=match.seats.get(player=who[1]).seat)
    assert "You left your game" in reader.get(address, headers=known).content.decode()


def test_who_leaves_with_games_to_come_is_absent() -> None:
    event, who = begun("swiss", 2, rounds=2)
    events.leave(event=event, player=who[1])
    assert entrant(event, who[1]).absent
    event, who = begun("knockout", 2, best_of=3, start=20)
    events.leave(event=event, player=who[1])
    assert entrant(event, who[1]).absent
    event, who = begun("knockout", 4, start=40)
    events.leave(event=event, player=who[1])
    assert entrant(event, who[1]).absent
    event, who = begun("arena", 2, start=60)
    events.leave(event=event, player=who[1])
    assert entrant(event, who[1]).absent


def test_an_old_page_does_not_say_that_who_stays_has_withdrawn() -> None:
    event, who = begun("knockout", 2)
    path = f"/tournaments/{event.public_id}/"
    page = as_(who[1]).post(f"{path}leave/", follow=True).content.decode()
    assert "You've withdrawn." not in html.unescape(page)
    assert not entrant(event, who[1]).absent
    other, people = begun("swiss", 2, rounds=2, start=20)
    path = f"/tournaments/{other.public_id}/"
    page = as_(people[1]).post(f"{path}leave/", follow=True).content.decode()
    assert "You'll leave after this game." in html.unescape(page)
    assert entrant(other, people[1]).absent


def test_who_leaves_between_games_has_withdrawn_at_once() -> None:
    event, _ = begun("swiss", 4, rounds=2)
    match, _ = under_way(event)
    finish(match)
    leaver = seated(match)[0]
    path = f"/tournaments/{event.public_id}/"
    page = html.unescape(as_(leaver).post(f"{path}leave/", follow=True).content.decode())
    assert "You've withdrawn." in page
    assert entrant(event, leaver).absent
