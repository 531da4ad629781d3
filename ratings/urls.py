"""URL patterns of standard games and ratings."""

from datetime import date

from django.urls import path, register_converter
from django.urls.converters import IntConverter

from ratings.pages import (
    challenge,
    daily,
    moderation,
    next_game,
    people,
    ranked,
    ranked_games,
    seasons,
    standard,
    urls_clubs,
    urls_events,
    urls_team_leagues,
)


class DayConverter:
    """A path converter for days such as 2026-11-21."""

    regex = r"\d{4}-\d\d-\d\d"

    def to_python(self, value: str) -> date:
        """Return the day; ValueError if it does not exist."""
        return date.fromisoformat(value)

    def to_url(self, value: date) -> str:
        """Return the day as text."""
        return value.isoformat()


class SeasonConverter:
    """A path converter for the names of seasons, such as 2026-11 and 2026."""

    regex = r"[1-9]\d{3}(?:-\d\d)?"

    def to_python(self, value: str) -> str:
        """Return the name."""
        return value

    def to_url(self, value: object) -> str:
        """Return the name of a season."""
        return str(value)


class GameConverter(IntConverter):
    """A path converter for numbers of standard games, of no more digits than the database takes."""

    regex = "[0-9]{1,18}"


register_converter(GameConverter, "game")
register_converter(DayConverter, "day")
register_converter(SeasonConverter, "season")

app_name = "ratings"
urlpatterns = [
    path("moderation/players/<slug:public_id>/unlink/", moderation.unlink, name="unlink"),
    path("ranked/", ranked.ranked, name="ranked"),
    path("ranked/enter/", ranked.enter, name="enter"),
    path("ranked/state/", ranked.state, name="state"),
    path("ranked/look/", ranked.look, name="look"),
    path("ranked/leave/", ranked.leave, name="leave"),
    path("ranked/computer/", ranked.computer, name="computer"),
    path("ranked/how/", ranked.how, name="how"),
    path("ranked/games/", ranked_games.games, name="games"),
    path("ranked/seasons/", seasons.current, name="seasons"),
    path("ranked/seasons/<season:name>/", seasons.season, name="season"),
    path("next-game/<slug:match>/", next_game.next_game, name="next_game"),
    path("standard/<game:number>/", standard.traveller, name="traveller"),
    path("standard/<game:number>/result/<slug:match>/", standard.result, name="result"),
    path("standard/<game:number>/verify/", standard.verify, name="verify"),
    path("standard/<game:number>/verify/deals.txt", standard.deals, name="deals"),
    path("ratings/", people.leaderboard, name="leaderboard"),
    path("ratings/me/", people.me, name="me"),
    path("ratings/players/<slug:public_id>/", people.profile, name="profile"),
    path("daily/", daily.today, name="daily"),
    path("daily/play/", daily.play, name="daily_play"),
    path("daily/<day:when>/", daily.day, name="day"),
    path("challenge/", challenge.about, name="challenge_new"),
    path("challenge/make/", challenge.make, name="challenge_make"),
    path("challenge/<slug:token>/", challenge.show, name="challenge"),
    path("challenge/<slug:token>/play/", challenge.play, name="challenge_play"),
    *urls_clubs.urlpatterns,
    *urls_team_leagues.urlpatterns,
    *urls_events.urlpatterns,
]
