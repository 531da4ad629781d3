"""Club nights: officers plan them, players join by a link, `night_state_machine` runs them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from games.api import Player, locked_player, made_already, true_now
from ratings.clubs import clubs, leagues, night_state_machine, released
from ratings.clubs.absences import absent_entrants, nights_elsewhere
from ratings.clubs.refusals import refused
from ratings.models import Club, ClubLeague, ClubNight, Entrant, NightTable
from ratings.standard import identities, seated

MAX_PLANNED = 10
"""Maximum number of a club's nights that are not over."""
MAX_ENTRANTS = 100

State = ClubNight.State


def plan(
    *,
    club: Club,
    by: Player,
    title: str,
    games: int,
    minutes: int,
    starts_at: datetime,
    ends_at: datetime,
    league: ClubLeague | None = None,
    seats: int = 2,
    by_hand: bool = False,
) -> ClubNight:
    """Plan a night with this number of games, perhaps as part of a league.

    A form that is sent again gets the night of the first one.

    With ``by_hand`` an officer starts it (`begin`), and ``starts_at`` only says when to arrive.

    Raises:
        Refused: ``club_officers``, ``club_muted``, ``night_many``, or ``league_full`` if the league
            has all its nights already.
    """
    clubs.officer(club=club, player=by)
    if by.is_muted:
        raise refused("club_muted")
    with locked_player(by):
        clubs.lock(club)
        own = club.nights.filter(made_by=by).exclude(state=State.OVER)
        chosen: dict[str, Any] = {
            "league": league, "title": title, "seats": seats, "games": games, "minutes": minutes,
            "starts_at": starts_at, "ends_at": ends_at, "by_hand": by_hand,
        }  # fmt: skip
        known = made_already(own, **chosen)
        if known is not None:
            return known
        if club.nights.exclude(state=State.OVER).count() >= MAX_PLANNED:
            raise refused("night_many")
        if league is not None:
            leagues.check_open(league=league, club=club)
        night = ClubNight.objects.create(club=club, made_by=by, **chosen)
    return night_state_machine.advance(night=night)


def join(*, night: ClubNight, player: Player) -> Entrant:
    """Enter a player, with an account or as a guest; a player who left comes back.

    Players who join while the night is under way play from the next game on.

    Raises:
        Refused: ``night_gone`` if it was cancelled meanwhile, ``night_over``, ``night_late`` once
            no further game begins, ``night_full``, ``night_linked`` if one of their linked
            accounts takes part, or ``night_elsewhere`` while they play at another night and this
            one is under way.
    """
    with locked_player(player):
        night = night_state_machine.lock_night(night)
        if night.is_over:
            raise refused("night_over")
        _check_elsewhere(night, player)
        known = night.entrants.filter(player=player).first()
        if known is not None:
            _return(night, known)
            return known
        if not night.takes_entrants:
            raise refused("night_late")
        if night.entrants.count() >= MAX_ENTRANTS:
            raise refused("night_full")
        if night.entrants.filter(player_id__in=identities.with_linked([player])).exists():
            raise refused("night_linked")
        entrant = Entrant.objects.create(night=night, player=player, from_game=night.current + 1)
        if night.is_running:
            night_state_machine.seat_late_entrant(night, entrant)
        # The night may only have waited for enough players.
        night_state_machine.advance_later.enqueue(night.pk)
        return entrant


def leave(*, night: ClubNight, player: Player) -> None:
    """Withdraw a player; once the pairings are drawn, only from games that have not begun.

    Raises:
        Refused: ``night_gone``, ``night_over`` or ``night_not_in``.
    """
    with transaction.atomic():
        night = night_state_machine.lock_night(night)
        if night.is_over:
            raise refused("night_over")
        row = _entrant(night, player)
        if night.is_planned:
            row.delete()
        else:
            _mark_absent(row)


def mark(*, night: ClubNight, by: Player, player: Player, absent: bool) -> None:
    """Mark a player as absent or present for games that have not begun.

    Raises:
        Refused: ``club_officers``, ``night_gone``, ``night_over``, ``night_not_in``, or
            ``night_elsewhere`` as for `join`.
    """
    clubs.officer(club=night.club, player=by)
    with transaction.atomic():
        night = night_state_machine.lock_night(night)
        if night.is_over:
            raise refused("night_over")
        row = _entrant(night, player)
        if absent:
            _mark_absent(row)
        else:
            _check_elsewhere(night, player)
            _return(night, row)


def begin(*, night: ClubNight, by: Player) -> None:
    """Draw the pairings and begin the first game, also before the planned time.

    Raises:
        Refused: ``club_officers``, ``night_gone``, ``night_begun`` or ``night_few``.
    """
    clubs.officer(club=night.club, player=by)
    with transaction.atomic():
        night = night_state_machine.lock_night(night)
        if not night.is_planned:
            raise refused("night_begun")
        if not night_state_machine.has_enough_players(night):
            raise refused("night_few")
        night_state_machine.begin(night, true_now())
    night_state_machine.advance(night=night)


def start_next_game(*, night: ClubNight, by: Player, number: int) -> None:
    """Begin game ``number`` for players who are free, while others still play the one before.

    If it has begun, nothing changes: another officer was first, or the form was sent twice.

    Raises:
        Refused: ``club_officers``, ``night_gone``, ``night_not_now``, or ``night_last`` if no
            game is left or the night's time is over.
    """
    clubs.officer(club=night.club, player=by)
    with transaction.atomic():
        night = night_state_machine.lock_night(night)
        if not night.is_running:
            raise refused("night_not_now")
        if not night.takes_entrants:
            raise refused("night_last")
        if number == night.current + 1:
            night_state_machine.next_game(night, true_now())
    night_state_machine.advance(night=night)


def end(*, night: ClubNight, by: Player) -> None:
    """End a night: no further game begins, running tables finish. Delete it if it has not begun.

    Raises:
        Refused: ``club_officers``, ``night_gone`` or ``night_over``.
    """
    clubs.officer(club=night.club, player=by)
    with transaction.atomic():
        night = night_state_machine.lock_night(night)
        if night.is_over:
            raise refused("night_over")
        if night.is_planned:
            night.delete()
            return
        night.ends_at = true_now()
        night.save(update_fields=["ends_at"])
    night_state_machine.advance(night=night)


def hold_entered(player: int) -> None:
    """Lock the nights that a player (a primary key) has entered, so that they seat no one now."""
    rows = ClubNight.objects.filter(entrants__player=player).exclude(state=State.OVER)
    list(rows.order_by("pk").select_for_update(of=("self",)).values_list("pk"))


def merge(*, guest: int, account: int) -> None:
    """Move a guest's entries to the account that they log in to; both by primary key.

    If the account is already entered, the guest is withdrawn.
    """
    for row in Entrant.objects.filter(player_id=guest):
        try:
            with transaction.atomic():
                Entrant.objects.filter(pk=row.pk).update(player_id=account)
        except IntegrityError:
            _withdraw(row)
            no_longer_awaited(guest, account)


def no_longer_awaited(*players: int) -> None:
    """Have jobs look at nights and tournaments that may have waited for players (primary keys)."""
    night_state_machine.resume_nights_of(players)
    released.tell(players)


def _withdraw(row: Entrant) -> None:
    """Withdraw a player who entered twice: at the tables of this entry they count as a computer.

    The attempts there are already the account's.
    """
    tables = NightTable.objects.filter(game__night=row.night_id)
    tables.filter(first=row).update(first=None)
    tables.filter(second=row).update(second=None)
    tables.filter(third=row).update(third=None)
    row.delete()


def _entrant(night: ClubNight, player: Player) -> Entrant:
    row = night.entrants.filter(player=player).first()
    if row is None:
        raise refused("night_not_in")
    return row


def _check_elsewhere(night: ClubNight, player: Player) -> None:
    """Refuse a player of another running night, if this one is under way."""
    seated.hold()
    if night.is_running and nights_elsewhere(night=night, players=[player]):
        raise refused("night_elsewhere")


def _mark_absent(row: Entrant) -> None:
    row.absent, row.from_game = True, max(row.from_game, 1)
    row.save(update_fields=["absent", "from_game"])
    no_longer_awaited(row.player_id)


def _return(night: ClubNight, row: Entrant) -> None:
    """Seat a player again from the next game on; a game that they left stays lost."""
    if row.absent or row.pk in absent_entrants(night):
        row.absent, row.from_game = False, night.current + 1
        row.save(update_fields=["absent", "from_game"])
        night_state_machine.advance_later.enqueue(night.pk)
