"""The daily game: one a day, everybody against the house computer; the first attempt counts."""

from __future__ import annotations

from datetime import UTC, date, datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.api import Match, Player, computer_of, house
from ratings.models import Attempt, Play, StandardGame
from ratings.services import catalogue


def today() -> date:
    """Return the day that it is in UTC: days end at midnight there."""
    return timezone.now().astimezone(UTC).date()


def game_of(*, day: date, aside: bool = True) -> StandardGame:
    """Return the game of a day, made when the first person asks; older ones are closed then.

    People deal first on even days. ``aside`` as for `catalogue.make`.
    """
    game = StandardGame.objects.select_related("decks").filter(daily=day).first()
    if game is None:
        try:
            with transaction.atomic():
                game = catalogue.make(
                    seats=2,
                    purpose=StandardGame.Purpose.DAILY,
                    daily=day,
                    people_sit=day.toordinal() % 2,
                    aside=aside,
                )
        except IntegrityError:  # somebody else was first
            game = StandardGame.objects.select_related("decks").get(daily=day)
    close_past(before=min(day, today()))
    return game


def close_past(*, before: date) -> int:
    """Close the games of earlier days; return how many were closed here and now."""
    past = StandardGame.objects.filter(daily__lt=before, state=StandardGame.State.OPEN)
    return sum(catalogue.close(game=game) for game in past)


def begin(*, player: Player, day: date | None = None) -> Match:
    """Sit a person down at the game of a day; goes on where he has begun.

    The first attempt on the day itself counts; what follows, and the archive, is practice.
    """
    wanted = day or today()
    game = game_of(day=wanted)
    with transaction.atomic():
        catalogue.lock_pool()
        running = running_at(game=game, player=player)
        if running is not None:
            return running
        again = catalogue.has_met(game=game, player=player) or wanted != today()
        machine = computer_of(house().name)
        players = [player, machine] if game.daily_seat == 0 else [machine, player]
        return catalogue.seat_down(
            game=game,
            players=players,
            kind=Play.Kind.DAILY,
            exclusion=Play.Exclusion.PRACTICE if again else "",
        )


def running_at(*, game: StandardGame, player: Player) -> Match | None:
    """Return the match in which a person is playing a game just now."""
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
    """Return the end of a day, UTC."""
    return datetime.fromordinal(day.toordinal() + 1).replace(tzinfo=UTC)
