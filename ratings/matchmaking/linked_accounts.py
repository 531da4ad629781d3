"""Linked accounts: accounts assumed to belong to one person, because one browser used them.

A moderator can separate accounts, which are then not linked again.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils import timezone

from games.api import Player, invite_token
from ratings.matchmaking import leavers, networks
from ratings.models import (
    Attempt,
    Device,
    Leaving,
    LinkedAccount,
    Play,
    Rating,
    RatingChange,
    Record,
    SeparateAccounts,
)
from ratings.standard import exclusions, identities


def record_device(*, player: Player, token: str) -> list[Player]:
    """Record that an account is used in the browser with this token; link and return the others.

    Linked accounts are never dealt the same game twice, and never meet in a ranked game. If a
    moderator separated two of the others, the account is linked to the one seen last.
    """
    try:
        with transaction.atomic():
            Device.objects.update_or_create(
                token=token, player=player, defaults={"seen_at": timezone.now()}
            )
    except IntegrityError:
        pass  # a concurrent request has stored it
    rows = Device.objects.filter(token=token).exclude(player=player).select_related("player")
    others = [row.player for row in rows.order_by("-seen_at")]
    for other in others:
        link(one=player, other=other)
    return [other for other in others if identities.are_linked([player, other])]


def link(*, one: Player, other: Player) -> None:
    """Link two accounts, and all accounts linked to either.

    Games between them, past ones included, do not count for ratings. Nothing happens if a moderator
    has separated any two accounts of which this would make one person's.
    """
    with transaction.atomic():
        if identities.are_linked([one, other]) or _are_separate(one, other):
            return
        groups = list(
            LinkedAccount.objects.filter(player__in=[one, other])
            .values_list("group", flat=True)
            .distinct()
        )
        group = groups[0] if groups else invite_token()
        LinkedAccount.objects.filter(group__in=groups).update(group=group)
        for player in (one, other):
            LinkedAccount.objects.get_or_create(player=player, defaults={"group": group})
        _exclude_games_among(group)


def accounts_of(*, player: int | None, token: str) -> set[int]:
    """Return the keys of the accounts of a reader: a player or visitor, in a browser with a token.

    A browser that a moderator found to be used by several people says nothing about its reader.
    """
    keys = set(Device.objects.filter(token=token).values_list("player", flat=True) if token else ())
    if len(keys) > 1 and SeparateAccounts.objects.filter(one__in=keys, other__in=keys).exists():
        keys = set()
    if player is not None:
        keys.add(player)
    return identities.with_linked(Player.objects.filter(pk__in=keys)) if keys else set()


def unlink(*, player: Player) -> int:
    """Separate a player from all accounts linked to theirs, for good; return how many those are.

    For moderators: a family may share a browser. Games among them count from now on; earlier ones
    remain excluded.
    """
    with transaction.atomic():
        others = sorted(identities.with_linked([player]) - {player.pk})
        SeparateAccounts.objects.bulk_create(
            [_pair(player.pk, other) for other in others], ignore_conflicts=True
        )
        own = LinkedAccount.objects.filter(player=player)
        groups = list(own.values_list("group", flat=True))
        own.delete()
        if len(others) == 1:
            LinkedAccount.objects.filter(group__in=groups).delete()
    return len(others)


def _pair(one: int, other: int) -> SeparateAccounts:
    return SeparateAccounts(one_id=min(one, other), other_id=max(one, other))


def _are_separate(one: Player, other: Player) -> bool:
    """Whether a moderator has separated accounts that would be linked with these two."""
    mine, theirs = identities.with_linked([one]), identities.with_linked([other])
    return SeparateAccounts.objects.filter(
        Q(one__in=mine, other__in=theirs) | Q(one__in=theirs, other__in=mine)
    ).exists()


def _keep_separate(guest: int, account: int) -> None:
    """Move a guest's separations to the account that they log in to."""
    rows = SeparateAccounts.objects.filter(Q(one=guest) | Q(other=guest))
    others = {key for pair in rows.values_list("one_id", "other_id") for key in pair}
    moved = [_pair(account, other) for other in others - {guest, account}]
    SeparateAccounts.objects.bulk_create(moved, ignore_conflicts=True)
    rows.delete()


def _exclude_games_among(group: str) -> None:
    """Let games between accounts of a group count no longer; ratings follow at the next refit."""
    members = LinkedAccount.objects.filter(group=group).values("player")
    among = Count("attempts", filter=Q(attempts__player__in=members, attempts__computer=False))
    plays = Play.objects.filter(attempts__player__in=members, exclusion=Play.Exclusion.NONE)
    together = plays.annotate(among=among).filter(among__gte=2).values_list("pk", flat=True)
    Play.objects.filter(pk__in=list(together)).update(exclusion=Play.Exclusion.SAME)


def merge(*, guest: int, account: int) -> None:
    """Move a guest's attempts to the account that they log in to.

    Attempts at a game that the account was dealt before become practice. Ranked games of a guest do
    not count for an account that moderators keep from them, or that had to wait when they began.
    Ratings follow at the next refit.
    """
    player = Player.objects.get(pk=account)
    if player.is_kept_from_ranked:
        ranked = Play.objects.filter(attempts__player=guest, kind=Play.Kind.RANKED)
        ranked.filter(exclusion__in=exclusions.MAY_COUNT).update(exclusion=Play.Exclusion.BARRED)
    leavers.exclude_games(guest=guest, account=player)
    met = Attempt.objects.filter(player_id=account, first=True).values("standard_game_id")
    again = Attempt.objects.filter(player_id=guest, standard_game_id__in=met)
    Play.objects.filter(attempts__in=list(again)).update(exclusion=Play.Exclusion.PRACTICE)
    again.update(first=False)
    both = Attempt.objects.filter(player_id=account).values_list("play_id", flat=True)
    Play.objects.filter(attempts__player=guest, pk__in=list(both)).update(
        exclusion=Play.Exclusion.TWICE
    )
    moved = list(Attempt.objects.filter(player_id=guest).values_list("play_id", flat=True))
    Attempt.objects.filter(player_id=guest).update(player_id=account)
    exclusions.apply_pair_cap(moved)
    Leaving.objects.filter(player_id=guest).exclude(
        match__in=Leaving.objects.filter(player_id=account).values("match")
    ).update(player_id=account)
    Device.objects.filter(player_id=guest).delete()
    networks.merge(guest=guest, account=account)
    _keep_separate(guest, account)
    LinkedAccount.objects.filter(player_id=guest).delete()
    _merge_ratings(guest=guest, account=account)
    RatingChange.objects.filter(player_id=guest).delete()
    for record in Record.objects.filter(player_id=guest):
        kept, _ = Record.objects.get_or_create(player_id=account, seats=record.seats)
        for name in ("won", "lost", "skunks", "skunked"):
            setattr(kept, name, getattr(kept, name) + getattr(record, name))
        kept.save()
        record.delete()


def _merge_ratings(*, guest: int, account: int) -> None:
    """Let an account have last played when the guest did; one without a rating takes the guest's.

    The next refit computes both from all games, and keeps the time.
    """
    for row in Rating.objects.filter(player_id=guest):
        own = Rating.objects.filter(player_id=account, seats=row.seats)
        if not own.exists():
            try:
                with transaction.atomic():
                    Rating.objects.filter(pk=row.pk).update(player_id=account)
                continue
            except IntegrityError:  # a game of the account has just been rated
                pass
        if row.played_at is not None:
            earlier = own.filter(Q(played_at=None) | Q(played_at__lt=row.played_at))
            earlier.update(played_at=row.played_at)
        row.delete()
