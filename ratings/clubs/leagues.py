"""Club leagues: officers start them, nights fill them, and the last night closes them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from games.api import Player, locked_player, made_already, true_now
from ratings.clubs import clubs, league_titles
from ratings.clubs.refusals import refused
from ratings.models import Club, ClubLeague, ClubNight

MAX_OPEN = 5
"""Maximum number of a club's leagues that are not over."""
MAX_NIGHTS = 52

_PLAYED = Q(entrants__result__isnull=False)


def start(*, club: Club, by: Player, title: str, nights: int, best: int) -> ClubLeague:
    """Start a league in which ``best`` of ``nights`` nights count for each player.

    A form that is sent again gets the league of the first one.

    Raises:
        Refused: ``club_officers``, ``club_muted`` or ``league_many``.
    """
    clubs.officer(club=club, player=by)
    if by.is_muted:
        raise refused("club_muted")
    with locked_player(by):
        clubs.lock(club)
        own = club.leagues.filter(over_at=None, made_by=by)
        known = made_already(own, title=title, nights=nights, best=best)
        if known is not None:
            return known
        if club.leagues.filter(over_at=None).count() >= MAX_OPEN:
            raise refused("league_many")
        return ClubLeague.objects.create(
            club=club, title=title, nights=nights, best=best, made_by=by
        )


def end(*, league: ClubLeague, by: Player) -> None:
    """End a league before its last night; without any night it is deleted.

    Its coming nights are still played, but no longer count for a league.

    Raises:
        Refused: ``club_officers`` or ``league_over``.
    """
    clubs.officer(club=league.club, player=by)
    with transaction.atomic():
        # Nights before their league, as when a night ends.
        coming = ClubNight.objects.filter(league=league.pk).exclude(state=ClubNight.State.OVER)
        list(coming.select_for_update(of=("self",)).order_by("pk"))
        row = _lock(league.pk)
        if row.is_over:
            raise refused("league_over")
        row.league_nights.exclude(state=ClubNight.State.OVER).update(league=None)
        if played(league=row):
            _close(row, true_now())
        else:
            row.delete()


def check_open(*, league: ClubLeague, club: Club) -> None:
    """Check, in a transaction, that a league of the club has room for another night.

    Raises:
        Refused: ``league_over`` or ``league_full``.
    """
    row = _lock(league.pk)
    if row.is_over or row.club_id != club.pk:
        raise refused("league_over")
    coming = row.league_nights.exclude(state=ClubNight.State.OVER).count()
    if coming + played(league=row) >= row.nights:
        raise refused("league_full")


def close_if_complete(*, night: ClubNight, now: datetime) -> None:
    """Close the league of a night that is over, in its transaction, if it was the last one.

    The lock comes before the count, so that of two nights that end at once the later one sees both.
    """
    if night.league_id is None:
        return
    row = _lock(night.league_id)
    if not row.is_over and played(league=row) >= row.nights:
        _close(row, now)


def _close(row: ClubLeague, now: datetime) -> None:
    """Close a locked league and give its titles; stored together, so both happen once."""
    row.over_at = now
    row.save(update_fields=["over_at"])
    league_titles.give(league=row)


def played(*, league: ClubLeague) -> int:
    """Return the number of a league's nights that are over and had a result."""
    return league.league_nights.filter(_PLAYED, state=ClubNight.State.OVER).distinct().count()


def _lock(pk: int) -> ClubLeague:
    row = ClubLeague.objects.select_for_update(of=("self",)).filter(pk=pk).first()
    if row is None:  # another officer has cancelled it
        raise refused("league_over")
    return row
