"""URL patterns of tournaments."""

from django.urls import path

from ratings.pages import events, events_board, events_files

_EVENT = "tournaments/<slug:public_id>"

urlpatterns = [
    path("tournaments/", events.index, name="events"),
    path("tournaments/new/", events.new, name="event_new"),
    path("tournaments/teams/", events.new_teams, name="event_teams"),
    path("tournaments/invited/<slug:token>/", events.by_link, name="event_link"),
    path(f"{_EVENT}/", events.event, name="event"),
    path(f"{_EVENT}/live/", events.live, name="event_live"),
    path(f"{_EVENT}/wall/", events.wall, name="event_wall"),
    path(f"{_EVENT}/wall/live/", events.wall_live, name="event_wall_live"),
    path(f"{_EVENT}/join/", events.join, name="event_join"),
    path(f"{_EVENT}/check-in/", events.check_in, name="event_check_in"),
    path(f"{_EVENT}/leave/", events.leave, name="event_leave"),
    path(f"{_EVENT}/standings.csv", events_files.standings, name="event_csv"),
    path(f"{_EVENT}/event.ics", events_files.calendar, name="event_calendar"),
    path(f"{_EVENT}/bracket.svg", events_files.picture, {"kind": "bracket"}, name="event_bracket"),
    path(f"{_EVENT}/cross-table.svg", events_files.picture, {"kind": "cross"}, name="event_cross"),
    path(f"{_EVENT}/board/", events_board.board, name="event_board"),
    path(f"{_EVENT}/board/live/", events_board.live, name="event_board_live"),
    path(f"{_EVENT}/board/begin/", events_board.begin, name="event_begin"),
    path(f"{_EVENT}/board/pause/", events_board.pause, {"paused": True}, name="event_pause"),
    path(f"{_EVENT}/board/resume/", events_board.pause, {"paused": False}, name="event_resume"),
    path(f"{_EVENT}/board/end/", events_board.end, name="event_end"),
    path(f"{_EVENT}/board/fill/", events_board.fill, name="event_fill"),
    path(
        f"{_EVENT}/board/absent/<int:number>/",
        events_board.mark,
        {"absent": True},
        name="event_absent",
    ),
    path(
        f"{_EVENT}/board/present/<int:number>/",
        events_board.mark,
        {"absent": False},
        name="event_present",
    ),
    path(f"{_EVENT}/board/correct/<int:game>/", events_board.correct, name="event_correct"),
]
