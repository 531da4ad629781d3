"""Selectors of lists of events: those to come, under way and over, and a player's titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Count, Q, QuerySet

from games.api import Player
from ratings.models import Event, EventEntrant

SHOWN = 30
"""Maximum number of events of one list."""

State = Event.State


def coming(*, player: Player | None) -> list[Event]:
    """Return the events that are planned, soonest first, with their number of players."""
    rows = _visible(player).filter(state=State.PLANNED)
    return list(_counted(rows).order_by("starts_at", "pk")[:SHOWN])


def running(*, player: Player | None) -> list[Event]:
    """Return the events that are under way, oldest first, with their number of players."""
    rows = _visible(player).filter(state=State.RUNNING)
    return list(_counted(rows).order_by("starts_at", "pk")[:SHOWN])


def over(*, player: Player | None) -> list[Event]:
    """Return the newest events that are over, with their number of players."""
    rows = _visible(player).filter(state=State.OVER)
    return list(_counted(rows).order_by("-starts_at", "-pk")[:SHOWN])


def of_club(*, club: int) -> list[Event]:
    """Return the events of a club (primary key) that are not over."""
    rows = Event.objects.filter(club=club, state__in=[State.PLANNED, State.RUNNING])
    return list(_counted(rows).order_by("starts_at", "pk")[:SHOWN])


def _counted(rows: QuerySet[Event]) -> QuerySet[Event]:
    return rows.select_related("made_by", "club").annotate(number=Count("entrants"))


def _visible(player: Player | None) -> QuerySet[Event]:
    """Return the open events, and those to which a player belongs; a league lists its matches."""
    seen = Q(entry=Event.Entry.OPEN)
    if player is not None:
        joined = EventEntrant.objects.filter(player=player, computer=False)
        seen |= Q(made_by=player) | Q(pk__in=joined.values("event"))
        seen |= Q(entry=Event.Entry.CLUB, club__memberships__player=player)
    rows = Event.objects.filter(Q(pk__in=Event.objects.filter(seen).values("pk")))
    return rows.exclude(entry=Event.Entry.TEAM)


def titles_of(*, player: Player, viewer: Player | None) -> Sequence[EventEntrant]:
    """Return a player's places that are titles, newest first, with their events.

    Those of a club are shown to its members only, as its other pages.
    """
    public = ~Q(event__entry=Event.Entry.CLUB)
    if viewer is not None:
        public |= Q(event__club__memberships__player=viewer)
        public |= Q(player=viewer)
    rows = EventEntrant.objects.filter(public, player=player, titled=True, computer=False)
    return list(rows.select_related("event").order_by("-event__over_at")[:SHOWN])


def export_of(player: int) -> Iterator[dict[str, Any]]:
    """Return a player's entries for the data export."""
    rows = EventEntrant.objects.filter(player=player, computer=False).select_related("event")
    for row in rows.order_by("pk"):
        yield {
            "tournament": row.event.title,
            "id": row.event.public_id,
            "format": row.event.format,
            "joined_at": row.joined_at,
            "place": row.place,
            "title": row.titled,
        }
