"""Days off: while a player is away, their deadlines in correspondence matches wait.

The periods are rows, and deadlines are computed from them (`games.correspondence.turns`), so all
processes agree. A period counts like an outage that only its player had.

Nobody can stall for ever: a player has `ALLOWANCE` in any `YEAR`, each period costs at least
`SHORTEST`, and a deadline that has passed stays passed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction

from games.cluster import announce
from games.cluster.outages import Period
from games.models import Match, Player, Seat, Vacation
from games.ops import true_time
from games.people.player_lock import locked_player
from games.wire.refusals import Refused

ALLOWANCE = timedelta(days=28)
"""Days off of an account in any `YEAR`."""

YEAR = timedelta(days=365)
"""The period for which `ALLOWANCE` holds; it moves with the day, so no two allowances meet."""

SHORTEST = timedelta(days=1)
"""The least that a period costs."""


def current(player: Player) -> Vacation | None:
    """Return a player's present period; None if they are not away."""
    now = true_time.now()
    return Vacation.objects.filter(player=player, began__lte=now, until__gt=now).first()


def days_left(player: Player) -> int:
    """Return how many whole days a player may still take today."""
    since = true_time.now() - YEAR
    rows = Vacation.objects.filter(player=player, until__gt=since).values_list("began", "until")
    used = sum((max(SHORTEST, until - max(began, since)) for began, until in rows), timedelta())
    return max(0, math.floor((ALLOWANCE - used) / timedelta(days=1)))


def go_away(*, player: Player, days: int) -> Vacation:
    """Stop the deadlines of all correspondence matches of a player for some days from now.

    Raises:
        Refused: ``no_account`` for guests, ``away_already``, or ``bad_days_off`` for fewer than
            one day or more than are left.
    """
    if not player.is_person:
        raise Refused("no_account")
    with locked_player(player):  # two requests at once cannot both use the last days
        if current(player) is not None:
            raise Refused("away_already")
        left = days_left(player)
        if not 1 <= days <= left:
            raise Refused("bad_days_off", f"{days} days: {left} are left")
        now = true_time.now()
        made = Vacation.objects.create(player=player, began=now, until=now + timedelta(days=days))
        _announce(player)
    return made


def come_back(*, player: Player) -> bool:
    """End a player's period now; return whether they were away."""
    now = true_time.now()
    with transaction.atomic():
        rows = Vacation.objects.filter(player=player, began__lte=now, until__gt=now)
        ended = bool(rows.update(until=now))
        if ended:
            _announce(player)
    return ended


def periods(players: Collection[int], *, since: datetime) -> dict[int, list[Period]]:
    """Return the periods of some players (primary keys) that end after a moment, in order."""
    found: dict[int, list[Period]] = defaultdict(list)
    rows = Vacation.objects.filter(player__in=players, until__gt=since).order_by("began")
    for player, began, until in rows.values_list("player_id", "began", "until"):
        found[player].append((began, until))
    return found


def away_until(own: Collection[Period]) -> datetime | None:
    """Return the end of the one of these periods that is running now, if any."""
    now = true_time.now()
    return next((until for began, until in own if began <= now < until), None)


def _announce(player: Player) -> None:
    """Have all processes read the deadlines of a player's correspondence matches again."""
    seats = Seat.objects.filter(
        player=player,
        computer=False,
        match__status=Match.Status.PLAYING,
        match__days__isnull=False,
    )
    for match in seats.values_list("match_id", flat=True):
        transaction.on_commit(partial(announce.table, match))
