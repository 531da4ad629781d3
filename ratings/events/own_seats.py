"""The tables at which a reader of a tournament's page sits."""

from __future__ import annotations

from django.db.models import QuerySet

from games.api import Match, Player, Seat
from ratings.models import Event


def own_table(event: Event, viewer: Player | None) -> str:
    """Return the public id of the reader's running match in an event, unless they left it."""
    if viewer is None:
        return ""
    rows = _running_seats(event).filter(player=viewer, computer=False, left_at__isnull=True)
    return rows.order_by("match").values_list("match__public_id", flat=True).first() or ""


def left_seat(event: Event, viewer: Player) -> Seat | None:
    """Return the reader's seat at a running match of an event that they left, or None."""
    return left_seats(event).filter(player=viewer).order_by("match").last()


def left_seats(event: Event) -> QuerySet[Seat]:
    """Return the seats at running matches of an event that their players left."""
    return _running_seats(event).filter(left_at__isnull=False)


def _running_seats(event: Event) -> QuerySet[Seat]:
    return Seat.objects.filter(
        match__status=Match.Status.PLAYING,
        match__standard_play__event_game__table__round__event=event,
    )
