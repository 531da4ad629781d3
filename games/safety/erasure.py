"""Deletion of accounts: personal data is removed, results of matches remain.

Rows in other tables are handled by the `on_delete` of their relation to the player: CASCADE rows
(tokens, ratings, friends) are deleted, SET_NULL rows lose the reference, and PROTECT rows (seats
and attempts) remain, since they are the opponents' results too.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext as _

from games import hooks
from games.cluster import announce
from games.models import (
    Appeal,
    BanProposal,
    Match,
    ModerationEntry,
    PlannedPlay,
    Player,
    QueuedMail,
    Report,
    Seat,
    Session,
)
from games.models.advisory_lock import Turn, take_turn
from games.models.ids import public_id
from games.models.names import ERASED
from games.ops import true_time
from games.people.changed_accounts import refresh_tables
from games.people.player_lock import lock_rows
from games.tables.tables import leave_match, seat_stand_in

UNFINISHED = (Match.Status.WAITING, Match.Status.PLAYING)


def erase(*, player: Player) -> None:
    """Delete ``player``'s account and programs; this cannot be undone.

    The player leaves waiting tables; in running matches a computer takes over, or the match is
    abandoned if no other person plays. Imported matches are deleted.

    Raises:
        ValidationError: for staff, who must first give up their permissions.
    """
    if player.is_staff or player.is_superuser:
        text = _("You're on the staff. Give up your admin rights first.")
        raise ValidationError(text, code="is_staff")
    with transaction.atomic():
        # Two players may refer to each other in rows that each deletion reaches in its own order.
        take_turn(Turn.DELETION)
        # The second of two clicks finds the account deleted, or a guest merged with another one.
        stored = lock_rows(player).get(player.pk)
        if stored is None or stored.kind == Player.Kind.DELETED:
            return
        player.refresh_from_db()
        programs = list(Player.objects.filter(owner=player).order_by("pk"))
        hand_over(player, *programs)
        for program in programs:
            _erase(program)
            end_sessions(player=program)
        _erase(player)
    end_sessions(player=player)


def end_sessions(*, player: Player) -> int:
    """Log ``player`` out everywhere; return how many sessions ended.

    Open sockets are closed at once, in all processes.
    """
    ended, _by_table = Session.objects.filter(player_id=player.pk).delete()
    transaction.on_commit(partial(announce.player_ended, player.pk))
    return ended


def hand_over(*players: Player) -> None:
    """Make players, such as one and their programs, leave all unfinished matches."""
    by_key = {player.pk: player for player in players}
    seats = Seat.objects.filter(player__in=by_key, computer=False, match__status__in=UNFINISHED)
    # In one order, so that two calls that share matches never wait for each other.
    ordered = seats.order_by("match_id", "pk").values_list("match_id", "player_id")
    for match, player in list(ordered):
        with transaction.atomic():
            _leave(match, by_key[player])


def hand_over_left(guest: int) -> None:
    """Make a guest, by primary key, who has logged in to an account leave their unfinished matches.

    These are the matches in which the account has a seat too. No one can log in as the guest again,
    so the guest's seat would wait forever.
    """
    hand_over(*Player.objects.filter(pk=guest, is_active=False))


def _leave(pk: int, player: Player) -> None:
    """Leave a match, unless it has ended since it was looked up."""
    match = Match.objects.select_for_update().get(pk=pk)
    row = match.seats.filter(player=player, computer=False).first()
    if row is None or match.status not in UNFINISHED:
        return
    others = match.seats.filter(computer=False, player__isnull=False).exclude(pk=row.pk)
    if match.status == Match.Status.WAITING or match.ranked:
        if row.left_at is None:
            leave_match(match=match, player=player)
    elif others.exists():
        seat_stand_in(match=match, seat=row.seat)
    else:
        match.status, match.ended_by = Match.Status.ABANDONED, Match.EndedBy.ABANDONED
        match.finished_at = true_time.now()
        match.save(update_fields=["status", "ended_by", "finished_at"])
        transaction.on_commit(partial(announce.table, match.pk))


def _erase(player: Player) -> None:
    hooks.erasing(player.pk)
    _remove_imports(player)
    _forget_mails(player)
    ModerationEntry.objects.filter(player=player).update(reason="")
    Appeal.objects.filter(entry__player=player).delete()
    Report.objects.filter(reporter=player).update(text="")
    # A ban takes two moderators, and nobody could confirm a proposal without its own.
    BanProposal.objects.filter(proposed_by=player, decided_at__isnull=True).delete()
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Player), object_id=str(player.pk)
    ).update(object_repr=ERASED, change_message="")
    PlannedPlay.objects.filter(seat__player=player).delete()
    for relation in Player._meta.related_objects:  # noqa: SLF001 - Django's documented interface
        _forget(relation, player)
    for field in Player._meta.many_to_many:  # noqa: SLF001 - the same
        getattr(player, field.name).clear()
    _empty(player)
    refresh_tables(player=player)


def _forget_mails(player: Player) -> None:
    """Delete the mails that wait to be sent to a player's addresses."""
    addresses = EmailAddress.objects.filter(user=player).values_list("email", flat=True)
    QueuedMail.objects.filter(recipient__in=[*addresses, player.email]).delete()


def _remove_imports(player: Player) -> None:
    """Delete a player's imported matches, which contain entered names and no one else's results."""
    rows = Match.objects.filter(created_by=player, imported=True)
    imported = list(rows.values_list("pk", flat=True))
    # Branches of them are kept, as they may be in progress, and stay as private as imports.
    Match.objects.filter(branch_of__in=imported).update(
        branch_of=None, branch_step=None, imported=True
    )
    Match.objects.filter(pk__in=imported).delete()


def _forget(relation: Any, player: Player) -> None:
    """Apply the `on_delete` of a relation to the rows that refer to ``player``."""
    if relation.many_to_many:
        return  # cleared with the player's own fields
    rows = relation.related_model._base_manager.filter(  # noqa: SLF001 - the same
        **{relation.field.name: player}
    )
    if relation.on_delete is models.CASCADE:
        rows.delete()
    elif relation.on_delete is models.SET_NULL:
        rows.update(**{relation.field.name: None})


def _empty(player: Player) -> None:
    """Remove all personal data from the player's row."""
    fresh = Player(pk=player.pk, kind=Player.Kind.DELETED, name=ERASED, name_skeleton="")
    ident = public_id()
    fresh.public_id, fresh.username = ident, f"deleted-{ident}"
    fresh.is_active, fresh.private, fresh.replays = False, True, player.replays
    fresh.sharing, fresh.date_joined = player.sharing, player.date_joined
    fresh.set_unusable_password()
    fresh.save(force_update=True)
    player.refresh_from_db()
