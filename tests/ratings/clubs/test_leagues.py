"""Club leagues: scoring, nights, the end after the last night, and what members see."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.api import Refused
from games.models import Player
from games.people.accounts import create_guest, merge_guest
from games.safety.erasure import erase
from ratings.clubs import league_pages, league_titles, leagues, night_results, nights
from ratings.clubs.league_scoring import NightScore, standings
from ratings.clubs.night_standings import sheet as night_sheet
from ratings.clubs.night_state_machine import advance
from ratings.models import Attempt, Club, ClubLeague, ClubNight, LeagueTitle, NightResult
from tests.support.evenings import club_of, play_all
from tests.support.people import as_
from tests.support.standard_tables import people, text


def score(night: int, points: int, won: int = 0, spread: int = 0) -> NightScore:
    return NightScore(night, points, won, spread)


def test_the_best_nights_of_each_player_count() -> None:
    found = standings(
        {7: [score(1, 4), score(2, 10), score(3, 6)], 8: [score(2, 15)], 9: [score(1, 16)]}, best=2
    )
    assert [(line.player, line.place, line.points, line.nights) for line in found] == [
        (7, 1, 16, 3),
        (9, 1, 16, 1),
        (8, 3, 15, 1),
    ]
    assert found[0].counted == {2, 3}


def test_ties_go_by_games_won_then_by_spread_of_the_nights_that_count() -> None:
    found = standings(
        {1: [score(1, 9, 3, 10)], 2: [score(1, 9, 4, -5)], 3: [score(1, 9, 3, 11)]}, best=1
    )
    assert [line.player for line in found] == [2, 3, 1]


def league_night(
    league: ClubLeague, by: Player, entrants: list[Player], games: int = 1
) -> ClubNight:
    """Play a night of a league to its end."""
    begins = timezone.now() + timedelta(hours=1)
    night = nights.plan(
        club=league.club, by=by, title="Thursday", games=games, minutes=25, starts_at=begins,
        ends_at=begins + timedelta(hours=4), league=league,
    )  # fmt: skip
    for player in entrants:
        nights.join(night=night, player=player)
    nights.begin(night=night, by=by)
    return play_all(ClubNight.objects.get(pk=night.pk))


def new_league(club: Club, by: Player, nights_: int = 2, best: int = 1) -> ClubLeague:
    return leagues.start(club=club, by=by, title="Winter", nights=nights_, best=best)


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_a_league_adds_up_its_nights_and_ends_after_the_last() -> None:
    club, (ann, bob) = club_of(2)
    (visitor,) = people(1, 9)
    league = new_league(club, ann)
    first = league_night(league, ann, [ann, bob])
    league.refresh_from_db()
    assert not league.is_over
    second = league_night(league, ann, [ann, visitor])
    league.refresh_from_db()
    assert league.is_over
    found = league_pages.sheet(league=league)
    assert [night.pk for night in found.over] == [first.pk, second.pk]
    for line in found.lines:
        own = NightResult.objects.filter(entrant__player=line.player)
        assert line.total.points == max(row.points for row in own)
        assert sum(cell is not None and cell.counts for cell in line.cells) == 1
        assert line.visitor == (line.player == visitor)
    with pytest.raises(Refused) as refusal:
        league_night(league, ann, [ann, bob])
    assert refusal.value.code == "league_over"


def titles(league: ClubLeague) -> dict[str, int]:
    """Return the places of those who have a title, by name."""
    return dict(league.titles.values_list("player__name", "place"))


def result(night: ClubNight, **points: int) -> None:
    """Set the game points of a night that is over, by name of the player."""
    for name, value in points.items():
        row = NightResult.objects.get(entrant__night=night, entrant__player__name=name)
        row.points = value
        row.save()


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_the_winner_of_a_league_has_a_title_that_the_clubs_members_see() -> None:
    club, (ann, bob) = club_of(2)
    (visitor,) = people(1, 9)
    league = new_league(club, ann)
    result(league_night(league, ann, [ann, bob]), **{ann.name: 3, bob.name: 0})
    assert not titles(league)
    league_night(league, ann, [visitor, bob])
    best = league_pages.sheet(league=league).lines[0]
    assert titles(league) == {best.player.name: 1}
    address = f"/players/{best.player.public_id}/"
    here = f"/clubs/{club.public_id}/league/{league.public_id}/"
    for reader, seen in ((ann, True), (people(1, 20)[0], False)):
        page = as_(reader).get(address).content.decode()
        assert ("Winter" in page, here in page) == (seen, seen)
    assert "Winter" not in Client().get(address).content.decode()


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_an_outside_player_sees_their_own_title_without_a_link_they_could_not_open() -> None:
    club, (ann, bob) = club_of(2)
    (visitor,) = people(1, 9)
    league = new_league(club, ann, nights_=2, best=2)
    night = league_night(league, ann, [visitor, bob])
    result(night, **{visitor.name: 3, bob.name: 0})
    leagues.end(league=league, by=ann)
    assert titles(league) == {visitor.name: 1}
    page = as_(visitor).get(f"/players/{visitor.public_id}/").content.decode()
    assert "Winter" in page
    assert f"/league/{league.public_id}/" not in page
    (row,) = league_titles.export_of(visitor.pk)
    assert (row["league"], row["place"]) == ("Winter", 1)


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_of_four_players_two_have_titles_but_no_banned_one() -> None:
    club, members = club_of(4)
    league = new_league(club, members[0], nights_=1)
    night = league_night(league, members[0], members)
    LeagueTitle.objects.all().delete()
    names = [player.name for player in members]
    result(night, **dict(zip(names, (9, 6, 6, 0), strict=True)))
    NightResult.objects.update(won=1, spread=0)
    league_titles.give(league=league)
    assert titles(league) == {names[0]: 1, names[1]: 2, names[2]: 2}
    LeagueTitle.objects.all().delete()
    Player.objects.filter(pk=members[0].pk).update(is_active=False)
    league_titles.give(league=league)
    assert titles(league) == {names[1]: 2, names[2]: 2}
    erase(player=members[1])
    assert titles(league) == {names[2]: 2}


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_a_guests_title_moves_to_the_account_that_they_log_in_to() -> None:
    club, (ann, bob) = club_of(2)
    guest = create_guest()
    league = new_league(club, ann, nights_=1)
    league_night(league, ann, [ann, guest])
    LeagueTitle.objects.all().delete()
    LeagueTitle.objects.create(league=league, player=guest, place=1)
    merge_guest(guest=guest, account=bob)
    assert titles(league) == {bob.name: 1}
    other = create_guest()
    LeagueTitle.objects.filter(player=bob).update(place=2)
    LeagueTitle.objects.create(league=league, player=other, place=1)
    merge_guest(guest=other, account=bob)
    assert titles(league) == {bob.name: 1}


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_the_stored_results_are_those_of_the_night_and_stored_once() -> None:
    club, (ann, bob, cat) = club_of(3)
    night = league_night(new_league(club, ann), ann, [ann, bob, cat], games=3)
    lines = night_sheet(night=night, viewer=None).lines
    rows = {row.entrant_id: row for row in NightResult.objects.all()}
    assert len(rows) == 3
    for line in lines:
        row = rows[line.entrant.pk]
        total = (line.place, line.total.points, line.total.played, line.total.won)
        assert (row.place, row.points, row.played, row.won) == total
        assert (row.spread, row.form.count("W")) == (line.total.spread, line.total.won)
        assert len(row.form) == row.played == 3
        assert 0 < row.best_hand <= 29
    advance(night=night)
    assert NightResult.objects.count() == 3


@pytest.mark.django_db
def test_no_more_nights_can_be_planned_than_the_league_has() -> None:
    club, (ann,) = club_of(1)
    league = new_league(club, ann, nights_=1)
    begins = timezone.now() + timedelta(hours=1)
    plan = {"club": club, "by": ann, "title": "Thursday", "games": 9, "minutes": 25}
    dates = {"starts_at": begins, "ends_at": begins + timedelta(hours=3)}
    night = nights.plan(**plan, **dates, league=league)  # type: ignore[arg-type]
    with pytest.raises(Refused) as refusal:
        nights.plan(**plan | {"games": 3}, **dates, league=league)  # type: ignore[arg-type]
    assert refusal.value.code == "league_full"
    nights.end(night=night, by=ann)  # cancelled before it began
    nights.plan(**plan, **dates, league=league)  # type: ignore[arg-type]


@pytest.mark.django_db
def test_a_league_that_another_officer_has_just_cancelled_is_over() -> None:
    club, (ann,) = club_of(1)
    league = new_league(club, ann)
    leagues.end(league=ClubLeague.objects.get(), by=ann)
    assert not ClubLeague.objects.exists()
    with pytest.raises(Refused) as refusal:
        leagues.end(league=league, by=ann)
    assert refusal.value.code == "league_over"


@pytest.mark.django_db
def test_hands_that_a_substitute_played_are_no_records_of_who_left() -> None:
    club, (ann, bob) = club_of(2)
    night = league_night(new_league(club, ann), ann, [ann, bob])
    row = Attempt.objects.get(player=ann)
    hands = [{**hand, "counted": 2} for hand in row.hands]
    hands[-1]["counted"] = 29
    Attempt.objects.filter(pk=row.pk).update(ended=Attempt.Ended.LEFT, hands_seen=2, hands=hands)
    NightResult.objects.all().delete()
    night_results.store(night=night)
    assert NightResult.objects.get(entrant__player=ann).best_hand == 2


@pytest.mark.django_db
def test_a_night_to_which_nobody_came_does_not_count() -> None:
    club, (ann,) = club_of(1)
    league = new_league(club, ann, nights_=1)
    begins = timezone.now() + timedelta(hours=1)
    night = nights.plan(
        club=club, by=ann, title="Thursday", games=9, minutes=25, starts_at=begins,
        ends_at=begins + timedelta(hours=3), league=league,
    )  # fmt: skip
    night = advance(night=night, now=begins + timedelta(hours=4))
    assert night.is_over
    league.refresh_from_db()
    assert not league.is_over
    assert league_pages.open_leagues(club=club) == [league]


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
def test_an_officer_starts_plays_and_ends_a_league_on_its_pages() -> None:
    club, (ann, bob) = club_of(2)
    here = f"/clubs/{club.public_id}"
    wrong = as_(ann).post(f"{here}/league/", {"title": "Winter", "nights": "3", "best": "4"})
    assert wrong.status_code == 422
    assert "have that many nights" in wrong.content.decode()
    assert not ClubLeague.objects.exists()
    for player, made in ((bob, 0), (ann, 1)):
        as_(player).post(f"{here}/league/", {"title": "Winter", "nights": "3", "best": "2"})
        assert ClubLeague.objects.count() == made
    league = ClubLeague.objects.get()
    address = f"{here}/league/{league.public_id}/"
    assert "No night of this league is over yet." in as_(bob).get(address).content.decode()
    form = {"title": "Night one", "games": "2", "minutes": "25", "league": str(league.pk),
            "starts": f"{timezone.now():%Y-%m-%dT%H:%M}",
            "ends": f"{timezone.now() + timedelta(hours=2):%Y-%m-%dT%H:%M}"}  # fmt: skip
    as_(ann).post(f"{here}/night/", form)
    night = ClubNight.objects.get()
    assert (night.league, night.games) == (league, 2)
    for player in (ann, bob):
        nights.join(night=night, player=player)
    play_all(advance(night=night))
    page = as_(bob).get(address).content.decode()
    assert "1 of 3 nights played" in page
    table = as_(bob).get(f"{address}standings.csv").content.decode().splitlines()
    assert len(table) == 3
    assert table[0].startswith("place,player,game_points,nights,games_won,spread,night_1_")
    assert as_(people(1, 9)[0]).get(address).status_code == 404
    as_(bob).post(f"{address}end/")
    league.refresh_from_db()
    assert not league.is_over
    as_(ann).post(f"{address}end/")
    league.refresh_from_db()
    assert league.is_over
    late = as_(ann).post(f"{here}/night/", form)
    assert late.status_code == 422, "the night would be in no league"
    assert ClubNight.objects.count() == 1
    assert "wins the league" in as_(bob).get(address).content.decode()


@pytest.mark.django_db
def test_each_field_of_a_clubs_page_has_a_label_of_its_own() -> None:
    club, members = club_of(1)
    page = text(as_(members[0]), f"/clubs/{club.public_id}/")
    named = re.findall(r' id="([^"]+)"', page)
    assert len(named) == len(set(named)), "a label leads to the first field with its id"
    assert 'for="league_title"' in page
