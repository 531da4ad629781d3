"""Accounts that are one person's: seen in one browser, or a guest who logged in."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.api import Player, invite_token
from ratings.models import (
    Attempt,
    Device,
    Leaving,
    LinkedAccount,
    Play,
    Rating,
    RatingChange,
    Record,
)


def seen_at(*, player: Player, token: str) -> list[Player]:
    """Note that an account is used in the browser with this token; return the others it knows.

    They are linked from then on: they never meet a deal twice, nor each other in a ranked game.
    """
    try:
        with transaction.atomic():
            Device.objects.update_or_create(
                token=token, player=player, defaults={"seen_at": timezone.now()}
            )
    except IntegrityError:
        pass  # two requests at once
    others = list(Player.objects.filter(devices__token=token).exclude(pk=player.pk).distinct())
    for other in others:
        link(one=player, other=other)
    return others


def link(*, one: Player, other: Player) -> None:
    """Take two accounts, and all that are linked to either, for one person's."""
    with transaction.atomic():
        groups = list(
            LinkedAccount.objects.filter(player__in=[one, other])
            .values_list("group", flat=True)
            .distinct()
        )
        group = groups[0] if groups else invite_token()
        LinkedAccount.objects.filter(group__in=groups).update(group=group)
        for player in (one, other):
            LinkedAccount.objects.get_or_create(player=player, defaults={"group": group})


def merge(*, guest: int, account: int) -> None:
    """Give a guest's attempts to the account that he logs in to.

    A game that the account had met before was practice. Ratings follow at the next refit.
    """
    met = Attempt.objects.filter(player_id=account, first=True).values("standard_game_id")
    again = Attempt.objects.filter(player_id=guest, standard_game_id__in=met)
    Play.objects.filter(attempts__in=list(again)).update(exclusion=Play.Exclusion.PRACTICE)
    again.update(first=False)
    both = Attempt.objects.filter(player_id=account).values_list("play_id", flat=True)
    Play.objects.filter(attempts__player=guest, pk__in=list(both)).update(
        exclusion=Play.Exclusion.REMOVED
    )
    Attempt.objects.filter(player_id=guest).update(player_id=account)
    Leaving.objects.filter(player_id=guest).exclude(
        match__in=Leaving.objects.filter(player_id=account).values("match")
    ).update(player_id=account)
    Device.objects.filter(player_id=guest).delete()
    LinkedAccount.objects.filter(player_id=guest).delete()
    Rating.objects.filter(player_id=guest).delete()
    RatingChange.objects.filter(player_id=guest).delete()
    for record in Record.objects.filter(player_id=guest):
        kept, _ = Record.objects.get_or_create(player_id=account, seats=record.seats)
        for name in ("won", "lost", "skunks", "skunked"):
            setattr(kept, name, getattr(kept, name) + getattr(record, name))
        kept.save()
        record.delete()
