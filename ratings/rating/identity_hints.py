"""Hints that one person may be behind two identities: for moderators, and never proof of it.

People of one household, school or pub share networks and devices, and play at the same hours.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Window
from django.db.models.functions import RowNumber

from games.api import Player
from ratings.models import Attempt, Device, NetworkUse, Play

MAX_OTHERS = 20
"""Number of other identities to compare, those with most in common."""
CLOSE = timedelta(minutes=10)
"""Time between the end of one identity's game and the start of the other's that counts as close."""
GAMES = 200
"""Number of an identity's newest ranked games whose times are compared."""


@dataclass(frozen=True, slots=True)
class IdentityHint:
    """Signs that two identities may or may not be one person.

    Attributes:
        other: the other identity.
        devices: number of browsers that both used.
        networks: number of networks that both entered from in the last thirty days.
        handovers: how often one began a ranked game soon after the other had ended one.
        overlaps: how often both were in a ranked game at the same time, which speaks against it.
    """

    other: Player
    devices: int
    networks: int
    handovers: int
    overlaps: int


def identity_hints(*, player: Player) -> list[IdentityHint]:
    """Return hints about a player, strongest first: most devices, networks, then handovers.

    Takes four queries.
    """
    devices = _shared(Device, "token", player)
    networks = _shared(NetworkUse, "digest", player)
    keys = sorted(
        {*devices, *networks}, key=lambda key: (-devices.get(key, 0), -networks.get(key, 0))
    )
    others = Player.objects.in_bulk(keys[:MAX_OTHERS])
    spans = _spans([player.pk, *others])
    own = spans[player.pk]
    found = [
        IdentityHint(
            other,
            devices.get(key, 0),
            networks.get(key, 0),
            handovers=handovers(own, spans[key]),
            overlaps=overlaps(own, spans[key]),
        )
        for key, other in others.items()
    ]
    return sorted(found, key=lambda hint: (-hint.devices, -hint.networks, -hint.handovers))


Span = tuple[datetime, datetime]
"""Start and end of a game."""


def handovers(one: list[Span], other: list[Span]) -> int:
    """Return how often a game of either began within `CLOSE` after one of the other's had ended."""
    return sum(
        timedelta(0) <= begin - end <= CLOSE
        for first, second in ((one, other), (other, one))
        for _, end in first
        for begin, _ in second
    )


def overlaps(one: list[Span], other: list[Span]) -> int:
    """Return how often both were in a game at the same time."""
    return sum(a[0] < b[1] and b[0] < a[1] for a in one for b in other)


def _shared(model: type[Device | NetworkUse], field: str, player: Player) -> dict[int, int]:
    """Return other player -> number of values of a field that they share with ``player``."""
    rows = model._default_manager.all()  # noqa: SLF001 - Django's documented interface
    own = rows.filter(player=player).values(field)
    others = rows.filter(**{f"{field}__in": own}).exclude(player=player)
    return dict(others.values_list("player_id").annotate(Count("pk")))


def _spans(players: Collection[int]) -> dict[int, list[Span]]:
    """Return player -> their newest ranked games, at most `GAMES` each."""
    newest = Window(RowNumber(), partition_by=F("player_id"), order_by=F("pk").desc())
    rows = Attempt.objects.filter(
        player__in=players,
        computer=False,
        play__kind=Play.Kind.RANKED,
        play__finished_at__isnull=False,
        play__match__started_at__isnull=False,
    )
    rows = rows.annotate(number=newest).filter(number__lte=GAMES)
    found: dict[int, list[Span]] = {player: [] for player in players}
    for key, begin, end in rows.values_list(
        "player_id", "play__match__started_at", "play__finished_at"
    ):
        if begin is not None and end is not None:
            found[key].append((begin, end))
    return found
