"""Notices that a player's time for a decision is running out: one for each turn.

An hourly job creates them from what is stored, so it needs no memory of its own: the deadline is
computed anew, with outages and days off, and the row of a notice prevents a second one.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from games.correspondence import local_hours, notify, turns
from games.correspondence.turns import Turn
from games.jobs.backend import BATCH, job
from games.log import store
from games.models import Match, Notice, Player

EVERY = timedelta(hours=1)
"""Time between two runs of the job."""

DAY = timedelta(days=1)


@job(queue=BATCH)
def remind_of_deadlines() -> None:
    """Create the notices for players who were told of their turn and have little time left."""
    told = Notice.objects.filter(
        kind__in=(Notice.Kind.TURN, Notice.Kind.TAKEN),
        sent_at__isnull=False,
        match__status=Match.Status.PLAYING,
    )
    matches = list(Match.objects.filter(pk__in=told.values("match")))
    awaited = turns.turns(matches)
    for match in matches:
        if match.pk in awaited:
            _remind(match, awaited[match.pk])


def lead(days: int) -> timedelta:
    """Return how long before a deadline to remind, for a match with ``days`` for each decision."""
    return DAY if days >= 3 else days * DAY / 4


def remind_at(player: Player, *, days: int, due: datetime) -> datetime:
    """Return when to remind a player of a deadline.

    If their quiet hours leave too little of the time after them, it is before those begin.
    """
    before = lead(days)
    at = due - before
    # The job may be that much later, and then it is quiet already.
    latest = at + EVERY
    end = local_hours.quiet_until(player, now=latest)
    since = local_hours.quiet_since(player, now=latest)
    if end is None or since is None or end <= due - before / 2:
        return at
    return min(at, since - 2 * EVERY)


def _remind(match: Match, turn: Turn) -> None:
    told = _told(match, turn)
    now = timezone.now()
    for row in match.seats.filter(seat__in=turn.seats, player__in=told).select_related("player"):
        due = turn.due_of(row.seat)
        if row.player is None or turn.away_of(row.seat) is not None or now >= due:
            continue
        if now >= remind_at(row.player, days=match.days or 0, due=due):
            for way in notify.channels_of(row.player):
                notify.make(row.player, match, way, Notice.Kind.DUE, asked=turn.asked)


def _told(match: Match, turn: Turn) -> set[int]:
    """Return the players who were told of this turn, by primary key.

    For the first turn, the notice that a game was accepted counts.
    """
    sent = Notice.objects.filter(match=match, sent_at__isnull=False)
    told = sent.filter(kind=Notice.Kind.TURN, asked=turn.asked)
    if store.first_decision(match.pk) >= turn.asked:
        told |= sent.filter(kind=Notice.Kind.TAKEN)
    return set(told.values_list("player_id", flat=True))
