"""The daily game in a few numbers, for the home page: its players, and the place of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import QuerySet

from games.api import Match, Player
from ratings.models import Attempt, StandardGame
from ratings.standard import daily
from ratings.standard.daily_standings import attempt_of, game_of_day, streak
from ratings.standard.field import Verdict, comparable, compare_margin, margin_of

MOST_DOTS = 240
"""Number of margins in a picture of a field, the newest."""

LOOKED_BACK = timedelta(days=14)
"""The greatest age of a game that is pictured."""


@dataclass(frozen=True, slots=True)
class TodaysGame:
    """Today's daily game for one reader.

    Attributes:
        day: the day, in UTC.
        people: number of people who have played it, the reader included.
        verdict: the reader's result among all; None until they have played.
        running: their match in progress.
        streak: consecutive days on which they played.
    """

    day: date
    people: int
    verdict: Verdict | None
    running: Match | None
    streak: int


@dataclass(frozen=True, slots=True)
class PastField:
    """The margins of everyone in a daily game that is over, house computers included, points."""

    day: date
    margins: tuple[float, ...]


def todays_game(*, player: Player | None) -> TodaysGame:
    """Return today's game; in at most five queries. It shows no card and no other's margin."""
    day = daily.today()
    days_played = streak(player=player, today=day)
    game = game_of_day(day=day)
    if game is None:
        return TodaysGame(day, 0, None, None, days_played)
    attempt = attempt_of(game=game, player=player)
    rows = list(_rows(game).values_list("pk", "counted", "computer"))
    verdict = running = None
    if attempt is not None:
        others = [counted or 0.0 for pk, counted, _computer in rows if pk != attempt.pk]
        verdict = compare_margin(margin_of(attempt), others)
    elif player is not None:
        running = daily.running_at(game=game, player=player)
    people = sum(not computer for _pk, _counted, computer in rows)
    return TodaysGame(day, people, verdict, running, days_played)


def newest_field(*, least: int = 5) -> PastField | None:
    """Return the field of the newest game that is over and had enough players; in two queries."""
    today = daily.today()
    past = StandardGame.objects.filter(daily__lt=today, daily__gte=today - LOOKED_BACK)
    game = past.filter(state=StandardGame.State.CLOSED).order_by("-daily").first()
    if game is None or game.daily is None:
        return None
    rows = list(_rows(game).order_by("-pk").values_list("counted", "computer")[:MOST_DOTS])
    people = sum(not computer for _counted, computer in rows)
    if people < least:
        return None
    return PastField(game.daily, tuple(counted or 0.0 for counted, _computer in rows))


def _rows(game: StandardGame) -> QuerySet[Attempt]:
    return comparable().filter(standard_game=game, seat=game.daily_seat)
