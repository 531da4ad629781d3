"""Tournaments of each format, from the first pairing to the titles, driven by jobs alone."""

import pytest

from ratings.events import events, results, team_matches
from ratings.models import Event, EventGame, EventTable, StandardGame
from tests.support.standard_tables import people
from tests.support.tournaments import (
    begun,
    pairs,
    play_all,
    play_round,
    tables,
    under_way,
    work,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_event")]


def test_swiss_duplicate_gives_all_tables_of_a_round_the_same_fresh_cards() -> None:
    event, _ = begun("swiss", 4, rounds=2)
    matches = under_way(event)
    assert len(matches) == 2
    assert len({match.decks_id for match in matches}) == 1
    play_round(event)
    later = under_way(event)
    assert {match.decks_id for match in later}.isdisjoint({match.decks_id for match in matches})
    event = play_all(event)
    assert event.state == Event.State.OVER
    assert len(set(pairs(event))) == 4
    assert event.entrants.filter(titled=True, place=1).exists()
    games = StandardGame.objects.filter(event_round__event=event)
    assert {game.purpose for game in games} == {"event"}
    assert {game.state for game in games} == {"closed"}


def test_seats_alternate_in_swiss_duplicate() -> None:
    event, _ = begun("swiss", 8, rounds=2)
    event = play_all(event)
    first = [table.first_id for number in (1, 2) for table in tables(event, number)]
    assert sorted(first) == sorted(row.pk for row in event.entrants.all())


def test_an_odd_player_of_swiss_duplicate_plays_the_house_computer() -> None:
    event, _ = begun("swiss", 3, rounds=2)
    assert len(under_way(event)) == 2
    event = play_all(event)
    alone = [table.first_id for number in (1, 2) for table in tables(event, number)
             if table.second_id is None]  # fmt: skip
    assert len(set(alone)) == 2
    found = results.totals(event, list(event.entrants.all()))
    assert {total.played for total in found.values()} == {2}


def test_computers_among_themselves_are_played_by_a_job() -> None:
    event, _ = begun("swiss", 1, computers=5, rounds=2)
    assert len(under_way(event)) == 1
    games = EventGame.objects.filter(table__round__event=event, ended_at__isnull=False)
    assert games.count() == 2
    event = play_all(event)
    assert event.state == Event.State.OVER


def test_a_knockout_of_best_of_three_ends_with_one_winner() -> None:
    event, _ = begun("knockout", 5, best_of=3)
    event = play_all(event)
    last = results.bracket_tables(event).last()
    assert last is not None
    assert event.entrants.get(place=1).pk == last.winner_id
    assert event.played.count() == 3
    for table in EventTable.objects.filter(round__event=event, second__isnull=False):
        wins = [game.winner for game in table.games.all()]
        assert max(wins.count(0), wins.count(1)) == 2
    byes = [table for table in tables(event, 1) if table.second_id is None]
    assert len(byes) == 3


def test_everybody_meets_everybody_in_a_round_robin() -> None:
    event, _ = begun("robin", 5)
    event = play_all(event)
    assert event.rounds == 5
    assert len(pairs(event)) == len(set(pairs(event))) == 10


def test_the_best_quarter_of_a_qualifying_goes_on_to_the_playoff() -> None:
    event, _ = begun("qualifying", 8, rounds=3)
    event = play_all(event)
    playoff = results.bracket_tables(event)
    assert len(set(pairs(event)[:12])) == 12
    assert playoff.count() == 1
    final = playoff.get()
    assert {final.first.place, final.second.place} == {1, 2}
    assert sorted(row.place for row in event.entrants.all())[:3] == [1, 2, 3]


def test_swiss_duplicate_with_three_at_a_table_fills_up_with_computers() -> None:
    event, _ = begun("swiss", 5, seats=3, rounds=2)
    matches = under_way(event)
    assert len({match.decks_id for match in matches}) == 1
    seats = [seat.computer for match in matches for seat in match.seats.all()]
    assert (seats.count(False), seats.count(True)) == (5, 1)
    event = play_all(event)
    assert event.state == Event.State.OVER
    found = results.totals(event, list(event.entrants.all()))
    assert {total.played for total in found.values()} == {2}


def test_teams_play_the_same_cards_with_their_seats_exchanged() -> None:
    event, _ = begun_by_link()
    event = play_all(event)
    for number in (1, 2):
        one, other = tables(event, number)
        assert [one.first.team, one.second.team] == [other.second.team, other.first.team]
    rows = list(event.entrants.all())
    sums = results.team_sums(rows, results.totals(event, rows))
    assert sums[0] == -sums[1]
    winners = {row.team for row in rows if row.place == 1}
    assert len(winners) == (2 if sums[0] == 0 else 1)


def begun_by_link() -> tuple[Event, list[object]]:
    """Return a team match that began by itself when the fourth player came."""
    players = people(4)
    event = team_matches.plan(by=players[0], title="Pegs against Holes")
    for player in players:
        assert not under_way(event)
        events.join(event=event, player=player, token=event.token)
        work()
    assert len(under_way(event)) == 2
    return event, list(players)
