"""URL patterns of team leagues."""

from django.urls import path

from ratings.pages import team_leagues, team_leagues_run

_LEAGUE = "tournaments/leagues/<slug:public_id>"

urlpatterns = [
    path("tournaments/leagues/new/", team_leagues.new, name="team_league_new"),
    path(
        "tournaments/leagues/invited/<slug:token>/", team_leagues.by_link, name="team_league_link"
    ),
    path("tournaments/leagues/team/<slug:token>/", team_leagues.team, name="team_join"),
    path(f"{_LEAGUE}/", team_leagues.league, name="team_league"),
    path(f"{_LEAGUE}/live/", team_leagues.live, name="team_league_live"),
    path(f"{_LEAGUE}/table.csv", team_leagues.table_csv, name="team_league_csv"),
    path(f"{_LEAGUE}/enter/", team_leagues.enter, name="team_enter"),
    path(f"{_LEAGUE}/leave/", team_leagues.leave, name="team_leave"),
    path(f"{_LEAGUE}/ready/<int:fixture>/", team_leagues.ready, name="team_ready"),
    path(f"{_LEAGUE}/begin/", team_leagues_run.begin, name="team_league_begin"),
    path(f"{_LEAGUE}/end/", team_leagues_run.end, name="team_league_end"),
    path(f"{_LEAGUE}/fill/", team_leagues_run.fill, name="team_league_fill"),
    path(f"{_LEAGUE}/withdraw/<int:number>/", team_leagues_run.withdraw, name="team_withdraw"),
    path(f"{_LEAGUE}/result/<int:fixture>/", team_leagues_run.set_result, name="team_result"),
]
