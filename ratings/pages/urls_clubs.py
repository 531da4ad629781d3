"""URL patterns of clubs, leagues and club nights."""

from django.urls import path

from ratings.pages import club_news, clubs, leagues, nights

_CLUB = "clubs/<slug:public_id>"
_LEAGUE = f"{_CLUB}/league/<slug:league_id>"
_NIGHT = "clubs/night/<slug:token>"

urlpatterns = [
    path("clubs/", clubs.own, name="clubs"),
    path("clubs/found/", clubs.found, name="club_found"),
    path("clubs/join/<slug:token>/", clubs.join, name="club_join"),
    path(f"{_NIGHT}/", nights.night, name="night"),
    path(f"{_NIGHT}/live/", nights.live, name="night_live"),
    path(f"{_NIGHT}/wall/", nights.wall, name="night_wall"),
    path(f"{_NIGHT}/wall/live/", nights.wall_live, name="night_wall_live"),
    path(f"{_NIGHT}/code.svg", nights.code, name="night_code"),
    path(f"{_NIGHT}/standings.csv", nights.standings_csv, name="night_csv"),
    path(f"{_NIGHT}/join/", nights.join, name="night_join"),
    path(f"{_NIGHT}/leave/", nights.leave, name="night_leave"),
    path(f"{_NIGHT}/begin/", nights.begin, name="night_begin"),
    path(f"{_NIGHT}/next/", nights.go_on, name="night_next"),
    path(f"{_NIGHT}/end/", nights.end, name="night_end"),
    path(f"{_NIGHT}/absent/<slug:player>/", nights.mark, {"absent": True}, name="night_absent"),
    path(f"{_NIGHT}/present/<slug:player>/", nights.mark, {"absent": False}, name="night_present"),
    path(f"{_CLUB}/", clubs.club, name="club"),
    path(f"{_CLUB}/edit/", clubs.edit, name="club_edit"),
    path(f"{_CLUB}/table/", clubs.open_table, name="club_table"),
    path(f"{_CLUB}/night/", clubs.plan, name="club_plan"),
    path(f"{_CLUB}/link/", clubs.renew_link, name="club_link"),
    path(f"{_CLUB}/enter/", clubs.enter, name="club_enter"),
    path(f"{_CLUB}/schedule.ics", club_news.schedule, name="club_schedule"),
    path(f"{_CLUB}/news/", club_news.post, name="club_post"),
    path(f"{_CLUB}/news/<int:pk>/delete/", club_news.delete, name="club_post_delete"),
    path(f"{_CLUB}/news/<int:pk>/report/", club_news.report_post, name="club_post_report"),
    path(f"{_CLUB}/league/", leagues.start, name="league_start"),
    path(f"{_LEAGUE}/", leagues.league, name="league"),
    path(f"{_LEAGUE}/standings.csv", leagues.standings_csv, name="league_csv"),
    path(f"{_LEAGUE}/end/", leagues.end, name="league_end"),
    *(
        path(f"{_CLUB}/{action}/", clubs.act, {"action": action}, name=f"club_{action}")
        for action in clubs.ACTIONS
    ),
    *(
        path(
            f"{_CLUB}/members/<slug:player>/{action}/",
            clubs.member,
            {"action": action},
            name=f"club_{action.replace('-', '_')}",
        )
        for action in clubs.MEMBER_ACTIONS
    ),
]
