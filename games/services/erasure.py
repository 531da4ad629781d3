"""An account deleted: who it was is forgotten, how its games ended stays.

Other tables are treated as they themselves say what becomes of their rows with a player's: what
goes with him goes (tokens, ratings, friends), what forgets him forgets him, and what protects him
stays (seats and attempts), since it is the others' results too.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import announce, hooks
from games.ids import public_id
from games.models import Match, ModerationEntry, Player, Report, Seat
from games.services.tables import leave_match, seat_stand_in

NAME = "Deleted player"
"""What is shown in place of a name; nobody can take it (`games.names`)."""

TOLD_AGAIN = 50
"""Last matches whose open tables are told that a name has changed."""


def erase(*, player: Player) -> None:
    """Delete ``player``'s account, and his programs with it; nothing can bring it back.

    Tables that wait are left, matches under way go to the computer, and where no other person
    sits they are called off. Games from elsewhere that he took in are removed.

    Raises:
        ValidationError: for somebody with rights over the site, who gives them back first.
    """
    if player.is_staff or player.is_superuser:
        text = _("Who keeps the site gives these rights back first.")
        raise ValidationError(text, code="is_staff")
    with transaction.atomic():
        for program in Player.objects.filter(owner=player):
            _erase(program)
        _erase(player)
    end_sessions(player=player)


def end_sessions(*, player: Player) -> int:
    """Log ``player`` out everywhere; return how many sessions ended.

    A session does not say whose it is but inside, so that all are looked into.
    """
    own = [
        session.session_key
        for session in Session.objects.iterator(500)
        if session.get_decoded().get("_auth_user_id") == str(player.pk)
    ]
    for at in range(0, len(own), 500):
        Session.objects.filter(session_key__in=own[at : at + 500]).delete()
    return len(own)


def hand_over(*, player: Player) -> None:
    """Give all that ``player`` is at now to others: he plays nowhere any more."""
    unfinished = [Match.Status.WAITING, Match.Status.PLAYING]
    seats = Seat.objects.filter(player=player, computer=False, match__status__in=unfinished)
    for row in seats.select_related("match"):
        _leave(row.match, row, player)


def _leave(match: Match, row: Seat, player: Player) -> None:
    others = match.seats.filter(computer=False, player__isnull=False).exclude(pk=row.pk)
    if match.status == Match.Status.WAITING or match.ranked:
        if row.left_at is None:
            leave_match(match=match, player=player)
    elif others.exists():
        seat_stand_in(match=match, seat=row.seat)
    else:
        match.status, match.ended_by = Match.Status.ABANDONED, Match.EndedBy.ABANDONED
        match.finished_at = timezone.now()
        match.save(update_fields=["status", "ended_by", "finished_at"])
        transaction.on_commit(partial(announce.table, match.pk))


def _erase(player: Player) -> None:
    hand_over(player=player)
    hooks.erasing(player.pk)
    _remove_imports(player)
    ModerationEntry.objects.filter(player=player).update(reason="")
    Report.objects.filter(reporter=player).update(text="")
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Player), object_id=str(player.pk)
    ).update(object_repr=NAME, change_message="")
    for relation in Player._meta.related_objects:  # noqa: SLF001 - Django's documented interface
        _forget(relation, player)
    for field in Player._meta.many_to_many:  # noqa: SLF001 - the same
        getattr(player, field.name).clear()
    _empty(player)
    last = Seat.objects.filter(player=player).order_by("-match_id")[:TOLD_AGAIN]
    for match in list(last.values_list("match_id", flat=True)):
        transaction.on_commit(partial(announce.table, match))


def _remove_imports(player: Player) -> None:
    """Remove games from elsewhere: they are nobody else's results, and hold names as he wrote them.

    Whoever sits there was made for it, and never was at the site.
    """
    imported = Match.objects.filter(created_by=player, imported=True)
    made_up = Player.objects.filter(
        seats__match__in=imported, kind=Player.Kind.GUEST, last_login__isnull=True
    )
    guests = list(made_up.values_list("pk", flat=True))
    # What he played on from there is nobody's result either, but may be under way.
    Match.objects.filter(branch_of__in=imported).update(branch_of=None, branch_step=None)
    imported.delete()
    Player.objects.filter(pk__in=guests, seats__isnull=True).delete()


def _forget(relation: Any, player: Player) -> None:
    """Do to the rows that name ``player`` what would be done were his own row removed."""
    if relation.many_to_many:
        return  # its own table goes with him
    rows = relation.related_model._base_manager.filter(  # noqa: SLF001 - the same
        **{relation.field.name: player}
    )
    if relation.on_delete is models.CASCADE:
        rows.delete()
    elif relation.on_delete is models.SET_NULL:
        rows.update(**{relation.field.name: None})


def _empty(player: Player) -> None:
    """Leave nothing in the row by which somebody could know who it was."""
    fresh = Player(pk=player.pk, kind=Player.Kind.DELETED, name=NAME, name_skeleton="")
    ident = public_id()
    fresh.public_id, fresh.username = ident, f"deleted-{ident}"
    fresh.is_active, fresh.private, fresh.replays = False, True, player.replays
    fresh.date_joined = player.date_joined
    fresh.set_unusable_password()
    fresh.save(force_update=True)
    player.refresh_from_db()
