"""Notices that a player's time for a decision is running out: one for each turn.

An hourly job creates them from what is stored, so it needs no memory of its own: the deadline is
computed anew, with outages and days off, and the row of a notice prevents a second one.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.correspondence import local_hours, notify, turns
from games.correspondence.turns import Turn
from games.jobs.backend import BATCH, job
from games.log import store
from games.models import Match, Notice, Player, Seat
from games.ops import true_time

EVERY = timedelta(hours=1)
"""Time between two runs of the job."""

DAY = timedelta(days=1)


@job(queue=BATCH)
def remind_of_deadlines() -> None:
    """Create the notices for players who were told of their turn and have little time left.

    The number of queries does not grow with that of the matches, apart from those of
    `games.correspondence.turns.turns` and of players whose time is nearly over.
    """
    sent = Notice.objects.filter(sent_at__isnull=False, match__status=Match.Status.PLAYING)
    told = sent.filter(kind__in=(Notice.Kind.TURN, Notice.Kind.TAKEN))
    matches = list(Match.objects.filter(pk__in=told.values("match")))
    awaited = turns.turns(matches)
    reminded = set(
        Notice.objects.filter(kind=Notice.Kind.DUE, match__in=awaited).values_list(
            "match_id", "player_id", "asked", "way"
        )
    )
    waiting = _told(told, awaited)
    seats = Seat.objects.filter(match__in=awaited, computer=False, player__isnull=False)
    rows = seats.select_related("player", "match").order_by("pk")
    for row in rows:
        turn = awaited[row.match_id]
        key = (row.match_id, row.player_id)
        if row.seat in turn.seats and key in waiting:
            ways = {way for way in Notice.Way if (*key, turn.asked, way) not in reminded}
            _remind(row, turn, ways)


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


def _remind(row: Seat, turn: Turn, ways: Set[Notice.Way]) -> None:
    """Create the notices for the player of a seat by these channels, if little time is left."""
    match, player, due = row.match, row.player, turn.due_of(row.seat)
    now = true_time.now()
    if player is None or turn.away_of(row.seat) is not None or now >= due:
        return
    if ways and now >= remind_at(player, days=match.days or 0, due=due):
        for way in sorted(ways & set(notify.channels_of(player))):
            notify.make(player, match, way, Notice.Kind.DUE, asked=turn.asked)


def _told(sent: QuerySet[Notice], awaited: Mapping[int, Turn]) -> set[tuple[int, int]]:
    """Return match and player (primary keys) of those who were told of the present turn.

    For the first turn, the notice that a game was accepted counts.
    """
    rows = list(sent.values_list("match_id", "player_id", "kind", "asked"))
    accepted = {match for match, _, kind, _ in rows if kind == Notice.Kind.TAKEN}
    begun = store.first_decisions(sorted(accepted & awaited.keys()))
    found = set()
    for match, player, kind, asked in rows:
        turn = awaited.get(match)
        if turn is None:
            continue
        first = kind == Notice.Kind.TAKEN and begun.get(match, turn.version) >= turn.asked
        if first or (kind == Notice.Kind.TURN and asked == turn.asked):
            found.add((match, player))
    return found
