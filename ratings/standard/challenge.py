"""Challenges: a link to a game that everyone plays from the same seat."""

from __future__ import annotations

from datetime import timedelta

from django.core import signing
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.api import BATCH, Match, Player, Refused, computer_of, house, job, locked_player
from ratings.models import Play, StandardGame
from ratings.standard import catalogue, daily

SALT = "ratings.standard.challenge"

KEPT = timedelta(days=14)
"""Time for which a challenge stays open after its last new player began. Its players see the cards
that were not turned up in their last hand once it has closed."""


def new_form() -> str:
    """Return what a form carries so that it makes one challenge, however often it is sent."""
    return signing.dumps(catalogue.new_invite(), salt=SALT)


def make(*, seat: int = 0, form: str = "") -> StandardGame:
    """Create a challenge; people sit in ``seat``, the house computer in the other one.

    A challenge has no owner by whom an earlier one could be found, so the form carries the
    invitation (`new_form`). Without a valid one, the challenge is always new.
    """
    try:
        invite = str(signing.loads(form, salt=SALT))
    except signing.BadSignature:
        invite = catalogue.new_invite()
    if StandardGame.objects.filter(invite=invite).exclude(daily_seat=seat).exists():
        invite = catalogue.new_invite()  # sent again for the other seat
    made = StandardGame.objects.filter(invite=invite)
    try:
        with transaction.atomic():
            return made.first() or catalogue.make(
                seats=2,
                purpose=StandardGame.Purpose.CHALLENGE,
                human_seat=seat,
                invite=invite,
            )
    except IntegrityError:  # both clicks at once
        return made.get()


def begin(*, player: Player, invite: str) -> Match:
    """Start the game of a challenge for a person, or return their running match. It is never rated.

    Raises:
        Refused: ``no_such_invitation``; ``not_offered`` if they have played it or it is closed.
    """
    with locked_player(player):
        catalogue.lock_pool()
        game = StandardGame.objects.select_related("decks").filter(invite=invite).first()
        if game is None or not invite:
            raise Refused("no_such_invitation")
        running = daily.running_at(game=game, player=player)
        if running is not None:
            return running
        if catalogue.has_been_dealt(game=game, player=player) or not game.is_open:
            raise Refused("not_offered")
        machine = computer_of(house().name)
        players = [player, machine] if game.daily_seat == 0 else [machine, player]
        return catalogue.start_match(
            game=game,
            players=players,
            kind=Play.Kind.CHALLENGE,
            exclusion=Play.Exclusion.CHOSEN,
        )


@job(queue=BATCH)
def close_old() -> None:
    """Close the challenges without a new player for `KEPT`; every night."""
    before = timezone.now() - KEPT
    begun = Play.objects.filter(match__created_at__gt=before)
    rows = StandardGame.objects.filter(
        purpose=StandardGame.Purpose.CHALLENGE, state=StandardGame.State.OPEN, made_at__lte=before
    )
    for game in rows.exclude(pk__in=begun.values("standard_game")):
        catalogue.close(game=game)
