"""A league's way from its first match to titles, and who may change what."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Player
from games.safety.erasure import erase
from games.wire.refusals import Refused
from ratings.events import corrections, event_lists, events
from ratings.matchmaking import linked_accounts
from ratings.models import EventGame, Fixture, LeagueTeam, TeamLeague, TeamPlayer
from ratings.team_leagues import leagues, matches, progress, sheets
from tests.support import tournaments
from tests.support.standard_tables import people
from tests.support.team_leagues import (
    again,
    begun,
    deadline,
    get_ready,
    open_fixtures,
    planned,
    play,
)

pytestmark = pytest.mark.django_db


def team(league: TeamLeague, number: int) -> LeagueTeam:
    return league.teams.get(name=f"Team {number}")


def result(row: Fixture) -> tuple[str, int, int, float]:
    row.refresh_from_db()
    return row.how, row.home_points, row.away_points, row.margin


class TestMatches:
    def test_a_match_begins_when_two_of_each_team_are_ready_and_decides_two_points(self) -> None:
        league, _, _ = begun(2)
        (row,) = open_fixtures(league)
        get_ready(row, row.home)
        assert row.event is not None
        row.event.refresh_from_db()
        assert row.event.is_planned
        play(row, 7)
        how, *rest = result(row)
        assert (how, rest[:2]) == ("played", [2, 0])
        assert rest[2] > 0
        assert again(league).state == TeamLeague.State.OVER
        assert sheets.titles_of(row.home.players.first().player)
        assert not event_lists.titles_of(player=row.home.players.first().player, viewer=None)

    def test_only_players_of_the_two_teams_enter(self) -> None:
        league, organiser, _ = begun(4)
        row, other = open_fixtures(league)
        stranger = other.home.players.select_related("player").first()
        assert stranger is not None
        assert row.event is not None
        with pytest.raises(Refused) as raised:
            matches.get_ready(league=league, player=stranger.player, fixture=row.pk)
        assert raised.value.code == "team_not_in"
        with pytest.raises(Refused) as raised:
            events.join(event=row.event, player=stranger.player, token=row.event.token)
        assert raised.value.code == "event_team"
        with pytest.raises(Refused) as raised:
            events.fill(event=row.event, by=organiser, number=1)
        assert raised.value.code == "event_team"

    def test_a_substitute_plays_but_no_third_player_of_a_team(self) -> None:
        league, _, _ = begun(2)
        (row,) = open_fixtures(league)
        (substitute,) = people(1, 20)
        leagues.join(team=row.home, player=substitute)
        first, second = (each.player for each in row.home.players.order_by("pk")[:2])
        matches.get_ready(league=league, player=first, fixture=row.pk)
        matches.get_ready(league=league, player=substitute, fixture=row.pk)
        with pytest.raises(Refused) as raised:
            matches.get_ready(league=league, player=second, fixture=row.pk)
        assert raised.value.code == "team_seats_taken"

    def test_who_leaves_their_team_is_no_longer_ready(self) -> None:
        league, _, _ = begun(2)
        (row,) = open_fixtures(league)
        get_ready(row, row.home)
        leagues.leave(league=league, player=row.home.players.order_by("pk")[0].player)
        assert row.event is not None
        assert row.event.entrants.count() == 1
        deadline(league)
        assert result(row) == ("void", 0, 0, 0.0)

    def test_who_leaves_their_team_leaves_its_running_match_too(self) -> None:
        league, _, _ = begun(2, games=2)
        (row,) = open_fixtures(league)
        get_ready(row, row.home, row.away)
        gone = row.home.players.order_by("pk")[0].player
        leagues.leave(league=league, player=gone)
        assert row.event is not None
        assert row.event.entrants.get(absent=True).player == gone

    def test_a_banned_player_makes_room_for_a_substitute(self) -> None:
        league, _, _ = begun(2)
        (row,) = open_fixtures(league)
        (substitute,) = people(1, 20)
        leagues.join(team=row.home, player=substitute)
        get_ready(row, row.home)
        banned = row.home.players.order_by("pk")[0].player
        Player.objects.filter(pk=banned.pk).update(is_active=False)
        shown = sheets.sheet(league=league, viewer=substitute).match
        assert shown is not None
        assert (len(shown.ready), shown.may_enter) == (1, True)
        matches.get_ready(league=league, player=substitute, fixture=row.pk)
        assert row.event is not None
        assert banned.pk not in row.event.entrants.values_list("player", flat=True)
        get_ready(row, row.away)
        assert tournaments.again(row.event).is_running

    def test_linked_accounts_do_not_play_one_match(self) -> None:
        league, _, _ = begun(2)
        (row,) = open_fixtures(league)
        one, other = (team.players.order_by("pk")[0].player for team in (row.home, row.away))
        linked_accounts.link(one=one, other=other)
        matches.get_ready(league=league, player=one, fixture=row.pk)
        with pytest.raises(Refused) as raised:
            matches.get_ready(league=league, player=other, fixture=row.pk)
        assert raised.value.code == "team_linked"

    def test_players_of_a_withdrawn_team_cannot_get_ready(self) -> None:
        league, organiser, _ = begun(2)
        (row,) = open_fixtures(league)
        leagues.withdraw(league=league, by=organiser, number=row.home.number)
        with pytest.raises(Refused) as raised:
            get_ready(row, row.home)
        assert raised.value.code == "team_no_match"

    def test_the_title_of_a_match_of_teams_with_the_longest_names_fits(self) -> None:
        league, organiser, _ = planned(2)
        longest = LeagueTeam._meta.get_field("name").max_length or 0
        for team in league.teams.all():
            team.name = f"{team.number}{'x' * (longest - 1)}"
            team.save()
        leagues.begin(league=league, by=organiser)
        tournaments.work()
        (row,) = open_fixtures(league)
        assert row.event is not None
        row.event.full_clean(exclude=["made_by"])
        assert {row.event.title[0], row.event.title.split(" – ")[1][0]} == {"1", "2"}

    def test_whoever_takes_it_back_is_not_ready(self) -> None:
        league, _, _ = begun(2)
        (row,) = open_fixtures(league)
        get_ready(row, row.home)
        assert row.event is not None
        events.leave(event=row.event, player=row.home.players.first().player)
        deadline(league)
        assert result(row) == ("void", 0, 0, 0.0)

    def test_who_was_ready_wins_at_the_deadline_and_two_absent_teams_have_nothing(self) -> None:
        league, _, _ = begun(4)
        row, other = open_fixtures(league)
        get_ready(row, row.away)
        found = deadline(league)
        assert result(row) == ("walkover", 0, 2, 0.0)
        assert result(other) == ("void", 0, 0, 0.0)
        assert found.current == 2

    def test_a_match_whose_last_player_came_just_in_time_begins(self) -> None:
        league, _, _ = begun(2)
        (row,) = open_fixtures(league)
        for each in (row.home, row.away):
            for member in each.players.select_related("player"):
                matches.get_ready(league=league, player=member.player, fixture=row.pk)
        # The league's deadline is looked at before the job that begins the match.
        progress.advance(league=league, now=row.due_at + timedelta(seconds=1))
        tournaments.work()
        assert result(row)[0] == ""
        assert row.event is not None
        assert tournaments.again(row.event).is_running

    def test_a_match_that_has_begun_counts_after_the_deadline(self) -> None:
        league, _, _ = begun(2)
        (row,) = open_fixtures(league)
        get_ready(row, row.home, row.away)
        assert deadline(league).is_running
        assert result(row)[0] == ""
        play(row, 5)
        assert result(row)[0] == "played"

    def test_computers_play_their_matches_by_themselves(self) -> None:
        league, organiser, _ = planned(0, computers=2)
        leagues.begin(league=league, by=organiser)
        tournaments.work()
        found = again(league)
        assert found.state == TeamLeague.State.OVER
        assert result(found.fixtures.get())[0] == "played"
        assert not TeamPlayer.objects.filter(titled=True).exists()

    def test_an_odd_number_of_teams_has_one_free_in_each_round(self) -> None:
        league, _, _ = begun(3)
        assert league.rounds == 3
        for _ in range(3):
            (row,) = open_fixtures(league)
            play(row, 3)
        found = again(league)
        assert found.state == TeamLeague.State.OVER
        assert min(found.teams.values_list("place", flat=True)) == 1


class TestOrganiser:
    def test_only_the_organiser_runs_it(self) -> None:
        league, _, (pair, _) = planned(2)
        for act in (leagues.begin, leagues.end, leagues.fill):
            with pytest.raises(Refused) as raised:
                act(league=league, by=pair[0])
            assert raised.value.code == "team_organiser"
        with pytest.raises(Refused) as raised:
            leagues.withdraw(league=league, by=pair[0], number=2)
        assert raised.value.code == "team_organiser"
        with pytest.raises(Refused) as raised:
            matches.set_result(league=league, by=pair[0], fixture=1, margin=1, reason="mine")
        assert raised.value.code == "team_organiser"

    def test_a_withdrawn_team_loses_what_was_to_come(self) -> None:
        league, organiser, _ = begun(4)
        row, other = open_fixtures(league)
        leagues.withdraw(league=league, by=organiser, number=row.home.number)
        tournaments.work()
        assert result(row) == ("walkover", 0, 2, 0.0)
        play(other, 4)
        for _ in range(2):
            found = deadline(again(league))
        assert found.state == TeamLeague.State.OVER
        lost = found.fixtures.filter(how="walkover")
        assert lost.count() == 3
        assert found.teams.get(pk=row.home_id).place == 4

    def test_a_corrected_result_moves_places_and_titles(self) -> None:
        league, organiser, _ = begun(2)
        (row,) = open_fixtures(league)
        play(row, 9)
        with pytest.raises(Refused) as raised:
            matches.set_result(league=league, by=organiser, fixture=row.pk, margin=-3, reason=" ")
        assert raised.value.code == "team_reason"
        for _ in range(2):  # a double click
            matches.set_result(
                league=league, by=organiser, fixture=row.pk, margin=-3, reason="Wrong cards"
            )
        assert result(row) == ("corrected", 0, 2, -3.0)
        assert LeagueTeam.objects.get(pk=row.away_id).place == 1
        assert set(TeamPlayer.objects.filter(titled=True).values_list("team", flat=True)) == {
            row.away_id
        }
        (shown,) = sheets.sheet(league=again(league), viewer=None).corrections
        assert shown.reason == "Wrong cards"
        organiser.muted_until = timezone.now() + timedelta(days=1)
        with pytest.raises(Refused) as raised:
            matches.set_result(league=league, by=organiser, fixture=row.pk, margin=-3, reason="!")
        assert raised.value.code == "team_reason_muted"
        matches.set_result(league=league, by=organiser, fixture=row.pk, margin=-4, reason="")
        assert result(row) == ("corrected", 0, 2, -4.0)
        assert (shown.before[:5], shown.after) == ("2 : 0", "0 : 2 (-3)")

    def test_a_corrected_game_changes_the_match(self) -> None:
        league, organiser, _ = begun(2)
        (row,) = open_fixtures(league)
        play(row, 9)
        assert row.event is not None
        for game in EventGame.objects.filter(table__round__event=row.event):
            home = 0 if game.table.first is not None and game.table.first.team == 0 else 1
            scores = [121, 121]
            scores[home] = 90
            corrections.correct(
                event=row.event, by=organiser, game=game.pk, scores=scores, reason="Read wrongly"
            )
        tournaments.work()
        how, home_points, away_points, margin = result(row)
        assert (how, home_points, away_points) == ("played", 0, 2)
        assert margin < 0
        assert LeagueTeam.objects.get(pk=row.away_id).place == 1

    def test_ending_early_leaves_matches_unplayed(self) -> None:
        league, organiser, _ = begun(4)
        row, other = open_fixtures(league)
        play(row, 5)
        leagues.end(league=league, by=organiser)
        tournaments.work()
        found = again(league)
        assert found.state == TeamLeague.State.OVER
        assert result(other)[0] == "void"
        assert found.teams.get(pk=row.home_id).place == 1
        with pytest.raises(Refused) as raised:
            leagues.end(league=league, by=organiser)
        assert raised.value.code == "team_league_over"


class TestDeletedAccounts:
    def test_a_team_whose_players_delete_their_accounts_loses(self) -> None:
        league, _, _ = begun(2)
        (row,) = open_fixtures(league)
        for member in row.home.players.select_related("player"):
            erase(player=member.player)
        tournaments.work()
        assert result(row) == ("walkover", 0, 2, 0.0)
        assert again(league).state == TeamLeague.State.OVER

    def test_an_account_is_deleted_although_its_league_ends_at_that_moment(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _, _, pairs = begun(2)
        locked = progress.locked

        def over(row: TeamLeague) -> TeamLeague:
            rows = TeamLeague.objects.filter(pk=row.pk)
            rows.update(state=TeamLeague.State.OVER, over_at=timezone.now())
            return locked(row)

        monkeypatch.setattr(progress, "locked", over)
        erase(player=pairs[0][0])
        assert Player.objects.get(pk=pairs[0][0].pk).kind == Player.Kind.DELETED

    def test_the_league_goes_on_without_its_organiser(self) -> None:
        league, organiser, _ = begun(2, note="Questions? Call Person 0.")
        erase(player=organiser)
        assert again(league).note == ""
        (row,) = open_fixtures(league)
        play(row, 4)
        assert again(league).state == TeamLeague.State.OVER

    def test_the_export_has_a_players_teams(self) -> None:
        _, _, (pair, _) = planned(2)
        player: Player = pair[0]
        (row,) = sheets.export_of(player.pk)
        assert (row["league"], row["team"], row["title"]) == ("Autumn", "Team 0", False)
