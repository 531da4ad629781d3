"""Services for tables: create, join, fill with computers, leave.

They are plain functions over the ORM; call them from a thread (a view, or
`database_sync_to_async`). Each is one transaction, after which listeners are notified.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import IntegrityError, transaction

from games.bots import UnknownPlayer, levels
from games.cluster import announce
from games.correspondence import notify
from games.correspondence.turns import DAYS
from games.engine.state import Ruleset
from games.hooks import linked
from games.log import store
from games.models import Block, Match, Player, Seat
from games.ops import true_time
from games.people.friends import blocked_either_way
from games.people.player_lock import locked_player
from games.tables.attended import leave_lobby_for
from games.tables.forfeit import computer_of, leave_for_good
from games.wire.refusals import Refused


def create_match(
    *,
    creator: Player,
    ruleset: Ruleset,
    computers: Mapping[int, str] | None = None,
    listed: bool = False,
    listed_elsewhere: bool = False,
    watchable: bool = False,
    hints: bool = False,
    stand_in: str = "",
    days: int | None = None,
    sharing: str | None = None,
) -> Match:
    """Create a match with ``creator`` in seat 0; it starts at once if all seats are taken.

    Args:
        creator: the player in seat 0.
        ruleset: the rules; ``ruleset.players`` is the number of seats.
        computers: seat -> level of the computer that takes it.
        listed: whether it is listed among the open tables while it waits.
        listed_elsewhere: whether others see it at another place while it waits, as in a club.
        watchable: whether anybody may watch.
        hints: whether players may ask for hints; never in rated matches.
        stand_in: level of the substitute for a player who leaves; "" is the strongest.
        days: days for each decision of a correspondence match, one of `turns.DAYS`.
        sharing: whether others may be dealt the cards of a private match, a `Player.Sharing`; by
            default as in the creator's settings.

    Raises:
        Refused: ``no_such_level``, ``bad_days``, or ``bad_seat`` for a computer in seat 0 or
            beyond the last.
    """
    wanted = dict(computers or {})
    if any(not 0 < seat < ruleset.players for seat in wanted):
        raise Refused("bad_seat", f"computers in {sorted(wanted)} of {ruleset.players} seats")
    if days is not None and days not in DAYS:
        raise Refused("bad_days", f"{days} days: must be one of {DAYS}")
    machines = {seat: computer(level) for seat, level in wanted.items()}
    with locked_player(creator):
        now = true_time.now()
        match = Match.objects.create(
            ruleset=ruleset.to_dict(),
            created_by=creator,
            created_at=now,
            attended_at=now,
            listed=listed,
            listed_elsewhere=listed_elsewhere,
            watchable=watchable,
            hints=hints,
            stand_in_level=computer(stand_in).bot if stand_in else "",
            days=days,
            sharing=sharing or creator.sharing,
        )
        seats = [
            Seat(match=match, seat=seat, player=machines.get(seat), computer=seat in machines)
            for seat in range(ruleset.players)
        ]
        seats[0].player = creator
        Seat.objects.bulk_create(seats)
        begin_if_full(match)
        announce_change(match)
    return match


def computer(level: str) -> Player:
    """Return the row of the computer player of a level, in its current version.

    Raises:
        Refused: ``no_such_level``.
    """
    try:
        return computer_of(level)
    except UnknownPlayer as cause:
        raise Refused("no_such_level", str(cause)) from cause


def join_match(*, player: Player, invite: str) -> Match:
    """Take the first empty seat of a match by its invitation; do nothing if already seated.

    If several people request the last seat, one of them gets it. Players cannot join a table if
    they have blocked its creator or the creator has blocked them; a listed table if that holds for
    anyone seated there; or a correspondence game that a linked account of theirs posted. Programs
    can join private tables only, since players in the lobby expect people.

    Raises:
        Refused: ``no_such_invitation``, ``match_full``, ``match_closed``, ``you_blocked``,
            ``own_seek`` or ``no_programs``.
    """
    with locked_player(player):
        match = Match.objects.select_for_update().filter(invite=invite).first()
        if match is None:
            raise Refused("no_such_invitation")
        if player.is_computer and match.listed:
            raise Refused("no_programs")
        seats = list(match.seats.order_by("seat"))
        if any(seat.player_id == player.pk for seat in seats):
            return match
        if match.status != Match.Status.WAITING:
            full = match.status == Match.Status.PLAYING
            raise Refused("match_full" if full else "match_closed")
        _check_blocks(match, player, seats)
        if match.listed and match.days is not None and match.created_by_id in linked(player.pk):
            raise Refused("own_seek")
        free = next((seat for seat in seats if seat.player_id is None), None)
        if free is None:
            raise Refused("match_full")
        free.player = player
        try:
            with transaction.atomic():
                free.save(update_fields=["player"])
        except IntegrityError:
            return match  # the same person has just taken a seat in another tab
        begin_if_full(match)
        if match.listed and match.days is not None:
            notify.accepted(match)
        announce_change(match)
    return match


def _check_blocks(match: Match, player: Player, seats: list[Seat]) -> None:
    """Refuse a player, whose row is locked, if a block keeps them apart from others at the table.

    Raises:
        Refused: ``match_closed`` or ``you_blocked``, as for `join_match`.
    """
    apart = blocked_either_way(player=player.pk) if match.listed else frozenset()
    unwelcome = Block.objects.filter(blocker=match.created_by_id, blocked=player).exists()
    if unwelcome or any(seat.player_id in apart for seat in seats):
        raise Refused("match_closed")  # the refusal must not disclose a block
    if Block.objects.filter(blocker=player, blocked=match.created_by_id).exists():
        raise Refused("you_blocked")  # perhaps while they were accepting the invitation


def fill_seat(*, match: Match, by: Player, seat: int, level: str) -> None:
    """Give an empty seat of a waiting match to a computer, on request of its creator.

    If it has the seat, nothing changes: the request may have been sent again.

    Raises:
        Refused: ``not_offered``, ``bad_seat``, ``seat_taken`` or ``no_such_level``.
    """
    machine = computer(level)
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match.pk)
        if match.created_by_id != by.pk:
            raise Refused("not_offered")
        row = match.seats.filter(seat=seat).first()
        if row is not None and row.computer and row.player_id == machine.pk:
            return  # only the creator can have done it; the match may have begun
        if match.status != Match.Status.WAITING:
            raise Refused("not_offered")
        if row is None:
            raise Refused("bad_seat")
        if row.player_id is not None:
            raise Refused("seat_taken")
        row.player, row.computer = machine, True
        row.save(update_fields=["player", "computer"])
        if match.seats.filter(computer=True).count() == match.ruleset["players"] - 1:
            match.hints = True  # against computers only, hints are harmless
            match.save(update_fields=["hints"])
        begin_if_full(match)
        announce_change(match)


def leave_match(*, match: Match, player: Player) -> None:
    """Leave a match: free the seat while it waits, or hand it to a computer (three seats, ranked).

    A creator who leaves a waiting match closes it. A running match of two players is resigned
    instead, with a move. Leaving a ranked match is permanent: the computer finishes it. Closing a
    match or leaving for good a second time changes nothing.

    Raises:
        Refused: ``not_seated`` or ``not_offered``.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match.pk)
        row = match.seats.filter(player=player, computer=False).first()
        if row is None:
            raise Refused("not_seated")
        if match.status == Match.Status.WAITING:
            if match.created_by_id == player.pk:
                match.status, match.ended_by = Match.Status.ABANDONED, Match.EndedBy.ABANDONED
                match.finished_at = true_time.now()
                match.save(update_fields=["status", "ended_by", "finished_at"])
            else:
                row.player = None
                row.save(update_fields=["player"])
        elif match.status == Match.Status.ABANDONED and match.created_by_id == player.pk:
            return  # they have closed it already
        elif match.ranked:
            _leave_ranked(match, row)
            return
        elif match.status == Match.Status.PLAYING and match.ruleset["players"] > 2:
            row.let_play(computer(stand_in_level(match)))
        else:
            raise Refused("not_offered")
        announce_change(match)


def _leave_ranked(match: Match, row: Seat) -> None:
    """Leave a ranked match for good; nothing changes if the player has left it already.

    Raises:
        Refused: ``not_offered`` if the seat was lost on time, or the match is over.
    """
    left = leave_for_good(match=match.pk, seat=row.seat)
    if not left and (row.left_at is None or row.timed_out):
        raise Refused("not_offered")


def seat_stand_in(*, match: Match, seat: int, version: int | None = None) -> None:
    """Let a computer substitute for an absent player until they return; idempotent.

    The caller must check that a substitute is offered. With ``version`` it plays only if the log is
    still that long: a move stored before wins.

    Raises:
        Refused: ``not_offered`` if no person has this seat, the match is not in progress, or it has
            moved on.
    """
    with transaction.atomic():
        if version is not None and not store.hold(match.pk, version):
            raise Refused("not_offered")
        match = Match.objects.select_for_update().get(pk=match.pk)
        row = match.seats.filter(seat=seat, computer=False, player__isnull=False).first()
        if row is None or match.status != Match.Status.PLAYING:
            raise Refused("not_offered")
        if row.stand_in_id is None:
            row.let_play(computer(stand_in_level(match)))
            announce_change(match)


def take_back(*, match: Match, player: Player) -> bool:
    """Take a player's seat back from the substitute; return whether there was one.

    Banned and deleted players do not get it back, though they may still have open connections.
    """
    with transaction.atomic():
        changed = Seat.objects.filter(
            match=match,
            player=player,
            player__is_active=True,
            computer=False,
            stand_in__isnull=False,
            left_at__isnull=True,
        ).update(stand_in=None)
        if changed:
            announce_change(match)
    return bool(changed)


def stand_in_level(match: Match) -> str:
    """Return the level of a substitute: the one chosen for the match, or the strongest.

    The default is the strongest, so that a lost connection does not cost a player the game.
    """
    return match.stand_in_level or levels()[-1].name


def begin_if_full(match: Match) -> None:
    """Start a match if all seats are taken, in the transaction that took the last one."""
    if match.seats.filter(player__isnull=True).exists():
        return
    match.status, match.started_at = Match.Status.PLAYING, true_time.now()
    match.save(update_fields=["status", "started_at"])
    leave_lobby_for(match)


def announce_change(match: Match) -> None:
    """Announce, after the commit, that a match's seats or status changed."""
    pk = match.pk
    transaction.on_commit(lambda: announce.table(pk))
    if match.listed:
        transaction.on_commit(announce.lobby)
