"""Tables: made, joined, filled with computers, left, and set up again for a rematch.

Plain functions over the ORM, to be called from a thread (a view, or `database_sync_to_async`).
Each is one transaction; whoever listens is told after it.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import IntegrityError, transaction
from django.utils import timezone

from games import announce
from games.bots import UnknownPlayer, levels
from games.correspondence import DAYS
from games.engine.state import Ruleset
from games.friends import kept_apart
from games.leaving import computer_of, leave_for_good
from games.models import Match, Player, Seat
from games.refusals import Refused


def create_match(
    *,
    creator: Player,
    ruleset: Ruleset,
    computers: Mapping[int, str] | None = None,
    listed: bool = False,
    watchable: bool = False,
    hints: bool = False,
    stand_in: str = "",
    days: int | None = None,
) -> Match:
    """Make a match with ``creator`` in seat 0; it begins at once if no seat is left empty.

    Args:
        creator: who makes it and takes seat 0.
        ruleset: the rules; their ``players`` is the number of seats.
        computers: seat -> level of the computer that takes it.
        listed: whether it shows among the open tables while it waits.
        watchable: whether anybody may watch.
        hints: whether players may ask what the computer would do; never where it is rated.
        stand_in: level of the computer that plays on for who leaves; "" is the strongest.
        days: by correspondence, how many days each decision has: one of `correspondence.DAYS`.

    Raises:
        Refused: ``no_such_level``, ``bad_days``, or ``bad_seat`` for a computer in seat 0 or
            beyond the last.
    """
    wanted = dict(computers or {})
    if any(not 0 < seat < ruleset.players for seat in wanted):
        raise Refused("bad_seat", f"computers in {sorted(wanted)} of {ruleset.players} seats")
    if days is not None and days not in DAYS:
        raise Refused("bad_days", f"{days} days: it is one of {DAYS}")
    machines = {seat: computer(level) for seat, level in wanted.items()}
    with transaction.atomic():
        match = Match.objects.create(
            ruleset=ruleset.to_dict(),
            created_by=creator,
            listed=listed,
            watchable=watchable,
            hints=hints,
            stand_in_level=computer(stand_in).bot if stand_in else "",
            days=days,
        )
        seats = [
            Seat(match=match, seat=seat, player=machines.get(seat), computer=seat in machines)
            for seat in range(ruleset.players)
        ]
        seats[0].player = creator
        Seat.objects.bulk_create(seats)
        begin_if_full(match)
        tell(match)
    return match


def computer(level: str) -> Player:
    """Return the row of the computer player of that level, at its present version.

    Raises:
        Refused: ``no_such_level``.
    """
    try:
        return computer_of(level)
    except UnknownPlayer as cause:
        raise Refused("no_such_level", str(cause)) from cause


def join_match(*, player: Player, invite: str) -> Match:
    """Take the first empty seat of the match that ``invite`` belongs to; sitting there is enough.

    Of several people who ask for the last seat one gets it.

    At a table of the lobby nobody sits down with whom he has blocked, or who has blocked him.

    A program sits at private tables alone: who takes a seat in the lobby wants to meet people.

    Raises:
        Refused: ``no_such_invitation``, ``match_full``, ``match_closed`` or ``no_programs``.
    """
    with transaction.atomic():
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
        apart = kept_apart(player=player.pk) if match.listed else frozenset()
        if any(seat.player_id in apart for seat in seats):
            raise Refused("match_closed")  # who is blocked is not told that he is
        free = next((seat for seat in seats if seat.player_id is None), None)
        if free is None:
            raise Refused("match_full")
        free.player = player
        try:
            with transaction.atomic():
                free.save(update_fields=["player"])
        except IntegrityError:
            return match  # two tabs of one person: the other has taken the seat
        begin_if_full(match)
        tell(match)
    return match


def fill_seat(*, match: Match, by: Player, seat: int, level: str) -> None:
    """Give an empty seat to a computer, while the match waits; for its creator alone.

    Raises:
        Refused: ``not_offered``, ``bad_seat``, ``seat_taken`` or ``no_such_level``.
    """
    machine = computer(level)
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match.pk)
        if match.created_by_id != by.pk or match.status != Match.Status.WAITING:
            raise Refused("not_offered")
        row = match.seats.filter(seat=seat).first()
        if row is None:
            raise Refused("bad_seat")
        if row.player_id is not None:
            raise Refused("seat_taken")
        row.player, row.computer = machine, True
        row.save(update_fields=["player", "computer"])
        if match.seats.filter(computer=True).count() == match.ruleset["players"] - 1:
            match.hints = True  # nobody is left whom they could hurt
            match.save(update_fields=["hints"])
        begin_if_full(match)
        tell(match)


def leave_match(*, match: Match, player: Player) -> None:
    """Give up a seat: while the match waits it is free again, with three seats a computer plays on.

    A creator who leaves a waiting match calls it off. With two seats a match under way is
    resigned, which is a move, and not this. A ranked match is left for good: the computer
    plays it to its end.

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
                match.finished_at = timezone.now()
                match.save(update_fields=["status", "ended_by", "finished_at"])
            else:
                row.player = None
                row.save(update_fields=["player"])
        elif match.ranked and leave_for_good(match=match.pk, seat=row.seat):
            return
        elif match.status == Match.Status.PLAYING and match.ruleset["players"] > 2:
            row.stand_in = computer(stand_in_level(match))
            row.save(update_fields=["stand_in"])
        else:
            raise Refused("not_offered")
        tell(match)


def seat_stand_in(*, match: Match, seat: int) -> None:
    """Let a computer play for an absent player until he comes back; twice is once.

    Whether it is offered is for the caller to know.

    Raises:
        Refused: ``not_offered`` if nobody's seat is meant or the match is not under way.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match.pk)
        row = match.seats.filter(seat=seat, computer=False, player__isnull=False).first()
        if row is None or match.status != Match.Status.PLAYING:
            raise Refused("not_offered")
        if row.stand_in_id is None:
            row.stand_in = computer(stand_in_level(match))
            row.save(update_fields=["stand_in"])
            tell(match)


def take_back(*, match: Match, player: Player) -> bool:
    """Take one's seat back from the computer; return whether one had been standing in.

    Who is banned or deleted gets none back, though a connection of his may still be open.
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
            tell(match)
    return bool(changed)


def make_rematch(*, match: Match) -> Match:
    """Return the match that follows this one: same rules and seats, made at the first call.

    A computer that stood in at the end has the seat for good.

    Raises:
        Refused: ``not_offered`` while the match goes on.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().select_related("rematch").get(pk=match.pk)
        if match.rematch is not None:
            return match.rematch
        if match.status != Match.Status.FINISHED or match.imported or match.ranked:
            raise Refused("not_offered")
        # After a duplicate it is a new game, and the deal is cut for.
        dealer = None if match.duplicate_of_id else match.ruleset["first_dealer"]
        following = Match.objects.create(
            ruleset={**match.ruleset, "first_dealer": dealer},
            created_by=match.created_by,
            watchable=match.watchable,
            hints=match.hints,
            stand_in_level=match.stand_in_level,
            days=match.days,
        )
        Seat.objects.bulk_create(
            Seat(
                match=following,
                seat=row.seat,
                player_id=row.stand_in_id or row.player_id,
                computer=row.computer or row.stand_in_id is not None,
            )
            for row in match.seats.order_by("seat")
        )
        begin_if_full(following)
        match.rematch = following
        match.save(update_fields=["rematch"])
        tell(match)
    return following


def stand_in_level(match: Match) -> str:
    """Return the level of a computer that plays on for somebody: as agreed, else the strongest.

    The strongest, since nobody's game should be the worse for his line having failed.
    """
    return match.stand_in_level or levels()[-1].name


def begin_if_full(match: Match) -> None:
    """Begin a match whose seats are all taken; within the transaction that took the last."""
    if match.seats.filter(player__isnull=True).exists():
        return
    match.status, match.started_at = Match.Status.PLAYING, timezone.now()
    match.save(update_fields=["status", "started_at"])


def tell(match: Match) -> None:
    """Say, after the transaction, that a match's seats or status changed."""
    pk = match.pk
    transaction.on_commit(lambda: announce.table(pk))
    if match.listed:
        transaction.on_commit(announce.lobby)
