"""A player's finished matches as he asks for them, newest first, from a place in the list on."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from games.models import Match, Player, Seat
from games.rest.faults import BadInput
from games.rest.schemas import MatchesIn

_KINDS = {
    "casual": Seat.Kind.CASUAL,
    "ranked": Seat.Kind.RANKED,
    "imported": Seat.Kind.IMPORTED,
}


def matches_of(*, player: Player, asked: MatchesIn) -> tuple[list[Match], str | None]:
    """Return the next matches that are asked for, and the id to go on after; None at the end.

    Raises:
        BadInput: where there is no such match in the list, or no such opponent.
    """
    rows = _filtered(player, asked)
    if asked.after:
        place = Seat.objects.filter(
            player=player, computer=False, match__public_id=asked.after
        ).first()
        if place is None:
            raise BadInput(f"after: {asked.after[:20]!r} is no match of yours")
        rows = rows.filter(
            Q(ended_at__lt=place.ended_at) | Q(ended_at=place.ended_at, match_id__lt=place.match_id)
        )
    seats = Seat.objects.select_related("player").order_by("seat")
    found = list(
        rows.order_by("-ended_at", "-match_id")
        .select_related("match")
        .prefetch_related(Prefetch("match__seats", seats))[: asked.limit + 1]
    )
    matches = [row.match for row in found[: asked.limit]]
    return matches, matches[-1].public_id if len(found) > asked.limit else None


def _filtered(player: Player, asked: MatchesIn) -> QuerySet[Seat]:
    rows = Seat.objects.filter(player=player, computer=False, ended_at__isnull=False)
    for condition in (_who(asked), _what(asked), _when(asked)):
        rows = rows.filter(condition)
    return rows


def _who(asked: MatchesIn) -> Q:
    condition = Q()
    if asked.opponent:
        other = Player.objects.filter(public_id=asked.opponent).first()
        if other is None:
            raise BadInput(f"opponent: there is no player {asked.opponent[:20]!r}")
        condition &= Q(opponent=other) | Q(opponent_2=other)
    return condition


def _what(asked: MatchesIn) -> Q:
    conditions: dict[str, Any] = {}
    if asked.seats is not None:
        conditions["places"] = asked.seats
    if asked.kind is not None:
        conditions["kind"] = _KINDS[asked.kind]
    if asked.result is not None:
        conditions["won"] = asked.result == "won"
    if asked.skunk is not None:
        conditions["skunks__gt" if asked.skunk == "given" else "skunked__gt"] = 0
    condition = Q(**conditions)
    if asked.against is not None:
        alone = Q(places=2, computers=1) | Q(places=3, computers=2)
        condition &= alone if asked.against == "computers" else ~alone
    return condition


def _when(asked: MatchesIn) -> Q:
    condition = Q()
    if asked.since is not None:
        condition &= Q(ended_at__gte=datetime.combine(asked.since, time.min, UTC))
    if asked.until is not None:
        following = asked.until + timedelta(days=1)
        condition &= Q(ended_at__lt=datetime.combine(following, time.min, UTC))
    return condition
