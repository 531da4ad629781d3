"""Club nights for three: tables, scores, and a night from the draw to the standings."""

from collections import Counter
from itertools import combinations

import pytest

from games.models import Player
from ratings.clubs import nights
from ratings.clubs.acc_scoring import Score, score_of_three
from ratings.clubs.trios import draw_threes
from ratings.models import ClubNight, NightResult, NightTable
from tests.support.evenings import club_of, lines_of, night_of, play_all, play_out, under_way
from tests.support.people import as_
from tests.support.standard_tables import people


@pytest.mark.parametrize(("number", "games"), [(3, 4), (6, 5), (9, 4), (12, 9), (30, 9), (99, 3)])
def test_everyone_sits_once_in_each_game_and_in_each_seat_as_often(number: int, games: int) -> None:
    seats: dict[int, Counter[int]] = {player: Counter() for player in range(number)}
    for tables in draw_threes(number=number, games=games):
        assert sorted(one for table in tables for one in table) == list(range(number))
        for table in tables:
            for seat, player in enumerate(table):
                seats[player][seat] += 1
    for found in seats.values():
        assert max(found[seat] for seat in range(3)) - min(found[seat] for seat in range(3)) <= 2


@pytest.mark.parametrize(
    ("number", "games", "most"), [(9, 4, 2), (12, 4, 2), (30, 9, 2), (6, 5, 3)]
)
def test_meetings_are_spread_over_the_players(number: int, games: int, most: int) -> None:
    met: Counter[tuple[int, int]] = Counter()
    for tables in draw_threes(number=number, games=games):
        for table in tables:
            met.update(combinations(sorted(table), 2))
    assert max(met.values()) <= most


def test_two_empty_places_are_at_different_tables() -> None:
    for tables in draw_threes(number=12, games=9, empty=2):
        assert not any({10, 11} <= set(table) for table in tables)


@pytest.mark.parametrize("number", [0, 2, 4, 10])
def test_other_numbers_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match="tables of three"):
        draw_threes(number=number, games=1)


@pytest.mark.parametrize(
    ("scores", "gone", "worth"),
    [
        ((121, 100, 90), (), ((2, 21), (1, -21), (0, -31))),
        ((121, 90, 90), (), ((2, 31), (1, -31), (1, -31))),
        ((121, 100, 90), (0,), ((0, 0), (2, 0), (1, -31))),
        ((121, 100, 90), (1,), ((2, 21), (0, -21), (1, -31))),
    ],
)
def test_three_are_scored_by_place(
    scores: tuple[int, ...], gone: tuple[int, ...], worth: tuple[tuple[int, int], ...]
) -> None:
    found = [score_of_three(scores=scores, gone=gone, seat=seat) for seat in range(3)]
    assert found == [Score(points, spread, seats=3) for points, spread in worth]
    assert [score.won for score in found] == [points == 2 for points, _ in worth]
    assert not any(score.skunk for score in found)


def night_for_three(number: int, games: int) -> tuple[ClubNight, list[Player]]:
    club, members = club_of(number)
    night = night_of(club, members[0], games=games, entrants=members, seats=3)
    nights.begin(night=night, by=members[0])
    return ClubNight.objects.get(pk=night.pk), members


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_a_night_for_three_is_played_to_its_end_with_computers_in_empty_seats(number: int) -> None:
    night, members = night_for_three(number, games=2)
    matches = under_way(night)
    assert len(matches) == -(-number // 3)
    assert all(match.seats.count() == 3 for match in matches)
    night = play_all(night)
    assert night.is_over
    lines = lines_of(night)
    assert sorted(line.entrant.player.pk for line in lines) == sorted(one.pk for one in members)
    assert all(line.total.played == 2 for line in lines)
    assert NightResult.objects.count() == number
    page = as_(members[0]).get(f"/clubs/night/{night.token}/").content.decode()
    assert "The winner gets 2 game points, the second 1." in page
    table = as_(members[0]).get(f"/clubs/night/{night.token}/standings.csv").content.decode()
    assert len(table.splitlines()) == number + 1


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_a_late_player_takes_a_computers_seat_from_the_next_game_on() -> None:
    night, _members = night_for_three(5, games=2)
    (late,) = people(1, 20)
    entrant = nights.join(night=night, player=late)
    for match in under_way(night):
        play_out(match)
    tables = NightTable.objects.filter(game__night=night, game__number=2)
    assert tables.count() == 2
    sides = [{row.first_id, row.second_id, row.third_id} for row in tables]
    assert sum(entrant.pk in side for side in sides) == 1
    assert not any(None in side for side in sides)
    assert play_all(night).is_over
    own = next(line for line in lines_of(night) if line.entrant.player == late)
    assert own.total.played == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_results_of_a_game_for_three_are_hidden_while_a_table_plays_it() -> None:
    night, _members = night_for_three(6, games=1)
    first, _second = under_way(night)
    play_out(first)
    (stranger,) = people(1, 20)
    assert all(line.total.played == 0 for line in lines_of(night, stranger))
    sitting = first.seats.order_by("seat")[0].player
    assert sum(line.total.played for line in lines_of(night, sitting)) == 3
