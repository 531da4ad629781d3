"""Services of matches between two teams of two: a single one from a link, or one of a league."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from games.api import Player, Refused, true_now
from ratings.events import events, progress
from ratings.events.formats import TEAM_PLAYERS
from ratings.events.refusals import refused
from ratings.events.results import team_sums, totals
from ratings.models import Event, EventEntrant
from ratings.standard import identities

SIDE = TEAM_PLAYERS // 2
"""Players of each team at the tables."""
NO_SHOW = 10
"""Minutes after which an absent player of a league's match loses the game."""


def plan(*, by: Player, title: str, games: int = 2) -> Event:
    """Create a match that begins when four players have come by its link.

    Raises:
        Refused: as for `events.plan`.
    """
    return events.plan(
        by=by,
        plan=events.Plan(
            title=title, format=Event.Format.TEAMS, starts_at=true_now(),
            entry=Event.Entry.LINK, rounds=games, places=TEAM_PLAYERS, late_rounds=0,
        ),
    )  # fmt: skip


def open_match(
    *, organiser: Player | None, title: str, games: int, now: datetime, until: datetime
) -> Event:
    """Create a match of a league, which only its teams' players can enter (`enter`).

    It begins when two players of each team are ready; ``until`` is when it should have.
    """
    return Event.objects.create(
        title=title, format=Event.Format.TEAMS, entry=Event.Entry.TEAM, rounds=games,
        places=TEAM_PLAYERS, late_rounds=0, no_show=NO_SHOW, starts_at=now,
        ends_at=until + events.LASTS, made_by=organiser,
    )  # fmt: skip


def enter(*, event: Event, player: Player, team: int, computer: bool = False) -> bool:
    """Note that a player of a team (0 or 1) is ready; return whether that completes the match.

    A player who returns to a running match takes their seat again. Players who were banned after
    they said that they were ready make room.

    Raises:
        Refused: ``event_over``, ``event_closed``, ``event_full`` or ``event_linked``.
    """
    with events.changed(event) as found:
        known = found.entrants.filter(player=player, computer=False).first()
        if known is not None and not computer:
            known.absent = False
            known.save(update_fields=["absent"])
            return False
        if not found.is_planned:
            raise refused("event_closed")
        found.entrants.filter(player__is_active=False).delete()
        if found.entrants.filter(team=team).count() >= SIDE:
            raise refused("event_full")
        linked = identities.with_linked([player])
        if found.entrants.filter(player__in=linked, computer=False).exists():
            raise refused("event_linked")
        events.add(found, player, team=team, computer=computer, here=True)
        return found.entrants.count() == TEAM_PLAYERS


def take_back(*, event: Event, player: Player) -> None:
    """Withdraw a player who has left their team, if they are in the match and it is not over."""
    with suppress(Refused):
        events.leave(event=event, player=player)


def ready(event: Event) -> tuple[bool, bool]:
    """Return for each team whether two of its players are ready."""
    rows = event.entrants.filter(absent=False, player__is_active=True)
    teams = list(rows.values_list("team", flat=True))
    return teams.count(0) >= SIDE, teams.count(1) >= SIDE


def margin(event: Event) -> float | None:
    """Return the first team's margin, points; None if no game was played."""
    if not event.played.filter(tables__games__scores__isnull=False).exists():
        return None
    rows: list[EventEntrant] = list(event.entrants.all())
    first, second = team_sums(rows, totals(event, rows))
    return (first - second) / 2


def close(event: Event, now: datetime) -> tuple[bool, bool] | None:
    """Call off a match, in a transaction; return which teams were ready.

    One that has begun, or begins now because everyone is ready, goes on: None.
    """
    found = progress.locked(event)
    if not found.is_planned:
        return None
    both = ready(found)
    if all(both) and not found.paused:
        progress.begin(found, now)
        progress.touch(found)
        progress.advance_later.enqueue(found.pk)
        return None
    progress.call_off(found, now)
    return both
