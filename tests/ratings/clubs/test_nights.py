"""Club nights: pairing, seating, play, and players who leave or are deleted."""

from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django.utils import timezone

from games.api import Refused
from games.people.accounts import create_guest, merge_guest
from games.safety.erasure import erase
from games.tables.forfeit import leave_for_good
from ratings.clubs import night_standings as selectors
from ratings.clubs import nights
from ratings.clubs.night_state_machine import advance
from ratings.matchmaking import linked_accounts
from ratings.models import ClubNight, Entrant, NightTable, StandardGame
from tests.support.evenings import (
    begun,
    club_of,
    lines_of,
    night_of,
    play_all,
    play_out,
    seated,
    under_way,
)
from tests.support.people import as_
from tests.support.standard_tables import people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_night")]


SOON = timedelta(hours=2)


class TestProgress:
    def test_all_tables_of_a_game_play_the_same_cards(self) -> None:
        night, members = begun(6)
        matches = under_way(night)
        assert len(matches) == 3
        assert len({match.decks_id for match in matches}) == 1
        assert sorted(one.pk for match in matches for one in seated(match)) == sorted(
            member.pk for member in members
        )

    def test_the_next_game_starts_when_all_tables_have_finished(self) -> None:
        night, _ = begun(4)
        first, second = under_way(night)
        play_out(first)
        assert under_way(night) == [second]
        play_out(second)
        following = under_way(night)
        assert len(following) == 2
        assert following[0].decks_id != first.decks_id

    def test_a_night_ends_with_its_last_game_and_closes_its_standard_games(self) -> None:
        night, members = begun(4, games=9)
        games = StandardGame.objects.filter(night_game__night=night)
        assert games.filter(state="closed").count() == 0
        night = play_all(night)
        assert night.is_over
        assert games.filter(state="closed").count() == 9
        sheet = selectors.sheet(night=night, viewer=None)
        assert [line.total.played for line in sheet.lines] == [9] * 4
        points = sum(line.total.points for line in sheet.lines)
        skunks = sum(line.total.skunks for line in sheet.lines)
        assert points == 2 * 18 + skunks
        assert sum(line.total.spread for line in sheet.lines) == 0
        ranks = [line.total.rank for line in sheet.lines]
        assert ranks == sorted(ranks, reverse=True)
        assert {line.entrant.player for line in sheet.lines} == set(members)

    def test_the_house_computer_fills_in_for_an_odd_number(self) -> None:
        night, _ = begun(3, games=1)
        computers = [one for match in under_way(night) for one in seated(match) if one.is_computer]
        assert len(computers) == 1

    def test_a_night_starts_automatically_at_its_time(self) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members)
        advance(night=night)
        assert not under_way(night)
        advance(night=night, now=timezone.now() + SOON)
        assert len(under_way(night)) == 1

    def test_a_night_with_one_entrant_never_starts_and_ends_on_time(self) -> None:
        club, members = club_of(1)
        night = night_of(club, members[0], entrants=members)
        with pytest.raises(Refused):
            nights.begin(night=night, by=members[0])
        assert advance(night=night, now=timezone.now() + SOON).is_planned
        assert advance(night=night, now=timezone.now() + 4 * SOON).is_over
        page = as_(members[0]).get(f"/clubs/night/{night.token}/").content.decode()
        assert "No games were played." in page
        assert members[0].name in page
        assert "Standings" not in page

    def test_when_a_games_time_is_up_free_players_continue(self) -> None:
        night, _ = begun(6)
        slow, *finished = under_way(night)
        for match in finished:
            play_out(match)
        assert under_way(night) == [slow]
        advance(night=night, now=timezone.now() + timedelta(minutes=26))
        free = {player for match in finished for player in seated(match)}
        # The two at the slow table belong to at most two of the next game's three tables.
        still, *following = under_way(night)
        assert still == slow
        assert following
        assert all(set(seated(match)) <= free for match in following)
        play_out(slow)
        assert len(under_way(night)) == 3

    def test_no_player_sits_at_two_tables(self) -> None:
        night, members = begun(6)
        later = timezone.now()
        for _ in range(4):
            later += timedelta(minutes=26)
            advance(night=night, now=later)
        sitting = [one.pk for match in under_way(night) for one in seated(match)]
        assert len(sitting) == len(set(sitting)) == len(members)

    def test_no_game_starts_after_the_end(self) -> None:
        night, members = begun(4)
        nights.end(night=night, by=members[0])
        night = play_all(night)
        assert night.is_over
        assert night.current == 1

    def test_a_night_can_be_cancelled_before_it_starts(self) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members)
        nights.end(night=night, by=members[0])
        assert not ClubNight.objects.exists()


class TestAbsentPlayers:
    def test_the_house_computer_takes_an_absent_players_seat(self) -> None:
        night, members = begun(4)
        nights.mark(night=night, by=members[0], player=members[3], absent=True)
        for match in under_way(night):
            play_out(match)
        sitting = [one for match in under_way(night) for one in seated(match)]
        assert members[3] not in sitting
        assert sum(one.is_computer for one in sitting) == 1

    def test_a_leaver_loses_and_is_not_seated_until_they_return(self) -> None:
        night, members = begun(2)
        match = under_way(night)[0]
        leave_for_good(match=match.pk, seat=0)
        left, stayed = seated(match)
        play_out(match)
        line = {each.entrant.player: each for each in lines_of(night)}
        assert (line[left].total.points, line[left].total.lost) == (0, 1)
        assert line[stayed].total.won == 1
        assert left not in seated(under_way(night)[0])
        nights.join(night=night, player=left)
        play_out(under_way(night)[0])
        assert set(seated(under_way(night)[0])) == set(members)

    @pytest.mark.usefixtures("fixed_cards")
    def test_a_table_of_two_absent_players_is_not_played(self) -> None:
        night, members = begun(4)
        for member in members[2:]:
            nights.mark(night=night, by=members[0], player=member, absent=True)
        night = play_all(night)
        assert night.is_over
        idle = NightTable.objects.filter(game__night=night, idle=True)
        assert idle.count() == 8  # from the second game on, the other two play each other
        assert not idle.filter(play__isnull=False).exists()

    def test_only_officers_can_run_a_night(self) -> None:
        night, members = begun(2)
        go_on = partial(nights.start_next_game, number=2)
        for act in (nights.begin, go_on, nights.end):
            with pytest.raises(Refused) as refusal:
                act(night=night, by=members[1])
            assert refusal.value.code == "club_officers"
        with pytest.raises(Refused):
            nights.mark(night=night, by=members[1], player=members[0], absent=True)


class TestJoining:
    def test_a_night_is_reachable_only_by_its_link(self) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members[:1])
        stranger = as_(people(1, 50)[0])
        assert stranger.get(f"/clubs/night/{night.token}/").status_code == 200
        for token in ("nosuch", night.token[:-1], str(night.pk)):
            for page in ("", "live/", "standings.csv"):
                assert stranger.get(f"/clubs/night/{token}/{page}").status_code == 404
            assert stranger.post(f"/clubs/night/{token}/join/").status_code == 404
        assert stranger.get(f"/clubs/{club.public_id}/").status_code == 404

    def test_a_guest_joins_with_a_name(self) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members)
        visitor = Client()
        assert visitor.post(f"/clubs/night/{night.token}/join/", {"name": "Zoe"}).status_code == 302
        row = night.entrants.exclude(player__in=members).get()
        assert (row.player.name, row.player.is_guest) == ("Zoe", True)
        page = visitor.get(f"/clubs/night/{night.token}/").content.decode()
        assert "Zoe" in page
        assert "Withdraw" in page

    def test_an_invalid_name_is_explained(self) -> None:
        club, members = club_of(1)
        night = night_of(club, members[0])
        answer = Client().post(f"/clubs/night/{night.token}/join/", {"name": "=1+1"}, follow=True)
        assert "Use only letters, digits" in answer.content.decode()
        assert not night.entrants.exists()

    def test_a_linked_account_cannot_enter_as_well(self) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members[:1])
        linked_accounts.link(one=members[0], other=members[1])
        with pytest.raises(Refused) as refusal:
            nights.join(night=night, player=members[1])
        assert refusal.value.code == "night_linked"

    def test_a_late_player_takes_the_computers_seats_from_the_next_game_on(self) -> None:
        night, members = begun(3)
        late = people(1, 60)[0]
        nights.join(night=night, player=late)
        assert late not in {one for match in under_way(night) for one in seated(match)}
        for match in under_way(night):
            play_out(match)
        sitting = [one for match in under_way(night) for one in seated(match)]
        assert set(sitting) - {one for one in sitting if one.is_computer} == {*members, late}
        night = play_all(ClubNight.objects.get(pk=night.pk))
        played = {line.entrant.player: line.total.played for line in lines_of(night)}
        assert played == {**dict.fromkeys(members, 9), late: 8}

    def test_where_the_computer_has_no_seat_a_late_player_plays_against_it(self) -> None:
        night, members = begun(2)
        late = people(1, 60)[0]
        nights.join(night=night, player=late)
        for match in under_way(night):
            play_out(match)
        sitting = {frozenset(one.pk for one in seated(match)) for match in under_way(night)}
        assert frozenset(member.pk for member in members) in sitting
        opponent = next(
            one
            for match in under_way(night)
            if late in seated(match)
            for one in seated(match)
            if one != late
        )
        assert opponent.is_computer

    def test_late_players_meet_no_more_often_than_in_a_draw_of_all(self) -> None:
        night, _ = begun(2)
        late = people(2, 60)
        for player in late:
            nights.join(night=night, player=player)
        pairs = NightTable.objects.filter(
            game__night=night, first__player__in=late, second__player__in=late
        )
        assert pairs.count() == 3  # nine games among four players

    def test_no_one_can_join_once_the_last_game_has_begun(self) -> None:
        night, _ = begun(2, games=1)
        with pytest.raises(Refused) as refusal:
            nights.join(night=night, player=people(1, 60)[0])
        assert refusal.value.code == "night_late"
        night.refresh_from_db()
        assert not night.takes_entrants

    def test_no_one_can_join_or_begin_a_game_once_an_officer_has_ended_the_night(self) -> None:
        night, members = begun(4)
        nights.end(night=night, by=members[0])
        with pytest.raises(Refused) as refusal:
            nights.join(night=night, player=people(1, 60)[0])
        assert refusal.value.code == "night_late"
        with pytest.raises(Refused) as refusal:
            nights.start_next_game(night=night, by=members[0], number=2)
        assert refusal.value.code == "night_last"


class TestAccounts:
    def test_a_guest_who_logs_in_keeps_their_entry(self) -> None:
        club, members = club_of(2)
        guest = create_guest()
        night = night_of(club, members[0], entrants=[members[0], guest])
        merge_guest(guest=guest, account=members[1])
        assert set(night.entrants.values_list("player", flat=True)) == {
            member.pk for member in members
        }

    def test_a_player_entered_twice_plays_once(self) -> None:
        club, members = club_of(2)
        guest = create_guest()
        night = night_of(club, members[0], entrants=[*members, guest])
        merge_guest(guest=guest, account=members[1])
        assert night.entrants.count() == 2
        nights.begin(night=night, by=members[0])
        assert len(under_way(night)) == 1

    def test_a_guest_who_plays_and_logs_in_to_another_player_of_the_night_is_no_player_of_it(
        self,
    ) -> None:
        """Their opponent's game counts, like one against a computer."""
        club, members = club_of(3)
        guest = create_guest()
        night = night_of(club, members[0], entrants=[*members, guest], games=2)
        nights.begin(night=night, by=members[0])
        tables = [seated(match) for match in under_way(night)]
        (other,) = set(next(table for table in tables if guest in table)) - {guest}
        account = next(table for table in tables if guest not in table)[0]
        merge_guest(guest=guest, account=account)
        assert {row.player for row in night.entrants.all()} == set(members)
        for match in under_way(night):
            play_out(match)
        totals = {line.entrant.player: line.total for line in lines_of(night)}
        assert {totals[one].won + totals[one].lost for one in (other, account)} == {1}

    def test_a_deleted_players_results_stay_without_the_name(self) -> None:
        night, members = begun(2, games=1)
        play_all(night)
        name = members[1].name
        erase(player=members[1])
        page = as_(members[0]).get(f"/clubs/night/{night.token}/").content.decode()
        assert name not in page
        assert "Deleted player" in page
        assert Entrant.objects.filter(night=night).count() == 2
