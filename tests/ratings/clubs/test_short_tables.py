"""Club nights: players whose opponents are away play each other."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from games.models import Match, Player
from games.tables.forfeit import leave_for_good
from ratings.clubs import nights
from ratings.clubs.night_state_machine import advance
from ratings.clubs.regrouping import regroup
from ratings.models import ClubNight, NightTable
from tests.support.evenings import begun, club_of, night_of, play_all, play_out, seated, under_way


@given(number=st.integers(1, 9), seats=st.sampled_from([2, 3]))
def test_computers_fill_only_the_last_seats(number: int, seats: int) -> None:
    players = list(range(max(number, seats - 1)))
    tables = regroup(players=players, seats=seats, others=[])
    assert all(len(table) == seats for table in tables)
    assert sorted(one for table in tables for one in table if one is not None) == players
    assert sum(table.count(None) for table in tables) == -len(players) % seats
    assert all(table.count(None) <= 1 for table in tables)


def test_players_meet_whom_they_have_met_least() -> None:
    others = [(1, 2), (3, 4), (1, 3), (2, 4)]
    tables = regroup(players=[1, 2, 3, 4], seats=2, others=others)
    assert {frozenset(table) for table in tables} == {frozenset({1, 4}), frozenset({2, 3})}


def test_the_computer_meets_whom_it_has_met_least() -> None:
    tables = regroup(players=[1, 2, 3], seats=2, others=[(1, None), (None, 2)])
    assert {frozenset(table) for table in tables} == {frozenset({3, None}), frozenset({1, 2})}


def test_who_has_dealt_first_less_often_deals_first() -> None:
    assert regroup(players=[1, 2], seats=2, others=[(1, 3), (4, 2)]) == [(2, 1)]


def next_game(night: ClubNight) -> list[Match]:
    """Play the running tables of a night out, and return those of the next game."""
    for match in under_way(night):
        play_out(match)
    return under_way(night)


def opponents_in_the_second_game(night: ClubNight, player: Player) -> list[Player]:
    """Return whom a player is drawn to meet in the second game."""
    tables = NightTable.objects.filter(game__night=night, game__number=2)
    for table in tables.select_related("first__player", "second__player"):
        pair = [row.player for row in (table.first, table.second) if row is not None]
        if player in pair:
            return [one for one in pair if one != player]
    raise AssertionError("no table")


@pytest.mark.django_db
@pytest.mark.usefixtures("same_night", "fixed_cards")
class TestNights:
    def test_two_players_whose_opponents_are_away_play_each_other(self) -> None:
        night, members = begun(4)
        (away,) = opponents_in_the_second_game(night, members[0])
        other = next(one for one in members[1:] if one != away)
        (also,) = opponents_in_the_second_game(night, other)
        for absent in (away, also):
            nights.mark(night=night, by=members[0], player=absent, absent=True)
        (match,) = next_game(night)
        assert set(seated(match)) == {members[0], other}
        idle = NightTable.objects.get(game__night=night, game__number=2, idle=True)
        assert {row.player for row in (idle.first, idle.second) if row} == {away, also}

    def test_who_would_play_the_computer_of_an_odd_number_plays_them_too(self) -> None:
        night, members = begun(3)
        alone = next(one for one in members if not opponents_in_the_second_game(night, one))
        away, other = (one for one in members if one != alone)
        nights.mark(night=night, by=members[0], player=away, absent=True)
        (match,) = next_game(night)
        assert set(seated(match)) == {alone, other}

    def test_they_return_to_the_draw_with_the_game_after(self) -> None:
        night, members = begun(4)
        drawn = {
            frozenset((table.first_id, table.second_id))
            for table in NightTable.objects.filter(game__night=night, game__number=3)
        }
        for absent in members[2:]:
            nights.mark(night=night, by=members[0], player=absent, absent=True)
        next_game(night)
        for member in members[2:]:
            nights.join(night=night, player=member)
        assert len(next_game(night)) == 2
        tables = NightTable.objects.filter(game__night=night, game__number=3)
        assert {frozenset((table.first_id, table.second_id)) for table in tables} == drawn

    def test_every_entrant_has_one_table_in_each_game(self) -> None:
        night, members = begun(9, games=4)
        for absent in members[5:]:
            nights.mark(night=night, by=members[0], player=absent, absent=True)
        assert play_all(night).is_over
        for number in range(1, 5):
            rows = NightTable.objects.filter(game__night=night, game__number=number)
            found = Counter(key for row in rows for key in (row.first_id, row.second_id) if key)
            assert set(found.values()) == {1}
            assert len(found) == len(members)
            computers = [
                one
                for row in rows.filter(play__isnull=False).select_related("play__match")
                if row.play and row.play.match
                for one in seated(row.play.match)
                if one.is_computer
            ]
            # Nine people at first, five from the second game on.
            assert len(computers) == 1

    def test_at_tables_of_three_they_come_together_as_well(self) -> None:
        club, members = club_of(6)
        night = night_of(club, members[0], games=2, entrants=members, seats=3)
        nights.begin(night=night, by=members[0])
        night = ClubNight.objects.get(pk=night.pk)
        second = NightTable.objects.filter(game__night=night, game__number=2).order_by("pk")
        stay = [second[0].first, second[0].second, second[1].third]
        there = {row.player for row in stay if row is not None}
        for absent in set(members) - there:
            nights.mark(night=night, by=members[0], player=absent, absent=True)
        (match,) = next_game(night)
        assert set(seated(match)) == there

    def test_nobody_waits_for_a_player_who_has_left(self) -> None:
        night, _ = begun(4)
        slow, quick = under_way(night)
        leave_for_good(match=slow.pk, seat=0)
        play_out(quick)
        assert under_way(night) == [slow]
        later = timezone.now() + timedelta(minutes=26)
        advance(night=night, now=later)
        gone, busy = seated(slow)
        free = set(seated(quick))
        (match,) = [each for each in under_way(night) if each != slow]
        assert gone not in seated(match)
        assert busy not in seated(match)
        assert free & set(seated(match))
