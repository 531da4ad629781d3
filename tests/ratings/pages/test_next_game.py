"""Players at another table, or who still read a result, learn that their next game has begun."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.engine.state import Ruleset
from games.models import Match, Player
from games.tables.tables import create_match
from ratings.clubs.night_state_machine import advance
from ratings.models import ClubNight
from ratings.pages.next_game import ASK_EARLY_SECONDS, ASK_SECONDS, AT_ONCE, ask_again
from tests.support.evenings import club_of, night_of, play_out
from tests.support.evenings import under_way as night_under_way
from tests.support.people import as_
from tests.support.seated_elsewhere import over, ranked_match
from tests.support.standard_tables import people
from tests.support.tournaments import begun, finish, under_way

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("midday")]


def address(match: Match) -> str:
    return reverse("ratings:next_game", args=[match.public_id])


def next_game(player: Player, match: Match) -> dict[str, object]:
    """Return what a player who reads the result of a match is told."""
    answer = as_(player).get(address(match))
    assert answer.status_code == 200
    told: dict[str, object] = answer.json()
    return told


def table_page(player: Player, match: Match) -> str:
    return as_(player).get(f"/t/{match.public_id}/").content.decode()


def table_at(match: Match) -> dict[str, object]:
    return {"table": f"/t/{match.public_id}/", "again": ASK_SECONDS}


def test_players_of_a_night_are_told_of_their_next_table_until_the_night_is_over() -> None:
    club, members = club_of(2)
    night = night_of(club, members[0], entrants=members, games=2)
    night = advance(night=night, now=night.starts_at)
    (first,) = night_under_way(night)
    assert next_game(members[0], first) == {"table": "", "again": ASK_SECONDS}
    assert f'data-next="{address(first)}">' in table_page(members[0], first)
    play_out(first)
    (second,) = night_under_way(night)
    assert next_game(members[0], first) == table_at(second)
    assert address(first) in table_page(members[0], first)
    play_out(second)
    assert ClubNight.objects.get(pk=night.pk).is_over
    assert next_game(members[1], second) == {"table": "", "again": 0}


def test_players_of_a_tournament_are_told_once_their_opponent_is_free() -> None:
    event, _ = begun("knockout", 4)
    first, other = under_way(event)
    winner = first.seats.get(seat=0).player
    assert winner is not None
    finish(first, 121, 60)
    assert next_game(winner, first) == {"table": "", "again": ASK_SECONDS}
    finish(other, 121, 60)
    (final,) = under_way(event)
    assert next_game(winner, first) == table_at(final)


def test_a_player_whose_ranked_game_ends_during_a_night_is_told_of_the_table_there() -> None:
    club, members = club_of(2)
    ranked = ranked_match(members[0])
    night = night_of(club, members[0], entrants=members)
    night = advance(night=night, now=night.starts_at)
    assert night_under_way(night) == []
    assert f'data-next="{address(ranked)}">' in table_page(members[0], ranked)
    over(ranked)
    advance(night=ClubNight.objects.get(pk=night.pk))
    (match,) = night_under_way(night)
    assert address(ranked) in table_page(members[0], ranked)
    assert next_game(members[0], ranked) == table_at(match)


def test_a_player_of_a_night_that_begins_soon_is_told_at_a_table_that_does_not_delay_it() -> None:
    club, members = club_of(2)
    casual = create_match(creator=members[0], ruleset=Ruleset(), computers={1: "alfie"})
    night = night_of(club, members[0], entrants=members)
    assert f'data-next="{address(casual)}" data-early>' in table_page(members[0], casual)
    assert next_game(members[0], casual) == {"table": "", "again": ASK_EARLY_SECONDS}
    ClubNight.objects.filter(pk=night.pk).update(starts_at=timezone.now() + AT_ONCE)
    assert next_game(members[0], casual) == {"table": "", "again": ASK_SECONDS}
    night = advance(night=night, now=night.starts_at)
    (match,) = night_under_way(night)
    assert next_game(members[0], casual) == table_at(match)


def test_who_watches_another_table_of_the_tournament_is_told_before_its_game_is_over() -> None:
    """Only a seat at a table keeps a player's other games waiting."""
    event, _ = begun("arena", 4)
    first, other = under_way(event)
    (player, _) = (row.player for row in first.seats.order_by("seat"))
    assert player is not None
    assert f'data-next="{address(first)}">' in table_page(player, first)
    assert f'data-next="{address(other)}" data-early>' in table_page(player, other)
    assert next_game(player, other) == table_at(first)


def test_who_takes_part_in_nothing_is_not_kept_asking() -> None:
    (player,) = people(1)
    match = ranked_match(player)
    over(match)
    assert "data-next" not in table_page(player, match)
    assert next_game(player, match) == {"table": "", "again": 0}


def test_who_takes_part_is_found_with_one_query(django_assert_num_queries: Any) -> None:
    _, who = begun("knockout", 2)
    with django_assert_num_queries(1):
        assert ask_again(who[1])
    with django_assert_num_queries(1):
        assert not ask_again(who[0])


def test_a_visitor_is_told_nothing() -> None:
    assert Client().get("/next-game/x/").status_code == 404
