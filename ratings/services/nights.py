"""Club nights: planned by officers, joined by a link, begun, ended. Games are for `tending`."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.api import Player
from ratings.models import Club, ClubNight, Entrant, NightTable
from ratings.refusals import refused
from ratings.services import catalogue, clubs, tending

MAX_PLANNED = 10
"""Nights of a club that are not over."""
MAX_ENTRANTS = 100

State = ClubNight.State


def make(
    *,
    club: Club,
    by: Player,
    title: str,
    games: int,
    minutes: int,
    starts_at: datetime,
    ends_at: datetime,
) -> ClubNight:
    """Plan a night of one game or of nine; its page has the link to send.

    Raises:
        Refused: ``club_officers``, ``club_muted`` or ``night_many``.
    """
    clubs.officer(club=club, player=by)
    if by.is_muted:
        raise refused("club_muted")
    if club.nights.exclude(state=State.OVER).count() >= MAX_PLANNED:
        raise refused("night_many")
    return ClubNight.objects.create(
        club=club,
        title=title,
        games=games,
        minutes=minutes,
        starts_at=starts_at,
        ends_at=ends_at,
        made_by=by,
    )


def join(*, night: ClubNight, player: Player) -> Entrant:
    """Let somebody take part, with an account or as a guest; who left comes back.

    Raises:
        Refused: ``night_over``, ``night_begun`` to who was not drawn, ``night_full``, or
            ``night_linked`` where an account that is taken for the same person's takes part.
    """
    with transaction.atomic():
        night = tending.held(night)
        if night.is_over:
            raise refused("night_over")
        known = night.entrants.filter(player=player).first()
        if known is not None:
            _comes_back(night, known)
            return known
        if not night.is_planned:
            raise refused("night_begun")
        if night.entrants.count() >= MAX_ENTRANTS:
            raise refused("night_full")
        if night.entrants.filter(player_id__in=catalogue.with_linked([player])).exists():
            raise refused("night_linked")
        return Entrant.objects.create(night=night, player=player)


def leave(*, night: ClubNight, player: Player) -> None:
    """Take part no more: once the games are drawn, in those that have not begun.

    Raises:
        Refused: ``night_over`` or ``night_not_in``.
    """
    with transaction.atomic():
        night = tending.held(night)
        if night.is_over:
            raise refused("night_over")
        row = _entrant(night, player)
        if night.is_planned:
            row.delete()
        else:
            _goes(row)


def mark(*, night: ClubNight, by: Player, player: Player, absent: bool) -> None:
    """Say that somebody is not there, or is again; it holds for games that have not begun.

    Raises:
        Refused: ``club_officers``, ``night_over`` or ``night_not_in``.
    """
    clubs.officer(club=night.club, player=by)
    with transaction.atomic():
        night = tending.held(night)
        if night.is_over:
            raise refused("night_over")
        row = _entrant(night, player)
        if absent:
            _goes(row)
        else:
            _comes_back(night, row)


def begin(*, night: ClubNight, by: Player) -> None:
    """Draw the games and begin the first one, before the time that was planned.

    Raises:
        Refused: ``club_officers``, ``night_begun`` or ``night_few``.
    """
    clubs.officer(club=night.club, player=by)
    with transaction.atomic():
        night = tending.held(night)
        if not night.is_planned:
            raise refused("night_begun")
        if not tending.enough(night):
            raise refused("night_few")
        tending.begin(night, timezone.now())
    tending.tend(night=night)


def go_on(*, night: ClubNight, by: Player) -> None:
    """Begin the next game for whoever is free, though others still play the one before.

    Raises:
        Refused: ``club_officers``, ``night_not_now`` or ``night_last``.
    """
    clubs.officer(club=night.club, player=by)
    with transaction.atomic():
        night = tending.held(night)
        if not night.is_running:
            raise refused("night_not_now")
        if night.current >= night.games:
            raise refused("night_last")
        tending.next_game(night, timezone.now())
    tending.tend(night=night)


def end(*, night: ClubNight, by: Player) -> None:
    """Begin no further game; tables under way finish. A night that has not begun is called off.

    Raises:
        Refused: ``club_officers`` or ``night_over``.
    """
    clubs.officer(club=night.club, player=by)
    with transaction.atomic():
        night = tending.held(night)
        if night.is_over:
            raise refused("night_over")
        if night.is_planned:
            night.delete()
            return
        night.ends_at = timezone.now()
        night.save(update_fields=["ends_at"])
    tending.tend(night=night)


def merge(*, guest: int, account: int) -> None:
    """Give what a guest entered to the account that he logs in to; both by primary key.

    Where the account takes part as well, the guest takes part no more.
    """
    for row in Entrant.objects.filter(player_id=guest):
        try:
            with transaction.atomic():
                Entrant.objects.filter(pk=row.pk).update(player_id=account)
        except IntegrityError:
            _withdraw(row)


def _withdraw(row: Entrant) -> None:
    """Take somebody out who has entered twice; the computer plays what he has not begun."""
    tables = NightTable.objects.filter(game__night=row.night_id)
    if tables.filter(play__attempts__player=row.player_id).exists():
        _goes(row)
        return
    tables.filter(first=row).update(first=None)
    tables.filter(second=row).update(second=None)
    row.delete()


def _entrant(night: ClubNight, player: Player) -> Entrant:
    row = night.entrants.filter(player=player).first()
    if row is None:
        raise refused("night_not_in")
    return row


def _goes(row: Entrant) -> None:
    row.absent = True
    row.save(update_fields=["absent"])


def _comes_back(night: ClubNight, row: Entrant) -> None:
    """Let somebody play from the next game on; what he left of this one stays lost."""
    if row.absent or row.pk in tending.gone(night):
        row.absent, row.from_game = False, night.current + 1
        row.save(update_fields=["absent", "from_game"])
