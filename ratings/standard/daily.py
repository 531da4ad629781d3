"""Daily game: one per day, everyone against the house computer; the first attempt counts."""

from __future__ import annotations

from datetime import UTC, date, datetime

from django.db import IntegrityError, transaction

from games.api import Match, Player, computer_of, house, job, locked_player, true_now
from ratings.models import Attempt, Play, StandardGame
from ratings.standard import catalogue


def today() -> date:
    """Return the current date in UTC."""
    return true_now().astimezone(UTC).date()


def game_of(*, day: date, in_background: bool = True) -> StandardGame:
    """Return a day's game, creating it on the first request.

    People deal first on even days. ``in_background`` as in `catalogue.make`.
    """
    game = StandardGame.objects.select_related("decks").filter(daily=day).first()
    if game is None:
        try:
            with transaction.atomic():
                game = catalogue.make(
                    seats=2,
                    purpose=StandardGame.Purpose.DAILY,
                    daily=day,
                    human_seat=day.toordinal() % 2,
                    in_background=in_background,
                )
        except IntegrityError:  # another process was first
            game = StandardGame.objects.select_related("decks").get(daily=day)
    return game


@job(tries=20)
def turn_day() -> None:
    """Close the games of earlier days, and create the day's; at midnight."""
    close_past(before=today())
    game_of(day=today())


def close_past(*, before: date) -> int:
    """Close the games of earlier days; return how many this call closed."""
    past = StandardGame.objects.filter(daily__lt=before, state=StandardGame.State.OPEN)
    return sum(catalogue.close(game=game) for game in past)


def begin(*, player: Player, day: date | None = None) -> Match:
    """Start the game of a day for a person, or return their running match.

    The first attempt on the day itself counts; later attempts and other days are practice.
    """
    wanted = day or today()
    game = game_of(day=wanted)
    with locked_player(player):
        catalogue.lock_pool()
        running = running_at(game=game, player=player)
        if running is not None:
            return running
        again = catalogue.has_been_dealt(game=game, player=player) or wanted != today()
        machine = computer_of(house().name)
        players = [player, machine] if game.daily_seat == 0 else [machine, player]
        return catalogue.start_match(
            game=game,
            players=players,
            kind=Play.Kind.DAILY,
            exclusion=Play.Exclusion.PRACTICE if again else "",
        )


def running_at(*, game: StandardGame, player: Player) -> Match | None:
    """Return the match in which a person is currently playing a game."""
    found = (
        Attempt.objects.filter(
            standard_game=game,
            player=player,
            play__finished_at__isnull=True,
            play__match__status=Match.Status.PLAYING,
            play__match__seats__player=player,
            play__match__seats__left_at__isnull=True,
        )
        .select_related("play__match")
        .first()
    )
    return found.play.match if found is not None else None


def midnight(day: date) -> datetime:
    """Return the end of a day in UTC."""
    return datetime.fromordinal(day.toordinal() + 1).replace(tzinfo=UTC)
