"""A challenge: a link to a game that everybody who has it plays in the same seat."""

from __future__ import annotations

from django.db import transaction

from games.api import Match, Player, Refused, computer_of, house
from ratings.models import Play, StandardGame
from ratings.services import catalogue, daily


def make(*, seat: int = 0) -> StandardGame:
    """Make a game with a link; people have ``seat``, the house computer the other one."""
    return catalogue.make(
        seats=2,
        purpose=StandardGame.Purpose.CHALLENGE,
        people_sit=seat,
        invite=catalogue.new_invite(),
    )


def begin(*, player: Player, invite: str) -> Match:
    """Sit a person down at the game of a link; goes on where he has begun. It is never rated.

    Raises:
        Refused: ``no_such_invitation``; ``not_offered`` to who has played it.
    """
    with transaction.atomic():
        catalogue.lock_pool()
        game = StandardGame.objects.select_related("decks").filter(invite=invite).first()
        if game is None or not invite:
            raise Refused("no_such_invitation")
        running = daily.running_at(game=game, player=player)
        if running is not None:
            return running
        if catalogue.has_met(game=game, player=player) or not game.is_open:
            raise Refused("not_offered")
        machine = computer_of(house().name)
        players = [player, machine] if game.daily_seat == 0 else [machine, player]
        return catalogue.seat_down(
            game=game,
            players=players,
            kind=Play.Kind.CHALLENGE,
            exclusion=Play.Exclusion.CHOSEN,
        )
