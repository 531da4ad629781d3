"""Sign-up for a league of teams, until it begins."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.api import computer_of, levels
from games.people.accounts import create_guest
from games.wire.refusals import Refused
from ratings.models import LeagueTeam, TeamLeague, TeamPlayer
from ratings.team_leagues import leagues, progress, sheets
from tests.ratings.team_leagues.test_progress import team
from tests.support.standard_tables import people
from tests.support.team_leagues import again, begun, planned

pytestmark = pytest.mark.django_db


class TestSignUp:
    def test_a_league_begins_at_its_time_without_incomplete_teams(self) -> None:
        league, organiser, _ = planned(2)
        (lonely,) = people(1, 20)
        leagues.enter_team(league=league, by=lonely, name="Alone")
        progress.advance(league=league, now=league.starts_at + timedelta(seconds=1))
        found = again(league)
        assert (found.is_running, found.rounds, found.current) == (True, 1, 1)
        assert set(found.teams.values_list("name", flat=True)) == {"Team 0", "Team 1"}
        assert organiser.team_leagues_made.get() == found

    def test_without_two_teams_it_is_called_off(self) -> None:
        league, organiser, _ = planned(1)
        with pytest.raises(Refused, match="two teams"):
            leagues.begin(league=league, by=organiser)
        progress.advance(league=league, now=league.starts_at + timedelta(seconds=1))
        assert again(league).state == TeamLeague.State.OFF

    def test_a_person_is_in_one_team_only(self) -> None:
        league, _, (first, second) = planned(2)
        with pytest.raises(Refused) as raised:
            leagues.join(team=team(league, 1), player=first[0])
        assert raised.value.code == "team_already"
        with pytest.raises(Refused) as raised:
            leagues.enter_team(league=league, by=second[0], name="Another")
        assert raised.value.code == "team_already"
        assert TeamPlayer.objects.count() == 4

    def test_guests_and_muted_players_are_refused(self) -> None:
        league, _, _ = planned(1)
        with pytest.raises(Refused) as raised:
            leagues.join(team=team(league, 0), player=create_guest())
        assert raised.value.code == "team_account"
        (loud,) = people(1, 20)
        loud.muted_until = timezone.now() + timedelta(days=1)
        with pytest.raises(Refused) as raised:
            leagues.enter_team(league=league, by=loud, name="Loud")
        assert raised.value.code == "team_muted"

    def test_names_are_unique_and_teams_have_four_players_at_most(self) -> None:
        league, _, _ = planned(1)
        *more, last = people(3, 20)
        for player in more:
            leagues.join(team=team(league, 0), player=player)
        with pytest.raises(Refused) as raised:
            leagues.join(team=team(league, 0), player=last)
        assert raised.value.code == "team_full"
        with pytest.raises(Refused) as raised:
            leagues.enter_team(league=league, by=last, name="team 0")
        assert raised.value.code == "team_name_taken"

    def test_a_hidden_league_needs_its_link(self) -> None:
        league, _, _ = planned(0, listed=False)
        (player,) = people(1, 20)
        assert league not in sheets.coming(player=player)
        with pytest.raises(Refused) as raised:
            leagues.enter_team(league=league, by=player, name="Curious")
        assert raised.value.code == "team_link"
        leagues.enter_team(league=league, by=player, name="Invited", token=league.token)
        assert league in sheets.coming(player=player)

    def test_a_team_may_be_named_like_a_computer_that_fills_up(self) -> None:
        league, organiser, _ = planned(1)
        name = computer_of(levels()[0].name).name
        league.teams.update(name=name.upper())
        assert leagues.fill(league=league, by=organiser).name == f"{name} 2"

    def test_a_team_that_is_gone_cannot_be_joined(self) -> None:
        league, _, (pair, _, _) = planned(3)
        (late,) = people(1, 20)
        deleted = LeagueTeam.objects.select_related("league").get(league=league, name="Team 0")
        for player in pair:
            leagues.leave(league=league, player=player)
        with pytest.raises(Refused) as raised:
            leagues.join(team=deleted, player=late)
        assert raised.value.code == "team_gone"
        league, organiser, _ = begun(2, start=30)
        withdrawn = LeagueTeam.objects.select_related("league").get(league=league, name="Team 0")
        leagues.withdraw(league=league, by=organiser, number=withdrawn.number)
        with pytest.raises(Refused) as raised:
            leagues.join(team=withdrawn, player=late)
        assert raised.value.code == "team_gone"

    def test_an_organiser_has_a_few_leagues_at_once(self) -> None:
        _, organiser, _ = planned(0)
        *allowed, more = (
            leagues.Plan(title=f"League {number}", starts_at=timezone.now())
            for number in range(leagues.MAX_OPEN)
        )
        for plan in allowed:
            leagues.plan(by=organiser, plan=plan)
        with pytest.raises(Refused) as raised:
            leagues.plan(by=organiser, plan=more)
        assert raised.value.code == "team_leagues_many"

    def test_a_team_without_players_disappears_before_the_start(self) -> None:
        league, _, (pair,) = planned(1)
        for player in pair:
            leagues.leave(league=league, player=player)
        assert not league.teams.exists()
